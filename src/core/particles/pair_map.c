/* SPDX-License-Identifier: BSD-2-Clause
 * Domains, pair maps and pair loops. The observer of plan/particles builds the lists.
 */
#include "pair_map.h"
#include "core/chain/deferred_queue.h"
#include "core/base/sized_struct.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include "core/loop/arg.h"
#include "core/loop/loop.h"
#include "mover.h"
#include <math.h>
#include <string.h>

/* ---- domains ---- */

static pl_err check_box(pl_context *pl, int dim, const double *low, const double *high, const char *name)
{
  for (int a = 0; a < dim; a++)
    if (!(isfinite(low[a]) && isfinite(high[a]) && low[a] < high[a]))
      return pl_fail(pl, PL_ERR_RANGE,
                     "domain \"%s\": axis %d goes from %g to %g; it must ascend and be finite", name, a,
                     low[a], high[a]);
  return PL_SUCCESS;
}

static void fill_box(pl_domain *domain, const double *low, const double *high)
{
  memcpy(domain->low, low, (size_t)domain->dim * sizeof *low);
  memcpy(domain->high, high, (size_t)domain->dim * sizeof *high);
}

pl_err pl_decl_domain(pl_context *pl, int dim, const double *low, const double *high, const int *periodic,
                      const char *name, pl_domain **result)
{
  PL_TRY(pl_context_check(pl));
  if (!name) name = "(unnamed)";
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_domain", name, low, high, result));
  if (dim < 1 || dim > PL_PAIR_AXES)
    return pl_fail(pl, PL_ERR_RANGE, "domain \"%s\": %d axes; it has 1 to %d", name, dim, PL_PAIR_AXES);
  PL_TRY(check_box(pl, dim, low, high, name));
  pl_domain *domain = pl_node_new(pl, &pl->domains, sizeof *domain, name);
  if (!domain) return PL_ERR_MEMORY;
  domain->dim = dim;
  fill_box(domain, low, high);
  for (int a = 0; a < dim; a++) domain->periodic[a] = periodic && periodic[a];
  *result = domain;
  return PL_SUCCESS;
}

pl_err pl_domain_resize(pl_domain *domain, const double *low, const double *high)
{
  PL_TRY_GIVEN(domain);
  PL_TRY(PL_GIVEN_FOR(domain->node.pl, "pl_domain_resize", domain->node.name, low, high));
  PL_TRY(check_box(domain->node.pl, domain->dim, low, high, domain->node.name));
  PL_TRY(pl_flush_all(domain->node.pl)); /* recorded loops over pairs use the present box */
  fill_box(domain, low, high);
  return PL_SUCCESS;
}

/* Invalidates the pair maps of the domain. */
void pl_domain_destroy(pl_node *node)
{
  pl_flush_all(node->pl); /* inputs that are not computed keep the error */
  PL_EACH (pl_map, map, node->pl->maps)
    if (map->pairs && map->pairs->domain == (pl_domain *)node) map->pairs->position = NULL;
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_domain_free, pl_domain, pl_domain_destroy)

/* ---- pairs ---- */

static pl_err new_pairs(pl_map *map)
{
  pl_context *pl = map->node.pl;
  pl_pairs *pairs = pl_calloc(pl, 1, sizeof *pairs);
  if (!pairs) return pl_fail_memory(pl, sizeof *pairs);
  pairs->set = pl_node_new(pl, &pl->sets, sizeof *pairs->set, map->node.name);
  if (!pairs->set) return pl_free(pl, pairs), PL_ERR_MEMORY;
  pairs->set->node.internal = true;
  memcpy(pairs->set->end, map->from->end, sizeof pairs->set->end);
  pairs->set->pairs = map;
  map->pairs = pairs;
  return PL_SUCCESS;
}

/* The pairs of a ragged map or pair map, created on first use. */
static pl_err get_pairs(pl_map *map, pl_pairs **pairs)
{
  if (!map->pairs) PL_TRY(new_pairs(map));
  *pairs = map->pairs;
  return PL_SUCCESS;
}

static void destroy_pairs(pl_map *map)
{
  pl_context *pl = map->node.pl;
  pl_pairs *pairs = map->pairs;
  if (!pairs) return;
  pl_set_destroy(&pairs->set->node);
  if (pairs->device) pl->backend->pairs->free(pl, pairs);
  const pl_pairs_list *list = &pairs->list;
  pl_free_arrays(pl, list->owner, list->image, list->offset, list->entry, list->anchor, list->record,
                 list->bins[0], list->bins[1], list->bins[2]);
  pl_array_pool_free(pl, &pairs->pool);
  pl_free(pl, pairs);
}

int64_t pl_pairs_entries(const pl_pairs *pairs, int begin, int end)
{
  int64_t sum = 0;
  for (int i = begin; i < end; i++) sum += pl_pairs_row(pairs, i);
  return sum;
}

bool pl_pairs_apart(const pl_pairs *pairs)
{
  return pairs->width * (int)pl_type_size(pairs->position->type) > PL_PAIR_LOAD;
}

void *pl_pairs_cutoff(const pl_pairs *pairs)
{
  size_t values = ((size_t)pairs->nrecords + (size_t)pairs->lanes) * (size_t)pairs->width;
  return (char *)pairs->list.record + values * pl_type_size(pairs->position->type);
}

/* Invalidates the pair maps of positions that are freed. */
static void forget_positions(pl_context *pl, const pl_dat *dat)
{
  PL_EACH (pl_map, map, pl->maps)
    if (map->pairs && map->pairs->position == dat) map->pairs->position = NULL;
}

/* ---- pair maps ---- */

/* An axis may be as long as cutoff + skin, up to rounding. */
pl_err pl_pairs_check_box(const char *name, const pl_pairs *pairs)
{
  const pl_domain *domain = pairs->domain;
  const double reach = pairs->cutoff + pairs->skin;
  for (int a = 0; domain && a < domain->dim; a++) {
    double length = domain->high[a] - domain->low[a];
    if (domain->periodic[a] && (length < 2 * pairs->cutoff || length * (1 + 1e-12) < reach))
      return pl_fail(domain->node.pl, PL_ERR_RANGE,
                     "pair map \"%s\": axis %d of domain \"%s\" is %.14g long, but periodic; with cutoff %g "
                     "and skin %g it must be at least %.14g",
                     name, a, domain->node.name, length, pairs->cutoff, pairs->skin,
                     fmax(2 * pairs->cutoff, reach));
  }
  return PL_SUCCESS;
}

static pl_err check_pair_map(const pl_dat *position, const pl_domain *domain, double cutoff, double skin,
                             const char *name)
{
  pl_context *pl = position->node.pl;
  if (position->type != PL_DOUBLE && position->type != PL_FLOAT)
    return pl_fail(pl, PL_ERR_TYPE,
                   "pair map \"%s\": positions in dat \"%s\" are %s; they must be double or float", name,
                   position->node.name, pl_type_name(position->type));
  if (position->dim < 1 || position->dim > PL_PAIR_AXES)
    return pl_fail(pl, PL_ERR_RANGE,
                   "pair map \"%s\": positions in dat \"%s\" have dim %d; they have 1 to %d axes", name,
                   position->node.name, position->dim, PL_PAIR_AXES);
  if (domain && domain->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "pair map \"%s\": its domain belongs to another context", name);
  if (domain && domain->dim != position->dim)
    return pl_fail(pl, PL_ERR_RANGE, "pair map \"%s\": domain \"%s\" has %d axes, but dat \"%s\" has dim %d",
                   name, domain->node.name, domain->dim, position->node.name, position->dim);
  if (!(cutoff > 0) || !(skin >= 0 && isfinite(skin)))
    return pl_fail(pl, PL_ERR_RANGE,
                   "pair map \"%s\": cutoff %g, skin %g; the cutoff must be above 0, the skin 0 or more",
                   name, cutoff, skin);
  for (int a = 0; isinf(cutoff) && domain && a < domain->dim; a++)
    if (domain->periodic[a])
      return pl_fail(
        pl, PL_ERR_RANGE,
        "pair map \"%s\": an infinite cutoff, but domain \"%s\" is periodic; give a cutoff of at most half "
        "its length",
        name, domain->node.name);
  return pl_pairs_check_box(name, &(pl_pairs){.domain = (pl_domain *)domain, .cutoff = cutoff, .skin = skin});
}

pl_err pl_decl_pair_map(pl_dat *position, pl_domain *domain, double cutoff, double skin, const char *name,
                        pl_map **result)
{
  if (!name) name = "(unnamed)";
  PL_TRY(PL_GIVEN_FOR(pl_context_of(position), "pl_decl_pair_map", name, position, result));
  PL_TRY(check_pair_map(position, domain, cutoff, skin, name));
  pl_map *map;
  PL_TRY(pl_map_new(position->set, position->set, NULL, NULL, name, &map));
  pl_err err = new_pairs(map);
  if (err) return pl_map_destroy(&map->node), err;
  map->pair_map = true;
  *map->pairs = (pl_pairs){.set = map->pairs->set,
                           .position = position,
                           .domain = domain,
                           .cutoff = cutoff,
                           .skin = skin,
                           .all_pairs = isinf(cutoff),
                           .dim = position->dim,
                           .width = position->dim == 3 ? 4 : position->dim,
                           .lanes = position->type == PL_DOUBLE ? 8 : 16};
  *result = map;
  return PL_SUCCESS;
}

pl_err pl_pair_map_stats_sized(const pl_map *map, pl_pair_stats *stats, size_t size)
{
  PL_TRY(PL_GIVEN(pl_context_of(map), "pl_pair_map_stats", map, stats));
  if (!map->pair_map)
    return pl_fail(map->node.pl, PL_ERR_ARG, "pl_pair_map_stats: \"%s\" is not a pair map", map->node.name);
  PL_TRY(pl_flush_all(map->node.pl));
  const pl_pairs *pairs = map->pairs;
  pl_pair_stats own = {.builds = pairs->builds, .ghosts = pairs->nrecords - pairs->n};
  if (pairs->device && pairs->device->device_built)
    PL_TRY(map->node.pl->backend->pairs->entries(map->node.pl, pairs, &own.entries));
  else if (pairs->list.offset)
    own.entries = pl_pairs_entries(pairs, 0, pairs->n);
  pl_struct_give(stats, size, &own, sizeof own);
  return PL_SUCCESS;
}

/* ---- loops ---- */

static pl_err check_map(const pl_kernel *kernel, const pl_map *map)
{
  pl_context *pl = map->node.pl;
  if (!kernel || !kernel->name)
    return pl_fail(pl, PL_ERR_ARG, "pl_pair_loop over \"%s\": the kernel is NULL", map->node.name);
  if (!map->offset && !map->pair_map)
    return pl_fail(pl, PL_ERR_ARG,
                   "pair loop \"%s\": map \"%s\" has arity %d; pairs come from pair maps and ragged maps",
                   kernel->name, map->node.name, map->arity);
  if (map->pair_map && !map->pairs->position)
    return pl_fail(pl, PL_ERR_STATE,
                   "pair loop \"%s\": the positions or the domain of pair map \"%s\" were freed",
                   kernel->name, map->node.name);
  return PL_SUCCESS;
}

/* Loops that show the indices of other ranks' particles need them. */
static pl_err number_copies(const pl_loop *loop, const pl_map *map)
{
  if (!map->from->copies_unnumbered) return PL_SUCCESS;
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_numbered(loop, i)) return pl_halo_number(map->from);
  return PL_SUCCESS;
}

/* Whether a loop only stores sums of dats: if it runs twice, the second run has the results of one. */
static bool can_run_again(const pl_loop *loop, const pl_pairs *pairs)
{
  PL_EACH_ARG (arg, loop)
    if (arg->access != PL_READ && !arg->off && (!arg->zeroed || arg->object == pairs->position)) return false;
  return !loop->random;
}

/* A loop that can run again runs before ranks have agreed on whether a list is stale. */
static pl_err run_ahead(pl_loop *loop, pl_map *map)
{
  bool renewed = false;
  PL_TRY(pl_loop_call(loop));
  if (map->pairs->unconfirmed) PL_TRY(pl_notify_confirm_pairs(loop->pl, map, &renewed));
  return renewed ? pl_loop_call(loop) : PL_SUCCESS;
}

static bool reads_positions(const pl_loop *loop, const pl_pairs *pairs)
{
  PL_EACH_ARG (arg, loop)
    if (pl_arg_is_derived(arg) && !arg->off && arg->object == pairs->position) return true;
  return false;
}

/* On one device a loop waits for loops over its particles that become one loop with it. Not on ranks, where
 * it runs again if the list of another rank is stale. */
static bool records_pairs(const pl_map *map)
{
  const pl_context *pl = map->node.pl;
  return pl_defers(pl) && map->pair_map && pl->backend->reduces_globals && pl_ranks(pl) == 1;
}

/* The list is renewed when the loop runs; a first one now, since sizes depend on it. So is one at the
 * beginning of a chain that warms up, which makes what renewals need; later loops of it stay recorded, as
 * when they will run. */
static pl_err record_loop(pl_loop *loop, pl_map *map)
{
  pl_context *pl = loop->pl;
  const bool warms_up = pl_chain_warms_up(pl);
  map->pairs->loop_follows = !warms_up;
  if (!map->pairs->built || (warms_up && !pl->deferred.started)) {
    PL_TRY(pl_flush_all(pl));
    PL_TRY(pl_notify_refresh_pairs(pl, map));
  }
  return pl_notify_loop_called(pl, loop);
}

static pl_err run_loop(const pl_kernel *kernel, pl_map *map, int nargs, const pl_arg *args)
{
  pl_context *pl = map->node.pl;
  pl_pairs *pairs = map->pairs;
  pl_loop *loop;
  PL_TRY(pl_flush_to_write(pl)); /* the list depends on present positions */
  /* The renewal may drop the loop, so it is looked up again afterwards. */
  if (pairs->on_devices) PL_TRY(pl_loop_get(kernel, pairs->set, nargs, args, true, &loop));
  pairs->loop_follows = !pl_chain_warms_up(pl);
  pairs->ahead = pairs->on_devices && pairs->loop_follows && can_run_again(loop, pairs);
  if (map->pair_map) PL_TRY(pl_notify_refresh_pairs(pl, map));
  PL_TRY(pl_loop_get(kernel, pairs->set, nargs, args, true, &loop));
  PL_TRY(number_copies(loop, map));
  return pairs->loop_follows ? run_ahead(loop, map) : PL_SUCCESS;
}

pl_err pl_pair_loop_args(const pl_kernel *kernel, pl_map *map, int nargs, const pl_arg *args)
{
  pl_pairs *pairs;
  pl_loop *loop;
  PL_TRY_GIVEN(map);
  pl_context *pl = map->node.pl;
  PL_TRY(check_map(kernel, map));
  PL_TRY(get_pairs(map, &pairs));
  if (nargs < 1 || !args) return pl_fail(pl, PL_ERR_ARG, "loop \"%s\": it has no arguments", kernel->name);
  PL_TRY(pl_agree_on_error(pl, pl_args_check_layout(pl, kernel->name, nargs, args)));
  PL_TRY(pl_agree_on_error(pl, pl_pair_args_check(pl, kernel, map, nargs, args)));
  if (records_pairs(map)) {
    PL_TRY(pl_loop_get(kernel, pairs->set, nargs, args, false, &loop));
    if (!loop->random && reads_positions(loop, pairs)) return record_loop(loop, map);
  }
  return run_loop(kernel, map, nargs, args);
}

/* ---- events ---- */

static void forget_object(pl_context *pl, pl_object_kind kind, void *object)
{
  if (kind == PL_OBJECT_DAT) forget_positions(pl, object);
  if (kind != PL_OBJECT_MAP) return;
  destroy_pairs(object);
  pl_mover_free(object, !pl->closing);
}

const pl_observer pl_pair_observer = {.object_freed = forget_object};
