/* SPDX-License-Identifier: BSD-2-Clause
 * Several ranks: messages and their timing, halos and their verification, partial, frozen and reverse halos,
 * pending reductions, options that differ, communicators of some ranks, uneven sets, global indices above
 * 2^31. Runs alone or under mpirun.
 */
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include "core/loop/loop.h"

#include "checks.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>

#if PLAIT_HAVE_MPI
#include <mpi.h>
#endif

enum { CELLS = 120, EDGES = 300 };

/* A mesh over all ranks of a context: edges between cells; every rank computes the reference. */
typedef struct mesh {
  pl_context *pl;
  int rank, ranks;
  pl_set *cells, *edges;
  pl_map *map;
  pl_dat *x, *y, *sum;
  pl_global *total;
  int end[EDGES][2];
} mesh;

static const char *options[4] = {"backend=seq", NULL, NULL, NULL};

static int share(int n, int rank, int ranks)
{
  return (int)((int64_t)n * rank / ranks);
}

/* `base`: the first global index of the cells. */
static void open_mesh(mesh *w, const void *comm, const char *option, int64_t base)
{
  options[1] = option;
  const pl_settings settings = {.options = options, .comm = comm};
  memset(w, 0, sizeof *w);
  PL_OK(w->pl, pl_init(NULL, NULL, &settings, &w->pl));
  w->rank = pl_rank(w->pl);
  w->ranks = pl_ranks(w->pl);
  int first = share(CELLS, w->rank, w->ranks), n = share(CELLS, w->rank + 1, w->ranks) - first;
  int from = share(EDGES, w->rank, w->ranks), rows = share(EDGES, w->rank + 1, w->ranks) - from;
  double x[CELLS];
  int64_t far[2 * EDGES];
  for (int e = 0; e < EDGES; e++) {
    w->end[e][0] = e * 2 / 5;
    w->end[e][1] = (e * 2 / 5 + 1 + e % 5) % CELLS;
  }
  for (int i = 0; i < n; i++) x[i] = first + i;
  for (int i = 0; i < 2 * rows; i++) far[i] = base + w->end[from + i / 2][i % 2];
  PL_OK(w->pl, pl_decl_set(w->pl, n, "cells", &w->cells));
  PL_OK(w->pl, pl_decl_set(w->pl, rows, "edges", &w->edges));
  w->cells->first += base; /* as if earlier ranks had declared `base` cells */
  w->cells->global_size += base;
  PL_OK(w->pl, pl_decl_map_global(w->edges, w->cells, 2, far, "map", &w->map));
  PL_OK(w->pl, pl_decl_dat(w->cells, 1, PL_DOUBLE, x, "x", &w->x));
  PL_OK(w->pl, pl_decl_dat(w->cells, 2, PL_DOUBLE, NULL, "y", &w->y));
  PL_OK(w->pl, pl_decl_dat(w->cells, 1, PL_DOUBLE, NULL, "sum", &w->sum));
  PL_OK(w->pl, pl_decl_global(w->pl, 1, PL_DOUBLE, &(double){5}, "total", &w->total));
}

/* ---- loops ---- */

PL_KERNEL(spread, (const double *const x[2], double *sum[2], double *total), {
  sum[0][0] += x[1][0] + 1;
  sum[1][0] += 2 * x[0][0];
  total[0] += x[0][0];
})
PL_KERNEL(look, (const double *const x[2], const double *const y[2], double *total),
          { total[0] += x[0][0] + y[1][0] + y[1][1]; })
PL_KERNEL(see, (const double *const x[2], double *total), { total[0] += x[0][0] + x[1][0]; })
PL_KERNEL(touch, (double *x), { x[0] += 0; })
PL_KERNEL(touch_both, (double *x, double *y), {
  x[0] += 0;
  y[0] += 0;
})
PL_KERNEL(add, (const double *x, double *total, double *least), {
  total[0] += x[0];
  if (x[0] < least[0]) least[0] = x[0];
})
PL_KERNEL(sum_up, (const double *x, double *total), { total[0] += x[0]; })
PL_KERNEL(spread_to, (double *at, double *d), {
  at[0] = 1;
  d[0] += 1;
})
PL_KERNEL(number, (const int64_t *id, double *x), { x[0] = (double)*id; })

static pl_err run_spread(mesh *w)
{
  return pl_par_loop(spread, w->edges, pl_arg_dat(w->x, PL_ALL, w->map, PL_READ),
                     pl_arg_dat(w->sum, PL_ALL, w->map, PL_INC), pl_arg_gbl(w->total, PL_INC));
}

static pl_err run_look(mesh *w)
{
  return pl_par_loop(look, w->edges, pl_arg_dat(w->x, PL_ALL, w->map, PL_READ),
                     pl_arg_dat(w->y, PL_ALL, w->map, PL_READ), pl_arg_gbl(w->total, PL_INC));
}

static pl_err run_see(mesh *w, pl_set *set, pl_map *map)
{
  return pl_par_loop(see, set, pl_arg_dat(w->x, PL_ALL, map, PL_READ), pl_arg_gbl(w->total, PL_INC));
}

static pl_err run_touch(mesh *w, bool both)
{
  if (!both) return pl_par_loop(touch, w->cells, pl_arg_dat(w->x, PL_ID, PL_DIRECT, PL_RW));
  return pl_par_loop(touch_both, w->cells, pl_arg_dat(w->x, PL_ID, PL_DIRECT, PL_RW),
                     pl_arg_dat(w->y, PL_ID, PL_DIRECT, PL_RW));
}

/* The increments of the edges, `times` over. */
static void check_sums(mesh *w, int times)
{
  double expected[CELLS] = {0}, *got;
  int64_t ids[CELLS], base = w->cells->global_size - CELLS;
  for (int e = 0; e < EDGES; e++) {
    expected[w->end[e][0]] += w->end[e][1] + 1;
    expected[w->end[e][1]] += 2 * w->end[e][0];
  }
  PL_OK(w->pl, pl_set_global(w->cells, ids));
  PL_OK(w->pl, pl_dat_get(w->sum, PL_READ, (void **)&got));
  for (int i = 0; i < pl_set_size(w->cells); i++) CU_ASSERT_EQUAL(got[i], times * expected[ids[i] - base]);
  PL_OK(w->pl, pl_dat_put(w->sum));
}

static double total_of(mesh *w)
{
  double total;
  PL_OK(w->pl, pl_global_get(w->total, &total));
  return total;
}

static uint64_t messages_of(mesh *w)
{
  pl_stats stats;
  PL_OK(w->pl, pl_get_stats(w->pl, &stats));
  return stats.halo_messages;
}

/* The number of neighbours that this rank sends to. */
static uint64_t neighbours_of(const pl_halo *halo)
{
  uint64_t n = 0;
  for (int i = 0; halo && i < halo->n; i++) n += halo->send_offset[i + 1] > halo->send_offset[i];
  return n;
}

static void scatter(mesh *w, uint64_t seed)
{
  const pl_partition_options random = {.seed = seed};
  PL_OK(w->pl, pl_partition(w->cells, PL_PARTITION_RANDOM, &random));
}

/* ---- tests ---- */

/* One message per neighbour for all dats of a loop, none for clean dats. */
static void messages(void)
{
  mesh w;
  open_mesh(&w, NULL, "halo=redundant", 0);
  scatter(&w, 1);
  PL_OK(w.pl, run_look(&w));
  uint64_t each = neighbours_of(w.cells->halo);
  CU_ASSERT_EQUAL(messages_of(&w), each);
  CU_ASSERT_TRUE(w.ranks < 2 || each > 0);
  for (int i = 0; i < 3; i++) PL_OK(w.pl, run_look(&w));
  CU_ASSERT_EQUAL(messages_of(&w), each);
  PL_OK(w.pl, run_touch(&w, false));
  CU_ASSERT_EQUAL(messages_of(&w), each); /* direct WRITE and RW send nothing */
  PL_OK(w.pl, run_look(&w));
  CU_ASSERT_EQUAL(messages_of(&w), 2 * each);
  PL_OK(w.pl, run_touch(&w, true));
  PL_OK(w.pl, run_look(&w));
  CU_ASSERT_EQUAL(messages_of(&w), 3 * each);
  PL_OK(w.pl, run_spread(&w));
  CU_ASSERT_EQUAL(messages_of(&w), 3 * each); /* INC sends nothing either */
  pl_finalize(&w.pl);
}

/* The ranges that the backend runs, and the state at each call. */
static struct {
  const pl_backend *seq;
  pl_backend traced;
  mesh *w;
  uint64_t before; /* messages */
  int parts, last, seen[3];
} trace;

static pl_err run_traced(pl_context *pl, pl_loop *loop, const pl_loop_range *part)
{
  const mesh *w = trace.w;
  const bool sends = neighbours_of(w->cells->halo) > 0;
  CU_ASSERT_TRUE(part->number > trace.last);
  CU_ASSERT_EQUAL(messages_of(trace.w) > trace.before, sends); /* the halo exchange has begun */
  CU_ASSERT_EQUAL(w->x->storage.halo_stale,
                  part->number == 0); /* during the core range, complete before the others */
  CU_ASSERT_EQUAL(part->reduces, part->number < 2);
  CU_ASSERT_EQUAL(w->total->pending_reductions, 0);
  CU_ASSERT_EQUAL(part->end, loop->set->end[part->number]);
  CU_ASSERT_EQUAL(part->begin, part->number ? loop->set->end[part->number - 1] : 0);
  trace.last = part->number;
  trace.seen[part->number] = part->end - part->begin;
  trace.parts++;
  return trace.seq->run(pl, loop, part);
}

/* The halo exchange begins, the core range runs, the exchange ends, the boundary runs, then the exec halo,
 * which does not reduce. Reductions are pending after the loop. */
static void order(void)
{
  mesh w;
  open_mesh(&w, NULL, "halo=redundant", 0);
  PL_OK(w.pl, run_spread(&w));
  PL_OK(w.pl, run_touch(&w, false));
  total_of(&w);
  memset(&trace, 0, sizeof trace);
  trace.seq = w.pl->backend;
  trace.traced = *trace.seq;
  trace.traced.run = run_traced;
  trace.w = &w;
  trace.before = messages_of(&w);
  trace.last = -1;
  if (w.ranks > 1) w.pl->backend = &trace.traced;
  PL_OK(w.pl, run_spread(&w));
  w.pl->backend = trace.seq;
  const int *end = w.edges->end;
  CU_ASSERT_TRUE(w.ranks == 1 || (end[0] > 0 && end[1] > end[0] && end[2] > end[1]));
  if (w.ranks > 1) CU_ASSERT_EQUAL(trace.parts, 3);
  if (w.ranks > 1) CU_ASSERT_EQUAL(trace.seen[0] + trace.seen[1] + trace.seen[2], end[2]);
  CU_ASSERT_EQUAL(w.total->pending_reductions, w.ranks > 1);
  CU_ASSERT_EQUAL(w.sum->storage.halo_stale, true);
  check_sums(&w, 2);
  pl_finalize(&w.pl);
}

/* A refused pl_partition does not move or reorder elements. */
static void refused(void)
{
  mesh w;
  pl_set *some;
  void *view;
  int part[CELLS], size;
  open_mesh(&w, NULL, NULL, 0);
  scatter(&w, 4);
  PL_OK(w.pl, run_spread(&w));
  PL_OK(w.pl, pl_decl_subset(w.cells, 0, NULL, "some", &some));
  size = (int)pl_set_size(w.cells);
  const int *index = w.map->index;
  const uint64_t built = w.pl->stats.loops_built;
  memset(part, 0, sizeof part);
  if (w.rank == w.ranks - 1 && size) part[size - 1] = w.ranks;
  const struct {
    pl_set *set;
    pl_partition_method method;
    pl_partition_options options;
  } wrong[] = {{some, PL_PARTITION_BLOCK, {0}},
               {w.cells, (pl_partition_method)99, {0}},
               {w.cells, PL_PARTITION_CURVE, {0}},
               {w.cells, PL_PARTITION_BISECTION, {.coords = w.y, .weight = (double[CELLS]){-1}}},
               {w.cells, PL_PARTITION_KWAY, {.weight = (double[CELLS]){-1}}},
               {w.edges, PL_PARTITION_KWAY, {0}},
               {w.edges, PL_PARTITION_SCOTCH, {0}},
               {w.cells, PL_PARTITION_USER, {0}},
               {w.cells, PL_PARTITION_USER, {.part = part}}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    pl_err err = pl_partition(wrong[i].set, wrong[i].method, &wrong[i].options);
    if (!err) fprintf(stderr, "partition %zu is not refused\n", i);
    CU_ASSERT_TRUE(err != PL_SUCCESS && strlen(pl_errmsg(w.pl)) > 20);
  }
  PL_OK(w.pl, pl_dat_get(w.x, PL_RW, &view));
  pl_err err = pl_partition(w.cells, PL_PARTITION_RANDOM, NULL);
  CU_ASSERT_EQUAL(err, w.ranks > 1 ? PL_ERR_STATE : PL_SUCCESS);
  PL_OK(w.pl, pl_dat_put(w.x));
  CU_ASSERT_PTR_EQUAL(w.map->index, index);
  CU_ASSERT_EQUAL(pl_set_size(w.cells), size);
  check_sums(&w, 1);
  PL_OK(w.pl, run_spread(&w));
  check_sums(&w, 2);
  CU_ASSERT_EQUAL(w.pl->stats.loops_built, built);
  pl_finalize(&w.pl);
}

/* ---- invariants of halos (core/exchange/halo.h) ---- */

static const char *find_fault(const pl_set *set, unsigned char *seen)
{
  const pl_halo *halo = set->halo;
  int me = pl_rank(set->node.pl), last = -1;
  for (int i = 0; i < halo->n; i++) {
    if (halo->rank[i] <= last || halo->rank[i] == me) return "neighbours are not ascending ranks of others";
    last = halo->rank[i];
    if (halo->send_offset[i + 1] - halo->send_offset[i] < 0 ||
        halo->receive_offset[i + 1] - halo->receive_offset[i] < 0)
      return "offsets decrease";
    for (int k = halo->send_offset[i]; k < halo->send_offset[i + 1]; k++)
      if (halo->send[k] < 0 || halo->send[k] >= set->end[1]) return "an element is sent that is not owned";
    for (int k = halo->receive_offset[i]; k < halo->receive_offset[i + 1]; k++) {
      int e = halo->receive[k];
      if (e < set->end[1] || e >= set->end[3]) return "an element is received that is not in the halo";
      if (seen[e]++) return "an element is received twice";
    }
  }
  for (int e = set->end[1]; e < set->end[3]; e++)
    if (!seen[e]) return "an element of the halo is never received";
  return NULL;
}

/* Exchanges global indices, which must be those of the halo. */
static const char *compare_sides(pl_set *set, int64_t *ids)
{
  size_t owned = (size_t)set->end[1], total = (size_t)set->end[3];
  if (owned) memcpy(ids, set->global, owned * sizeof *ids);
  if (pl_halo_copy(set, sizeof *ids, ids)) return "messages failed";
  bool same = total == owned || !memcmp(ids + owned, set->global + owned, (total - owned) * sizeof *ids);
  return same ? NULL : "both sides of a neighbourhood list different elements";
}

static bool halo_is_valid(pl_set *set, const char **why)
{
  pl_context *pl = set->node.pl;
  if (!set->halo) return true;
  unsigned char *seen = pl_calloc(pl, (size_t)set->end[3] + 1, 1);
  int64_t *ids = pl_calloc(pl, (size_t)set->end[3] + 1, sizeof *ids);
  *why = seen && ids ? find_fault(set, seen) : "cannot be checked: out of memory";
  if (pl_agree(pl, *why ? PL_ERR_CHECK : PL_SUCCESS) == PL_SUCCESS)
    *why = compare_sides(set, ids);
  else if (!*why)
    *why = "it is wrong on another rank";
  pl_free(pl, seen);
  pl_free(pl, ids);
  return !*why;
}

static void checker(void)
{
  mesh w;
  const char *why = "";
  open_mesh(&w, NULL, NULL, 0);
  scatter(&w, 2);
  PL_OK(w.pl, run_look(&w));
  CU_ASSERT_TRUE(halo_is_valid(w.cells, &why));
  CU_ASSERT_TRUE(halo_is_valid(w.edges, &why));
  pl_halo *halo = w.cells->halo;
  bool mine = w.rank == 0 && halo && halo->send_offset[halo->n] > 1;
  int *list[] = {halo ? halo->send : NULL, halo ? halo->receive : NULL};
  for (int wrong = 0; w.ranks > 1 && wrong < 4; wrong++) {
    int *at = wrong < 2 ? list[0] : list[1], kept[2] = {at[0], at[1]};
    if (mine && wrong == 0) at[0] = at[1], at[1] = kept[0]; /* another order than on the neighbour */
    if (mine && wrong == 1) at[0] = w.cells->end[1];        /* not owned */
    if (mine && wrong == 2) at[0] = at[1];                  /* twice */
    if (mine && wrong == 3) at[0] = 0;                      /* not in the halo */
    int32_t bad = !halo_is_valid(w.cells, &why);
    PL_OK(w.pl, pl_comm_reduce(w.pl, PL_INT32, PL_MAX, &bad, 1)); /* one of the two ranks detects it */
    CU_ASSERT_TRUE(bad);
    memcpy(at, kept, sizeof kept);
  }
  CU_ASSERT_TRUE(halo_is_valid(w.cells, &why));
  pl_finalize(&w.pl);
}

/* A map from few elements exchanges only the elements that it reaches. */
static void partial(void)
{
  mesh w;
  pl_set *few;
  pl_map *some;
  pl_stats stats[2];
  open_mesh(&w, NULL, NULL, 0);
  int64_t ends[2] = {0, CELLS - 1};
  PL_OK(w.pl, pl_decl_set(w.pl, w.rank == 0, "few", &few));
  PL_OK(w.pl, pl_decl_map_global(few, w.cells, 2, ends, "some", &some));
  PL_OK(w.pl, run_see(&w, few, some));
  PL_OK(w.pl, pl_get_stats(w.pl, &stats[0]));
  const pl_halo *part = some->halo, *whole = w.cells->halo;
  CU_ASSERT_EQUAL(part != NULL, w.ranks > 1);
  CU_ASSERT_PTR_NULL(w.map->halo);
  int expected = w.ranks > 1 && (w.rank == 0 || w.rank == w.ranks - 1); /* both ranks may run the element */
  CU_ASSERT_EQUAL(stats[0].halo_messages, (uint64_t)expected);
  CU_ASSERT_EQUAL(stats[0].halo_bytes, sizeof(double) * (size_t)expected);
  CU_ASSERT_EQUAL(total_of(&w), 5 + CELLS - 1);
  PL_OK(w.pl, run_see(&w, few, some)); /* clean for this map */
  CU_ASSERT_EQUAL(messages_of(&w), (uint64_t)expected);
  PL_OK(w.pl, run_see(&w, w.edges, w.map)); /* this loop reads the whole halo */
  PL_OK(w.pl, pl_get_stats(w.pl, &stats[1]));
  CU_ASSERT_EQUAL(stats[1].halo_messages - stats[0].halo_messages, neighbours_of(whole));
  PL_OK(w.pl, run_see(&w, few, some));
  CU_ASSERT_EQUAL(messages_of(&w), stats[1].halo_messages);
  PL_OK(w.pl, run_touch(&w, false));
  PL_OK(w.pl, run_see(&w, few, some));
  CU_ASSERT_EQUAL(messages_of(&w), stats[1].halo_messages + (uint64_t)expected);
  PL_OK(w.pl, pl_renumber(w.pl, PL_RENUMBER_RCM, w.map, NULL)); /* halo lists are renumbered too */
  PL_OK(w.pl, run_touch(&w, false));
  double before = total_of(&w);
  PL_OK(w.pl, run_see(&w, few, some));
  CU_ASSERT_EQUAL(total_of(&w), before + CELLS - 1);
  scatter(&w, 3);
  PL_OK(w.pl, run_see(&w, few, some));
  CU_ASSERT_EQUAL(total_of(&w), before + 2 * (CELLS - 1));
  pl_finalize(&w.pl);
}

static void frozen(void)
{
  mesh w;
  open_mesh(&w, NULL, NULL, 0);
  PL_OK(w.pl, pl_dat_freeze_halo(w.x, PL_READ));
  uint64_t before = messages_of(&w);
  CU_ASSERT_EQUAL(before, neighbours_of(w.cells->halo));
  CU_ASSERT_EQUAL(pl_dat_freeze_halo(w.x, PL_READ), PL_ERR_STATE);
  FAILS_IN(w.pl, run_touch(&w, false), PL_ERR_STATE, "pl_dat_unfreeze_halo");
  w.x->storage.halo_stale = w.ranks > 1; /* as if the owners had changed it */
  w.x->version++;
  PL_OK(w.pl, run_see(&w, w.edges, w.map));
  CU_ASSERT_EQUAL(messages_of(&w), before);
  PL_OK(w.pl, pl_dat_unfreeze_halo(w.x));
  PL_OK(w.pl, run_see(&w, w.edges, w.map));
  CU_ASSERT_EQUAL(messages_of(&w), 2 * before);
  PL_OK(w.pl, pl_dat_freeze_halo(w.sum, PL_INC));
  for (int i = 0; i < 3; i++) PL_OK(w.pl, run_spread(&w));
  CU_ASSERT_EQUAL(messages_of(&w), 2 * before);
  PL_OK(w.pl, pl_dat_unfreeze_halo(w.sum));
  check_sums(&w, 3);
  pl_finalize(&w.pl);
}

/* The same sums with redundant execution and with the reverse exchange, which sends one message per
 * neighbour. */
static void reversed(void)
{
  static const char *const ways[] = {"halo=redundant", "halo=reverse", "halo=auto"};
  for (int way = 0; way < 3; way++)
    for (uint64_t seed = 0; seed < 3; seed++) {
      mesh w;
      open_mesh(&w, NULL, ways[way], 0);
      if (seed) scatter(&w, seed);
      PL_OK(w.pl, run_touch(&w, false));
      PL_OK(w.pl, run_see(&w, w.edges, w.map));
      uint64_t before = messages_of(&w), back = 0;
      const pl_halo *halo = w.cells->halo;
      for (int i = 0; halo && i < halo->n; i++) back += halo->receive_offset[i + 1] > halo->receive_offset[i];
      for (int i = 0; i < 2; i++) PL_OK(w.pl, run_spread(&w));
      if (way < 2) CU_ASSERT_EQUAL(messages_of(&w) - before, way ? 2 * back : 0);
      check_sums(&w, 2);
      pl_finalize(&w.pl);
    }
}

static pl_err run_add(mesh *w, pl_global *least)
{
  return pl_par_loop(add, w->cells, pl_arg_dat(w->x, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(w->total, PL_INC),
                     pl_arg_gbl(least, PL_MIN));
}

/* Reductions are pending after a loop, several of one global too; each initial value counts once. A rank may
 * read the result while others run loops that need its halo. An overwritten result is not reduced. */
static void reductions(void)
{
  mesh w;
  pl_global *least;
  double value;
  open_mesh(&w, NULL, NULL, 0);
  PL_OK(w.pl, pl_decl_global(w.pl, 1, PL_DOUBLE, &(double){-3}, "least", &least));
  const int sum = CELLS * (CELLS - 1) / 2;
  for (int i = 1; i <= 40; i++) {
    PL_OK(w.pl, run_add(&w, least));
    CU_ASSERT(w.ranks == 1 || w.total->pending_reductions > 0);
    if (i % 40 > 2) continue; /* more than can be pending */
    CU_ASSERT_EQUAL(total_of(&w), 5 + i * sum);
    CU_ASSERT_EQUAL(w.total->pending_reductions, 0);
  }
  for (int i = 0; i < 20; i++) {
    PL_OK(w.pl, pl_global_zero(w.total));
    CU_ASSERT_EQUAL(w.total->pending_reductions, 0);
    PL_OK(w.pl, run_add(&w, least));
    if (i == w.rank % 3) CU_ASSERT_EQUAL(total_of(&w), sum);
    PL_OK(w.pl, run_touch(&w, false));
    PL_OK(w.pl, run_see(&w, w.edges, w.map));
  }
  PL_OK(w.pl, pl_global_get(least, &value));
  CU_ASSERT_EQUAL(value, -3);
  pl_finalize(&w.pl);
}

/* One rank fails while the others start a reduction: both collectives must be told apart. */
static void parted(void)
{
  mesh w;
  pl_global *least;
  open_mesh(&w, NULL, NULL, 0);
  PL_OK(w.pl, pl_decl_global(w.pl, 1, PL_DOUBLE, NULL, "least", &least));
  PL_OK(w.pl, run_add(&w, least));
  bool fails = w.ranks > 1 && w.rank == 1;
  pl_err err = fails ? pl_fail(w.pl, PL_ERR_STATE, "this rank alone") : run_add(&w, least);
  err = pl_agree(w.pl, err);
  CU_ASSERT_EQUAL(err, w.ranks > 1 ? PL_ERR_STATE : PL_SUCCESS);
  if (err) CONTAINS(pl_errmsg(w.pl), "this rank alone");
  if (err) CU_ASSERT_EQUAL(run_add(&w, least), PL_ERR_STATE);
  pl_finalize(&w.pl);
}

/* On several ranks an error that names both calls, without effect; on one rank an ordinary call. */
static void check_differs(mesh *w, pl_err err, const char *mine, const char *first)
{
  CU_ASSERT_EQUAL(err, w->ranks > 1 ? PL_ERR_ARG : PL_SUCCESS);
  if (!err) return;
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(w->pl), w->rank == 1 ? mine : first));
  CONTAINS(pl_errmsg(w->pl), first);
}

/* Rank 1 makes calls that differ from those of all others. */
static void different(void)
{
  mesh w;
  pl_set *set;
  pl_dat *dat;
  pl_map *map;
  pl_global *global;
  const int zeros[EDGES + 1] = {0};
  double imbalance;
  open_mesh(&w, NULL, NULL, 0);
  bool other = w.rank == 1;
  check_differs(&w, pl_decl_set(w.pl, 3, other ? "b" : "a", &set), "set \"b\"", "set \"a\"");
  check_differs(&w, pl_decl_dat(w.cells, other ? 3 : 2, PL_DOUBLE, NULL, "d", &dat), "double of dim 3",
                "double of dim 2");
  check_differs(&w, pl_decl_dat(w.cells, 2, other ? PL_FLOAT : PL_INT32, NULL, "d", &dat), "float of dim 2",
                "int32_t of dim 2");
  check_differs(&w, pl_decl_dat(other ? w.edges : w.cells, 1, PL_DOUBLE, NULL, "d", &dat), "on \"edges\"",
                "on \"cells\"");
  check_differs(&w, pl_decl_map(w.edges, w.cells, other ? 2 : 1, NULL, "m", &map), "arity 2", "arity 1");
  check_differs(&w,
                other ? pl_decl_map_ragged(w.edges, w.cells, zeros, zeros, "m", &map)
                      : pl_decl_map(w.edges, w.edges, 1, NULL, "m", &map),
                "ragged map \"m\"", "map \"m\" from \"edges\" to \"edges\"");
  check_differs(&w, run_touch(&w, other), "touch_both", "loop \"touch\" over \"cells\": x RW");
  check_differs(&w, pl_decl_global(w.pl, other ? 2 : 1, PL_DOUBLE, NULL, "g", &global),
                "global \"g\", double of dim 2", "global \"g\", double of dim 1");
  PL_OK(w.pl, pl_decl_global(w.pl, 1, PL_DOUBLE, NULL, "g", &global));
  check_differs(&w,
                pl_par_loop(see, w.edges, pl_arg_dat(w.x, PL_ALL, w.map, PL_READ),
                            pl_arg_gbl(other ? global : w.total, PL_INC)),
                "g INC (double of dim 1)", "total INC (double of dim 1)");
  check_differs(&w, pl_decl_const(w.pl, "k", other ? 2 : 1, PL_DOUBLE, (double[]){1, 2}, NULL),
                "double of dim 2", "const \"k\", double of dim 1");
  check_differs(&w, pl_set_option(w.pl, other ? "shape" : "conflict", "auto"), "\"shape\"", "\"conflict\"");
  check_differs(&w, other ? pl_set_imbalance(w.cells, &imbalance) : pl_map_invert(w.map, "back", &map),
                "pl_set_imbalance of \"cells\"", "pl_map_invert of \"map\"");
  PL_OK(w.pl, pl_decl_dat(w.cells, 2, PL_DOUBLE, NULL, "d", &dat));
  PL_OK(w.pl, run_touch(&w, true));
  pl_finalize(&w.pl);
}

/* Rank 1 makes invalid calls: an error on all ranks, without effect. */
static void wrong(void)
{
  mesh w;
  pl_global *global;
  const char *value;
  open_mesh(&w, NULL, NULL, 0);
  bool bad = w.rank == 1 || w.ranks == 1;
  FAILS_IN(w.pl, pl_decl_global(w.pl, bad ? 0 : 1, PL_DOUBLE, NULL, "g", &global), PL_ERR_RANGE,
           "dim 0 is less than 1");
  FAILS_IN(w.pl, pl_decl_const(w.pl, bad ? "no name" : "k", 1, PL_DOUBLE, &(double){1}, NULL), PL_ERR_ARG,
           "C identifier");
  FAILS_IN(w.pl, pl_set_option(w.pl, "shape", bad ? "oval" : "scalar"), PL_ERR_OPTION, "oval");
  PL_OK(w.pl, pl_get_option(w.pl, "shape", &value));
  CU_ASSERT_STRING_EQUAL(value, "auto");
  PL_OK(w.pl, pl_decl_const(w.pl, "k", 1, PL_DOUBLE, &(double){1}, NULL));
  PL_OK(w.pl, run_touch(&w, true));
  pl_finalize(&w.pl);
}

/* Elements keep their global indices and declaration order under any distribution and order. */
static void numbers(void)
{
  static const char *const orders[] = {"renumber=off", "renumber=rcm"};
  static const int64_t bases[] = {0, INT64_C(5) << 31};
  for (int o = 0; o < 4; o++) {
    mesh w;
    double values[CELLS];
    int64_t base = bases[o / 2];
    open_mesh(&w, NULL, orders[o % 2], base);
    scatter(&w, 7);
    PL_OK(w.pl, run_spread(&w));
    PL_OK(w.pl, pl_par_loop(number, w.cells, pl_arg_idx(PL_ID, PL_DIRECT),
                            pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_WRITE)));
    int declared = share(CELLS, w.rank + 1, w.ranks) - share(CELLS, w.rank, w.ranks);
    PL_OK(w.pl, pl_dat_fetch(w.x, values));
    if (w.ranks > 1)
      for (int i = 0; i < declared; i++)
        CU_ASSERT_EQUAL(values[i], (double)(base + share(CELLS, w.rank, w.ranks) + i));
    if (w.ranks > 1) check_sums(&w, 1);
    pl_finalize(&w.pl);
    if (w.ranks == 1 && o == 1) break; /* on one rank indices begin at 0 */
  }
}

/* More ranks than elements, ranks that own nothing, a set on one rank, an empty one. */
static void uneven(void)
{
  mesh w;
  pl_set *few, *lonely, *none;
  pl_map *map, *nowhere;
  pl_dat *d, *at;
  int64_t back[9], far[9];
  open_mesh(&w, NULL, NULL, 0);
  bool last = w.rank == w.ranks - 1;
  int n = last ? 9 : 0;
  for (int i = 0; i < 9; i++) {
    far[i] = i % 2;
    back[i] = i;
  }
  PL_OK(w.pl, pl_decl_set(w.pl, w.rank < 2 ? w.ranks == 1 ? 2 : 1 : 0, "few", &few));
  PL_OK(w.pl, pl_decl_set(w.pl, n, "lonely", &lonely));
  PL_OK(w.pl, pl_decl_set(w.pl, 0, "none", &none));
  PL_OK(w.pl, pl_decl_map_global(lonely, few, 1, far, "map", &map));
  PL_OK(w.pl, pl_decl_map_global(none, lonely, 1, back, "nowhere", &nowhere));
  PL_OK(w.pl, pl_decl_dat(few, 1, PL_DOUBLE, NULL, "d", &d));
  PL_OK(w.pl, pl_decl_dat(lonely, 1, PL_DOUBLE, NULL, "at", &at));
  for (int method = PL_PARTITION_BLOCK; method <= PL_PARTITION_RANDOM; method++) {
    PL_OK(w.pl, pl_par_loop(spread_to, lonely, pl_arg_dat(at, PL_ID, PL_DIRECT, PL_WRITE),
                            pl_arg_dat(d, 0, map, PL_INC)));
    PL_OK(w.pl, pl_par_loop(touch, none, pl_arg_dat(at, 0, nowhere, PL_RW)));
    PL_OK(w.pl, pl_global_set(w.total, &(double){0}));
    PL_OK(w.pl,
          pl_par_loop(sum_up, few, pl_arg_dat(d, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(w.total, PL_INC)));
    CU_ASSERT_EQUAL(total_of(&w), 9 * (method + 1));
    PL_OK(w.pl, pl_partition(few, (pl_partition_method)method, NULL));
  }
  pl_finalize(&w.pl);
}

PL_KERNEL(read_far, (const double *x, double *to), { *to = *x; })

/* What rank 0 reads through `map` of a dat, read before so that its halo was fresh. */
static void check_reads(mesh *w, pl_set *edges, pl_map *map, pl_dat *from, pl_dat *to, double shift)
{
  double values[2] = {0};
  PL_OK(w->pl, pl_par_loop(read_far, edges, pl_arg_dat(from, 0, map, PL_READ), pl_arg_direct(to, PL_WRITE)));
  PL_OK(w->pl, pl_dat_fetch(to, values));
  for (int i = 0; i < 2 && !w->rank; i++) CU_ASSERT_EQUAL(values[i], 2 * (w->ranks - 1) + i + shift);
  PL_OK(w->pl, pl_dat_zero(to));
}

/* A rank whose elements others read, but which reads none of theirs: every operation that writes a dat must
 * mark the halo copies on all ranks. */
static void one_sided(void)
{
  mesh w;
  pl_set *cells, *edges;
  pl_map *map;
  pl_dat *x, *y, *far, *order, *flag;
  int64_t count;
  open_mesh(&w, NULL, NULL, 0);
  const int last = 2 * (w.ranks - 1), ends[2] = {last, last + 1};
  const double values[2] = {2 * w.rank, 2 * w.rank + 1}, more[2] = {values[0] + 100, values[1] + 100};
  const int32_t ones[2] = {1, 1}, places[2] = {0, 1};
  PL_OK(w.pl, pl_decl_set(w.pl, 2, "pairs", &cells));
  PL_OK(w.pl, pl_decl_set(w.pl, w.rank ? 0 : 2, "readers", &edges));
  PL_OK(w.pl, pl_decl_map(edges, cells, 1, w.rank ? NULL : ends, "far", &map));
  PL_OK(w.pl, pl_decl_dat(cells, 1, PL_DOUBLE, values, "x", &x));
  PL_OK(w.pl, pl_decl_dat(cells, 1, PL_DOUBLE, more, "y", &y));
  PL_OK(w.pl, pl_decl_dat(cells, 1, PL_INT32, places, "order", &order));
  PL_OK(w.pl, pl_decl_dat(cells, 1, PL_INT32, ones, "flag", &flag));
  PL_OK(w.pl, pl_decl_dat(edges, 1, PL_DOUBLE, NULL, "values", &far));
  check_reads(&w, edges, map, x, far, 0);
  PL_OK(w.pl, pl_take(order, y, x));
  check_reads(&w, edges, map, x, far, 100);
  PL_OK(w.pl, pl_dat_axpy(1, y, x));
  PL_OK(w.pl, pl_dat_axpy(-1, y, x));
  PL_OK(w.pl, pl_align(order, 1, &x));
  check_reads(&w, edges, map, x, far, 100);
  PL_OK(w.pl, pl_dat_aypx(0, x, y)); /* fresh copies of y ... */
  PL_OK(w.pl, pl_select(flag, order, &count));
  PL_OK(w.pl, pl_sort(y, 0, 1, &x));
  check_reads(&w, edges, map, y, far, 100);
  PL_OK(w.pl, pl_dat_copy(x, y));
  check_reads(&w, edges, map, y, far, 100);
  pl_finalize(&w.pl);
}

#if PLAIT_HAVE_MPI
/* Two contexts on two groups of ranks at once, and one on each rank alone. */
static void split(void)
{
  int running, rank;
  MPI_Comm part, self;
  mesh w, alone;
  MPI_Initialized(&running);
  if (!running) return;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &self);
  open_mesh(&alone, &self, NULL, 0);
  open_mesh(&w, &part, NULL, 0);
  CU_ASSERT_EQUAL(alone.ranks, 1);
  scatter(&w, (uint64_t)rank % 2);
  for (int i = 0; i < 3 + rank % 2; i++) {
    PL_OK(w.pl, run_spread(&w));
    PL_OK(alone.pl, run_spread(&alone));
  }
  check_sums(&w, 3 + rank % 2);
  check_sums(&alone, 3 + rank % 2);
  CU_ASSERT_EQUAL(total_of(&w), total_of(&alone));
  pl_finalize(&w.pl);
  pl_finalize(&alone.pl);
  MPI_Comm_free(&part);
  MPI_Comm_free(&self);
}
#endif

/* An option of one rank's environment, or of a call, that all must share: all fail and name it. */
static void other_options(void)
{
  static const char *const options[][3] = {{"PLAIT_LAZY", "1", "lazy"},
                                           {"PLAIT_CHECK", "on", "check"},
                                           {"PLAIT_HALO", "reverse", "halo"},
                                           {"PLAIT_RENUMBER", "off", "renumber"},
                                           {"PLAIT_PROFILE", "x.csv", "profile"},
                                           {"PLAIT_PRECISION", "single", "precision"},
                                           {"PLAIT_REPRODUCIBLE", "1", "reproducible"},
                                           {"PLAIT_MPI", "off", "mpi"}};
  mesh w;
  open_mesh(&w, NULL, NULL, 0);
  const bool last = w.rank == w.ranks - 1, several = w.ranks > 1;
  if (several) FAILS_IN(w.pl, pl_set_option(w.pl, "lazy", last ? "1" : "0"), PL_ERR_ARG, "\"lazy\"");
  PL_OK(w.pl, pl_set_option(w.pl, "check", last ? "1" : "on"));
  PL_OK(w.pl, pl_set_option(w.pl, "tile", last ? "10" : "20")); /* may differ */
  pl_finalize(&w.pl);
  for (size_t i = 0; several && i < sizeof options / sizeof *options; i++) {
    pl_context *pl;
    if (last) setenv(options[i][0], options[i][1], 1);
    FAILS(pl_init(NULL, NULL, NULL, &pl), PL_ERR_OPTION, options[i][2]);
    CONTAINS(pl_errmsg(pl), "on all ranks");
    pl_finalize(&pl);
    unsetenv(options[i][0]);
  }
  setenv("PLAIT_MPI", "off", 1); /* of all ranks: each runs alone */
  open_mesh(&w, NULL, NULL, 0);
  CU_ASSERT_EQUAL(w.ranks, 1);
  pl_finalize(&w.pl);
  unsetenv("PLAIT_MPI");
}

static CU_TestInfo tests[] = {
  {"one message per neighbour", messages},
  {"the order of a loop", order},
  {"partitions that are refused", refused},
  {"verification of halos", checker},
  {"partial halos", partial},
  {"frozen halos", frozen},
  {"reverse exchange of increments", reversed},
  {"pending reductions", reductions},
  {"a failure during a reduction", parted},
  {"ranks that make different calls", different},
  {"invalid calls on one rank", wrong},
  {"options that differ between ranks", other_options},
  {"global indices, above 2^31 too", numbers},
  {"few elements, many ranks", uneven},
  {"halo copies read by one rank only", one_sided},
#if PLAIT_HAVE_MPI
  {"communicators of some ranks", split},
#endif
  CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
#if PLAIT_HAVE_MPI
  bool ours = argc > 1 && !strcmp(argv[1], "mpi"); /* initialised by the program, not by the library */
  if (ours) MPI_Init(&argc, &argv);
#endif
  const int result = suite_run("ranks", tests);
#if PLAIT_HAVE_MPI
  if (ours) MPI_Finalize();
#endif
  (void)argc, (void)argv;
  return result;
}
