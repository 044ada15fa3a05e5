/* SPDX-License-Identifier: BSD-2-Clause
 * Renumbering: the order of the base set by a method, the choice of the base, and when it is worth it.
 */
#include "renumber.h"
#include "core/base/clock.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/tools/tools.h"
#include "plan/base/graph.h"
#include "plan/base/hilbert_curve.h"
#include "core/data/objects.h"
#include "plan/base/radix_sort.h"
#include "core/base/real_value.h"
#include "core/threads/threads.h"
#include "plan/distribution/connected_sets.h"
#include "plan/partition/element_coordinates.h"
#include "plan/partition/graph_partitioners.h"
#include "order_propagation.h"

typedef struct start {
  pl_context *pl;
  pl_renumber_method method;
  pl_map *map;    /* to the base set; NULL or arity 1: the base keeps its order */
  pl_dat *coords; /* may be NULL */
  pl_set *base;
} start;

static const char *const method_names[] = {[PL_RENUMBER_AUTO] = "auto",
                                           [PL_RENUMBER_RCM] = "rcm",
                                           [PL_RENUMBER_HILBERT] = "hilbert",
                                           [PL_RENUMBER_METIS] = "metis"};

/* ---- by the graph ---- */

enum { BLOCK = 2048 }; /* elements of a part of METIS */

/* Ranks the parts by their first elements in the order. */
static void rank_parts(int n, const int *order, const int *part, int nparts, int *rank)
{
  int next = 0;
  for (int p = 0; p < nparts; p++) rank[p] = -1;
  for (int i = 0; i < n; i++)
    if (rank[part[order[i]]] < 0) rank[part[order[i]]] = next++;
}

/* Parts of METIS by their first elements in the order `rcm`, their elements in that order. */
static pl_err order_parts(pl_arena *arena, const pl_graph *graph, const int *rcm, int *order)
{
  int n = graph->n, nparts = n / BLOCK + 1;
  int *part = pl_arena_array(arena, (size_t)n, sizeof *part),
      *rank = pl_arena_alloc(arena, (size_t)nparts, sizeof *rank);
  PL_TRY(pl_arena_check(arena));
  PL_TRY(pl_metis_kway(arena->pl, graph, NULL, nparts, part));
  rank_parts(n, rcm, part, nparts, rank);
  for (int v = 0; v < n; v++) part[v] = rank[part[v]];
  return pl_sort_counting(arena->pl, n, rcm, nparts, part, order);
}

static pl_err order_by_graph(const start *s, pl_arena *arena, int *order)
{
  pl_context *pl = s->pl;
  pl_graph graph;
  bool blocks = s->method == PL_RENUMBER_METIS;
  if (blocks && pl_module_missing(pl, PL_MODULE_METIS))
    return pl_fail(pl, PL_ERR_BACKEND, "set \"%s\" cannot be renumbered: %s", s->base->node.name,
                   pl_module_missing(pl, PL_MODULE_METIS));
  int *rcm = blocks ? pl_arena_array(arena, (size_t)s->base->end[3], sizeof *rcm) : order;
  PL_TRY(pl_arena_check(arena));
  PL_TRY(pl_graph_build(pl, s->map, blocks, &graph));
  pl_err err = pl_graph_rcm(pl, &graph, rcm);
  if (!err && blocks) err = order_parts(arena, &graph, rcm, order);
  pl_graph_free(pl, &graph);
  return err;
}

/* ---- by coordinates ---- */

/* The map from the base set to the set of the coordinates; NULL: the base has them. */
static pl_err find_coordinate_map(const start *s, const pl_map **result)
{
  *result = NULL;
  if (s->coords->set == s->base) return PL_SUCCESS;
  PL_EACH (const pl_map, map, s->pl->maps)
    if (map->index && !map->offset && map->from == s->base && map->to == s->coords->set) *result = map;
  if (*result) return PL_SUCCESS;
  return pl_fail(
    s->pl, PL_ERR_ARG,
    "set \"%s\" cannot be renumbered by dat \"%s\": no map leads from it to \"%s\", the set of the "
    "coordinates",
    s->base->node.name, s->coords->node.name, s->coords->set->node.name);
}

/* The coordinates of an element: its own, or the mean of its targets'. */
static void find_point(const start *s, const pl_map *map, int e, double *point)
{
  const pl_dat *dat = s->coords;
  int targets = map ? map->arity : 1, found = 0;
  for (int d = 0; d < dat->dim; d++) point[d] = 0;
  for (int k = 0; k < targets; k++) {
    int t = map ? map->index[(size_t)e * (size_t)targets + (size_t)k] : e;
    if (t < 0) continue;
    found++;
    for (int d = 0; d < dat->dim; d++)
      point[d] += pl_real_at(dat->type, dat->storage.host, (size_t)t * (size_t)dat->dim + (size_t)d);
  }
  for (int d = 0; found > 1 && d < dat->dim; d++) point[d] /= found;
}

static void make_keys(const start *s, const pl_map *map, double *points, pl_keyed *items)
{
  int n = s->base->end[3], dim = s->coords->dim, threads = pl_plan_threads(n, (size_t)n);
  pl_box box;
  PL_PARALLEL_FOR(threads)
  for (int e = 0; e < n; e++) find_point(s, map, e, points + (size_t)e * (size_t)dim);
  pl_box_clear(&box, dim);
  pl_box_add(&box, n, points);
  PL_PARALLEL_FOR(threads)
  for (int e = 0; e < n; e++) items[e] = (pl_keyed){pl_curve_key(&box, points + (size_t)e * (size_t)dim), e};
}

static pl_err order_by_curve(const start *s, pl_arena *arena, int *order)
{
  pl_context *pl = s->pl;
  const pl_map *map;
  size_t n = (size_t)s->base->end[3];
  PL_TRY(find_coordinate_map(s, &map));
  if (!pl_dat_host(s->coords, false)) return pl->error_code;
  double *points = pl_arena_array(arena, n * (size_t)s->coords->dim, sizeof *points);
  pl_keyed *items = pl_arena_array(arena, n, sizeof *items),
           *scratch = pl_arena_array(arena, n, sizeof *scratch), *sorted;
  PL_TRY(pl_arena_check(arena));
  make_keys(s, map, points, items);
  PL_TRY(pl_sort_keyed(pl, (int)n, items, scratch, &sorted));
  for (size_t i = 0; i < n; i++) order[i] = sorted[i].value;
  return PL_SUCCESS;
}

/* ---- orders of all sets ---- */

/* The order of the base; `arena` is of its scratch memory. */
static pl_err find_order(const start *s, pl_arena *arena, int *order)
{
  if (s->method == PL_RENUMBER_HILBERT) return order_by_curve(s, arena, order);
  if (s->map && s->map->arity > 1) return order_by_graph(s, arena, order);
  for (int i = 0; i < s->base->end[3]; i++) order[i] = i;
  return PL_SUCCESS;
}

static pl_err make_orders(const start *s, pl_set_orders *orders)
{
  pl_arena scratch = {.pl = s->pl};
  int *order = pl_arena_array(&orders->arena, (size_t)s->base->end[3], sizeof *order);
  PL_TRY(pl_arena_check(&orders->arena));
  pl_err err = find_order(s, &scratch, order);
  pl_arena_free(&scratch);
  return err ? err : pl_orders_propagate(s->base, order, orders);
}

static size_t dat_bytes(const pl_set *set)
{
  size_t bytes = 0;
  PL_EACH (const pl_dat, dat, set->node.pl->dats)
    if (dat->set == set) bytes += pl_dat_nbytes(dat);
  return bytes;
}

/* Whether map a is better for the graph: rows of two are the edges of the graph; then the base set with the
 * most data; then the older map. */
static bool is_better(const pl_map *a, const pl_map *b)
{
  int pairs = (a->arity == 2) - (b->arity == 2);
  if ((a->arity > 1) != (b->arity > 1)) return a->arity > 1;
  if (pairs) return pairs > 0;
  size_t bytes_a = dat_bytes(a->to), bytes_b = dat_bytes(b->to);
  return bytes_a != bytes_b ? bytes_a > bytes_b : a->node.id < b->node.id;
}

/* The best map among those connected with `set` (NULL: among all); NULL if there is none. */
static pl_map *choose_map(pl_context *pl, pl_set *set)
{
  pl_map *best = NULL;
  pl_marks_clear(pl);
  if (set) set->marked = true;
  pl_marks_spread(pl, true);
  PL_EACH (pl_map, map, pl->maps) {
    if (!map->index || map->pair_map || (set && !map->to->marked)) continue;
    if (!best || is_better(map, best)) best = map;
  }
  return best;
}

/* Renumbers; unless `gain` is 0, only if the scatter of map `sample` falls by that factor. Fused loops and
 * the sets and maps made for them are dropped first: joined sets assume the order of their parts. */
static pl_err renumber(const start *s, const pl_map *sample, double gain)
{
  pl_context *pl = s->pl;
  PL_TRY(pl_flush_all(pl));
  pl_deferred_drop(pl);
  pl_set_orders orders = {.arena = {.pl = pl}};
  pl_event_begin(pl, PL_TOOL_PLAN, "renumber", s->base->node.name, 0);
  double begun = pl_now(), before = sample ? pl_map_scatter(sample, NULL) : 0;
  pl_err err = make_orders(s, &orders);
  double after = sample && !err ? pl_map_scatter(sample, &orders) : 0;
  bool pays = gain == 0 || after * gain < before;
  if (!err && pays) err = pl_orders_apply(&orders);
  double seconds = pl_now() - begun;
  pl_event_end(pl, PL_TOOL_PLAN);
  pl->stats.renumber_seconds += seconds;
  if (!err)
    pl_log(pl, 1, "%s %d sets by %s of \"%s\" in %.3f s; scatter of map \"%s\" %.2f, then %.2f",
           pays ? "renumbered" : "did not renumber", orders.n, method_names[s->method], s->base->node.name,
           seconds, sample ? sample->node.name : "", before, after);
  pl_arena_free(&orders.arena);
  return err;
}

/* ---- pl_renumber ---- */

static pl_err check_coords(pl_context *pl, const pl_dat *coords)
{
  pl_err err = pl_coordinates_check(pl, coords);
  if (err) return pl_fail_in(pl, err, "pl_renumber");
  if (coords->writer)
    return pl_fail(pl, PL_ERR_STATE,
                   "pl_renumber: a writable %s view of dat \"%s\" is open; close it with %s first",
                   pl_view_kind(coords), coords->node.name, pl_view_end(coords));
  return PL_SUCCESS;
}

static pl_err check_start(start *s)
{
  pl_context *pl = s->pl;
  if ((unsigned)s->method > PL_RENUMBER_METIS)
    return pl_fail(pl, PL_ERR_ARG, "pl_renumber: %d is not a method", (int)s->method);
  if (s->map && s->map->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "pl_renumber: map \"%s\" belongs to another context", s->map->node.name);
  if (s->map && s->map->offset)
    return pl_fail(pl, PL_ERR_ARG, "pl_renumber: map \"%s\" is ragged; this takes maps of fixed arity",
                   s->map->node.name);
  if (s->map && !s->map->index)
    return pl_fail(pl, PL_ERR_STATE, "pl_renumber: map \"%s\" was declared without indices",
                   s->map->node.name);
  if (s->coords) PL_TRY(check_coords(pl, s->coords));
  if (s->method == PL_RENUMBER_HILBERT && !s->coords)
    return pl_fail(pl, PL_ERR_ARG, "pl_renumber: Hilbert's curve needs a dat of coordinates");
  if (s->method == PL_RENUMBER_METIS && s->map && s->map->arity < 2)
    return pl_fail(pl, PL_ERR_ARG, "pl_renumber: map \"%s\" has arity 1, which defines no graph",
                   s->map->node.name);
  return PL_SUCCESS;
}

static pl_err renumber_local(pl_context *pl, pl_renumber_method method, pl_map *map, pl_dat *coords)
{
  start s = {pl, method, map, coords, NULL};
  PL_TRY(check_start(&s));
  if (!map) s.map = choose_map(pl, coords ? coords->set : NULL);
  if (!s.map && !coords) return PL_SUCCESS;
  if (method == PL_RENUMBER_AUTO) s.method = coords ? PL_RENUMBER_HILBERT : PL_RENUMBER_RCM;
  s.base = s.map ? s.map->to : coords->set;
  return renumber(&s, s.map, 0);
}

pl_err pl_renumber(pl_context *pl, pl_renumber_method method, pl_map *map, pl_dat *coords)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(pl_notify_distribute(pl));
  PL_TRY(pl_agree(pl, renumber_local(pl, method, map, coords)));
  PL_TRY(pl_same_versions(pl));
  PL_EACH (pl_map, map, pl->maps) map->locality_checked = true;
  return PL_SUCCESS;
}

/* ---- before loops ---- */

/* A loop over a mesh in a random order takes several times as long, and renumbering costs a few calls: it is
 * tried from this scatter on, and applied if the scatter falls by this factor. */
static const double bad_scatter = 0.25, min_gain = 2.0;

static bool views_are_open(const pl_context *pl)
{
  PL_EACH (const pl_dat, dat, pl->dats)
    if (dat->readers || dat->writer) return true;
  return false;
}

/* Memory of the program, and sets with the numbering of a matrix, must not be permuted. */
static bool any_is_wrapped(const pl_context *pl)
{
  PL_EACH (const pl_set, set, pl->sets)
    if (set->numberings) return true;
  PL_EACH (const pl_dat, dat, pl->dats)
    if (dat->storage.wrapped) return true;
  return false;
}

/* The first unchecked map for which to renumber; NULL if there is none. Sets that change their size are not
 * renumbered, and pair maps have an order of their own. */
static const pl_map *find_bad_map(pl_context *pl, bool forced)
{
  PL_EACH (const pl_map, map, pl->maps) {
    bool distributed = pl_ranks(pl) > 1; /* user orders are of the distribution */
    if (!map->index || map->locality_checked || map->pair_map || map->from->capacity || map->to->capacity)
      continue;
    if (!distributed && (map->from->user_order || map->to->user_order)) continue;
    if (forced || pl_map_scatter(map, NULL) > bad_scatter) return map;
  }
  return NULL;
}

pl_err pl_renumber_for_loops(pl_context *pl)
{
  bool automatic = pl_opt_is(pl, PL_OPT_RENUMBER, "auto");
  if (pl_opt_is(pl, PL_OPT_RENUMBER, "off")) return PL_SUCCESS;
  if (pl->deferred.running) return PL_SUCCESS; /* a fused loop is made; tried again before the next loop */
  const pl_map *sample = find_bad_map(pl, !automatic);
  if (sample && views_are_open(pl)) return PL_SUCCESS; /* tried again before the next loop */
  PL_EACH (pl_map, map, pl->maps) map->locality_checked = true;
  if (!sample || any_is_wrapped(pl)) return PL_SUCCESS;
  start s = {.pl = pl,
             .method = pl_opt_is(pl, PL_OPT_RENUMBER, "metis") ? PL_RENUMBER_METIS : PL_RENUMBER_RCM};
  s.map = choose_map(pl, sample->to);
  s.base = s.map->to;
  return renumber(&s, sample, automatic ? min_gain : 0);
}
