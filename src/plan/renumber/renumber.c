/* SPDX-License-Identifier: BSD-2-Clause
 * Renumbering: the order of the base set by a method, its choice, and when it is worth it.
 */
#include "renumber.h"
#include "build.h"
#include "core/profile.h"
#include "curve.h"
#include "graph.h"
#include "metis.h"
#include "sort.h"
#include <string.h>

/* What a renumbering starts from. */
typedef struct start {
  pl_context *pl;
  pl_renumber_method method;
  pl_map *map;    /* leads to the base set; NULL: the base keeps its order (arity 1) */
  pl_dat *coords; /* may be NULL */
  pl_set *base;
} start;

static const char *const method_names[] = {[PL_RENUMBER_AUTO] = "auto",
                                           [PL_RENUMBER_RCM] = "rcm",
                                           [PL_RENUMBER_HILBERT] = "hilbert",
                                           [PL_RENUMBER_METIS] = "metis"};

/* ---- by the graph ---- */

enum { BLOCK = 2048 }; /* elements of a block of METIS's */

static int find_first(int n, const int *order, const int *part, int nparts, int *rank)
{
  int next = 0;
  for (int p = 0; p < nparts; p++) rank[p] = -1;
  for (int i = 0; i < n; i++)
    if (rank[part[order[i]]] < 0) rank[part[order[i]]] = next++;
  return next;
}

/* Blocks in the order in which `walked` first meets them, their elements as they come there. */
static pl_err order_blocks(pl_context *pl, const pl_graph *graph, const int *walked, int *order)
{
  int n = graph->n, nparts = n / BLOCK + 1;
  size_t bytes = (size_t)n * sizeof(int);
  int *part = pl_malloc_array(pl, bytes), *rank = pl_malloc(pl, (size_t)nparts * sizeof *rank);
  pl_err err = part && rank ? pl_metis_kway(pl, graph, NULL, NULL, nparts, part) : pl_fail_memory(pl, bytes);
  if (!err) {
    find_first(n, walked, part, nparts, rank);
    for (int v = 0; v < n; v++) part[v] = rank[part[v]];
    err = pl_sort_counting(pl, n, walked, nparts, part, order);
  }
  pl_free_array(pl, part);
  pl_free(pl, rank);
  return err;
}

static pl_err order_by_graph(const start *s, int *order)
{
  pl_context *pl = s->pl;
  pl_graph graph;
  int n = s->base->part[3], *walked = NULL;
  bool blocks = s->method == PL_RENUMBER_METIS;
  if (blocks && pl_metis_unavailable())
    return pl_fail(pl, PL_ERR_BACKEND, "set \"%s\" cannot be renumbered: %s", s->base->node.name,
                   pl_metis_unavailable());
  PL_TRY(pl_graph_build(pl, s->map, blocks, &graph));
  if (blocks && !(walked = pl_malloc_array(pl, (size_t)n * sizeof *walked)))
    pl_fail_memory(pl, (size_t)n * sizeof *walked);
  pl_err err = blocks && !walked ? PL_ERR_MEMORY : pl_graph_rcm(pl, &graph, blocks ? walked : order);
  if (!err && blocks) err = order_blocks(pl, &graph, walked, order);
  pl_free_array(pl, walked);
  pl_graph_free(pl, &graph);
  return err;
}

/* ---- by coordinates ---- */

/* The map that leads from the base set to where the coordinates live. */
static pl_err find_corners(const start *s, const pl_map **corners)
{
  *corners = NULL;
  if (s->coords->set == s->base) return PL_SUCCESS;
  for (const pl_node *node = s->pl->maps; node; node = node->next) {
    const pl_map *map = (const pl_map *)node;
    if (map->index && !map->offset && map->from == s->base && map->to == s->coords->set) *corners = map;
  }
  if (*corners) return PL_SUCCESS;
  return pl_fail(s->pl, PL_ERR_ARG,
                 "set \"%s\" cannot be renumbered by dat \"%s\": no map leads from it to \"%s\", where the "
                 "coordinates live",
                 s->base->node.name, s->coords->node.name, s->coords->set->node.name);
}

/* The mean of an element's corners, or its own coordinates. */
static void locate(const start *s, const pl_map *corners, int e, double *point)
{
  const pl_dat *dat = s->coords;
  int targets = corners ? corners->arity : 1, found = 0;
  for (int d = 0; d < dat->dim; d++) point[d] = 0;
  for (int k = 0; k < targets; k++) {
    int t = corners ? corners->index[(size_t)e * (size_t)targets + (size_t)k] : e;
    if (t < 0) continue;
    found++;
    for (int d = 0; d < dat->dim; d++) {
      size_t at = (size_t)t * (size_t)dat->dim + (size_t)d;
      point[d] +=
        dat->type == PL_FLOAT ? (double)((const float *)dat->host)[at] : ((const double *)dat->host)[at];
    }
  }
  for (int d = 0; found > 1 && d < dat->dim; d++) point[d] /= found;
}

enum { PIECE = 1 << 14 };

static void make_keys(const start *s, const pl_map *corners, double *points, pl_keyed *items)
{
  int n = s->base->part[3], dim = s->coords->dim, pieces = n / PIECE + 1,
      threads = pl_plan_threads(pieces, (size_t)n);
  pl_box box;
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < pieces; p++)
    for (int e = p * PIECE; e < n && e < (p + 1) * PIECE; e++)
      locate(s, corners, e, points + (size_t)e * (size_t)dim);
  pl_box_clear(&box, dim);
  pl_box_add(&box, n, points);
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < pieces; p++)
    for (int e = p * PIECE; e < n && e < (p + 1) * PIECE; e++)
      items[e] = (pl_keyed){pl_curve_key(&box, points + (size_t)e * (size_t)dim), e};
}

static pl_err order_by_curve(const start *s, int *order)
{
  pl_context *pl = s->pl;
  const pl_map *corners;
  size_t n = (size_t)s->base->part[3];
  PL_TRY(find_corners(s, &corners));
  if (!pl_dat_host(s->coords, false)) return pl->error_code;
  double *points = pl_malloc_array(pl, n * (size_t)s->coords->dim * sizeof *points);
  pl_keyed *items = pl_malloc_array(pl, n * sizeof *items),
           *scratch = pl_malloc_array(pl, n * sizeof *scratch), *sorted = NULL;
  pl_err err = points && items && scratch ? PL_SUCCESS : pl_fail_memory(pl, 2 * n * sizeof *items);
  if (!err) {
    make_keys(s, corners, points, items);
    err = pl_sort_keyed(pl, (int)n, items, scratch, &sorted);
  }
  for (size_t i = 0; !err && i < n; i++) order[i] = sorted[i].value;
  pl_free_array(pl, points);
  pl_free_array(pl, items);
  pl_free_array(pl, scratch);
  return err;
}

/* ---- the whole ---- */

static void keep_order(int n, int *order)
{
  for (int i = 0; i < n; i++) order[i] = i;
}

static pl_err make_family(const start *s, pl_family *family)
{
  size_t n = (size_t)s->base->part[3];
  int *order = pl_malloc_array(s->pl, n * sizeof *order);
  if (!order) return pl_fail_memory(s->pl, n * sizeof *order);
  pl_err err = PL_SUCCESS;
  if (s->method == PL_RENUMBER_HILBERT)
    err = order_by_curve(s, order);
  else if (s->map && s->map->arity > 1)
    err = order_by_graph(s, order);
  else
    keep_order((int)n, order);
  if (!err) return pl_family_spread(s->pl, s->base, order, family);
  pl_free_array(s->pl, order);
  return err;
}

/* What a set's elements hold in dats. */
static size_t bytes_of(const pl_set *set)
{
  size_t bytes = 0;
  for (const pl_node *node = set->node.pl->dats; node; node = node->next)
    if (((const pl_dat *)node)->set == set) bytes += pl_dat_nbytes((const pl_dat *)node);
  return bytes;
}

/* Whether map a is the better one to make the graph from: pairs say directly who is a neighbour; then the
 * base set should hold the most; then the older one. */
static bool better(const pl_map *a, const pl_map *b)
{
  int pairs = (a->arity == 2) - (b->arity == 2);
  if ((a->arity > 1) != (b->arity > 1)) return a->arity > 1;
  if (pairs) return pairs > 0;
  size_t bytes_a = bytes_of(a->to), bytes_b = bytes_of(b->to);
  return bytes_a != bytes_b ? bytes_a > bytes_b : a->node.id < b->node.id;
}

/* Sets that maps connect with `set`, marked by their ids. */
static bool connected(const pl_family *seen, const pl_set *set)
{
  for (int i = 0; i < seen->n; i++)
    if (seen->set[i] == set) return true;
  return false;
}

static pl_err find_connected(pl_context *pl, pl_set *set, pl_family *seen)
{
  size_t room = 0;
  for (const pl_node *node = pl->sets; node; node = node->next) room++;
  *seen = (pl_family){.pl = pl, .n = 1, .set = pl_calloc(pl, room, sizeof *seen->set)};
  if (!seen->set) return pl_fail_memory(pl, room * sizeof *seen->set);
  seen->set[0] = set;
  for (int i = 0; i < seen->n; i++)
    for (pl_node *node = pl->maps; node; node = node->next) {
      const pl_map *map = (const pl_map *)node;
      if (!map->index || map->pair_map || (map->from != seen->set[i] && map->to != seen->set[i])) continue;
      pl_set *other = map->from == seen->set[i] ? map->to : map->from;
      if (!connected(seen, other)) seen->set[seen->n++] = other;
    }
  return PL_SUCCESS;
}

/* The best map among those that are connected with `set` (NULL: among all); NULL if there is none. */
static pl_err choose_map(pl_context *pl, pl_set *set, pl_map **result)
{
  pl_family seen = {0};
  *result = NULL;
  if (set) PL_TRY(find_connected(pl, set, &seen));
  for (pl_node *node = pl->maps; node; node = node->next) {
    pl_map *map = (pl_map *)node;
    if (!map->index || map->pair_map || (set && !connected(&seen, map->to))) continue;
    if (!*result || better(map, *result)) *result = map;
  }
  pl_free(pl, seen.set);
  return PL_SUCCESS;
}

/* Renumbers; unless `gain` is 0 only if the scatter of `look` falls by that factor. */
static pl_err renumber(const start *s, const pl_map *look, double gain)
{
  pl_context *pl = s->pl;
  pl_family family;
  double begun = pl_now(), before = look ? pl_map_scatter(look, NULL) : 0;
  PL_TRY(make_family(s, &family));
  double after = look ? pl_map_scatter(look, &family) : 0;
  bool pays = gain == 0 || after * gain < before;
  pl_err err = pays ? pl_family_apply(&family) : PL_SUCCESS;
  double seconds = pl_now() - begun;
  pl->stats.renumber_seconds += seconds;
  if (!err)
    pl_log(pl, 1, "%s %d sets by %s of \"%s\" in %.3f s; scatter of map \"%s\" %.2f, then %.2f",
           pays ? "renumbered" : "did not renumber", family.n, method_names[s->method], s->base->node.name,
           seconds, look ? look->node.name : "", before, after);
  pl_family_free(&family);
  return err;
}

/* ---- by hand ---- */

static pl_err check_coords(pl_context *pl, const pl_dat *coords)
{
  if (coords->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "pl_renumber: dat \"%s\" belongs to another context", coords->node.name);
  if ((coords->type != PL_DOUBLE && coords->type != PL_FLOAT) || coords->dim < 1 ||
      coords->dim > PL_CURVE_MOST)
    return pl_fail(
      pl, PL_ERR_TYPE,
      "pl_renumber: dat \"%s\" holds %d values of %s; coordinates are 1 to %d of float or double",
      coords->node.name, coords->dim, pl_type_name(coords->type), PL_CURVE_MOST);
  if (coords->writer)
    return pl_fail(pl, PL_ERR_STATE,
                   "pl_renumber: a writable host view of dat \"%s\" is open; close it with "
                   "pl_dat_put first",
                   coords->node.name);
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
    return pl_fail(pl, PL_ERR_ARG, "pl_renumber: map \"%s\" has arity 1, which makes no graph",
                   s->map->node.name);
  return PL_SUCCESS;
}

pl_err pl_renumber_local(pl_context *pl, pl_renumber_method method, pl_map *map, pl_dat *coords)
{
  start s = {pl, method, map, coords, NULL};
  PL_TRY(check_start(&s));
  if (!map) PL_TRY(choose_map(pl, coords ? coords->set : NULL, &s.map));
  if (!s.map && !coords) return PL_SUCCESS;
  if (method == PL_RENUMBER_AUTO) s.method = coords ? PL_RENUMBER_HILBERT : PL_RENUMBER_RCM;
  s.base = s.map ? s.map->to : coords->set;
  return renumber(&s, s.map, 0);
}

pl_err pl_renumber(pl_context *pl, pl_renumber_method method, pl_map *map, pl_dat *coords)
{
  PL_TRY(pl_context_check(pl));
  if (pl->place) PL_TRY(pl->place(pl));
  PL_TRY(pl_agree(pl, pl_renumber_local(pl, method, map, coords)));
  PL_TRY(pl_same_versions(pl));
  for (pl_node *node = pl->maps; node; node = node->next) ((pl_map *)node)->looked = true;
  return PL_SUCCESS;
}

/* ---- before loops ---- */

/* A loop over a mesh in a random order takes several times as long, and renumbering costs a few calls: worth
 * trying from this scatter on, and doing if it falls by this factor. */
static const double bad_scatter = 0.25, worth = 2.0;

static bool views_are_open(const pl_context *pl)
{
  for (const pl_node *node = pl->dats; node; node = node->next)
    if (((const pl_dat *)node)->readers || ((const pl_dat *)node)->writer) return true;
  return false;
}

/* The first map that has not been looked at and gives reason to renumber; NULL if none does. Sets that change
 * their size stay as they are, and lists of pairs have an order of their own. */
static const pl_map *reason(pl_context *pl, bool forced)
{
  for (pl_node *node = pl->maps; node; node = node->next) {
    const pl_map *map = (const pl_map *)node;
    bool ours = pl_ranks(pl) > 1; /* views are the distribution's there */
    if (!map->index || map->looked || map->pair_map || map->from->capacity || map->to->capacity) continue;
    if (!ours && (map->from->view || map->to->view)) continue;
    if (forced || pl_map_scatter(map, NULL) > bad_scatter) return map;
  }
  return NULL;
}

pl_err pl_renumber_for_loops(pl_context *pl)
{
  bool automatic = pl_opt_is(pl, PL_OPT_RENUMBER, "auto");
  if (pl_opt_is(pl, PL_OPT_RENUMBER, "off")) return PL_SUCCESS;
  const pl_map *look = reason(pl, !automatic);
  if (look && views_are_open(pl)) return PL_SUCCESS; /* perhaps the next time */
  for (pl_node *node = pl->maps; node; node = node->next) ((pl_map *)node)->looked = true;
  if (!look) return PL_SUCCESS;
  start s = {.pl = pl,
             .method = pl_opt_is(pl, PL_OPT_RENUMBER, "metis") ? PL_RENUMBER_METIS : PL_RENUMBER_RCM};
  PL_TRY(choose_map(pl, look->to, &s.map));
  s.base = s.map->to;
  return renumber(&s, look, automatic ? worth : 0);
}
