/* SPDX-License-Identifier: BSD-2-Clause
 * Helpers for tests of the planner: sets and maps, random meshes and requests, plans that are verified.
 */
#ifndef PLAIT_TESTS_PLAN_MESHES_H
#define PLAIT_TESTS_PLAN_MESHES_H

#include "core/data/objects.h"
#include "plan/execution/plan_cache.h"
#include "plan/execution/plan_verify.h"
#include "fake_backend.h"
#include "random.h"
#include "suite.h"
#include <limits.h>

/* ---- declarations and requests ---- */

static inline pl_set *make_set(pl_context *pl, int n)
{
  pl_set *set = NULL;
  OK(pl_decl_set(pl, n, "set", &set));
  return set;
}

static inline pl_map *make_map(pl_set *from, pl_set *to, int arity, const int *indices)
{
  pl_map *map = NULL;
  OK(pl_decl_map(from, to, arity, indices, "map", &map));
  return map;
}

/* A request for the whole range of a set. */
static inline pl_plan_request whole(pl_set *set, int nconflict, const pl_reach *conflict)
{
  return (pl_plan_request){.set = set, .end = set->end[3], .nconflict = nconflict, .conflict = conflict};
}

/* Verified plans and thread partitions. */
static inline const pl_plan *get_plan(const pl_plan_request *request)
{
  const pl_plan *plan = NULL;
  char why[256] = "";
  OK(pl_plan_get(request->set->node.pl, request, &plan));
  bool valid = pl_plan_is_valid(request, plan, why, sizeof why);
  if (!valid) fprintf(stderr, "plan: %s\n", why);
  CU_ASSERT_TRUE_FATAL(valid);
  return plan;
}

static inline const pl_thread_partition *get_split(const pl_plan_request *request, int nthreads)
{
  const pl_thread_partition *split = NULL;
  char why[256] = "";
  OK(pl_thread_partition_get(request->set->node.pl, request, nthreads, &split));
  bool valid = pl_thread_partition_is_valid(request, split, why, sizeof why);
  if (!valid) fprintf(stderr, "split: %s\n", why);
  CU_ASSERT_TRUE_FATAL(valid);
  return split;
}

/* ---- random numbers and meshes ---- */

enum { MAX_MAPS = 4, MAX_REACHES = 6 };

typedef struct mesh {
  pl_context *pl;
  pl_set *set, *subset, *to[2];
  pl_map *map[MAX_MAPS];
  int nmaps;
} mesh;

static inline pl_map *random_map(seed *s, pl_set *from, pl_set *to)
{
  int arity = 1 + below(s, 8), n = from->end[3], targets = to->end[3], holes = below(s, 3),
      near = below(s, 2);
  int *index = calloc((size_t)n * (size_t)arity + 1, sizeof *index);
  CU_ASSERT_PTR_NOT_NULL_FATAL(index);
  for (int i = 0; i < n * arity; i++) {
    index[i] = near ? (i / arity + below(s, 5)) % targets : below(s, targets);
    if (holes && !below(s, 4 * holes)) index[i] = -1 - below(s, 3);
  }
  pl_map *map = make_map(from, to, arity, index);
  free(index);
  return map;
}

static inline mesh random_mesh(seed *s, int most)
{
  mesh m = {.pl = open_context(), .nmaps = 1 + below(s, MAX_MAPS)};
  m.set = make_set(m.pl, below(s, most));
  for (int i = 0; i < 2; i++) m.to[i] = make_set(m.pl, 1 + below(s, below(s, 3) ? most : 4));
  for (int i = 0; i < m.nmaps; i++) m.map[i] = random_map(s, m.set, m.to[below(s, 2)]);
  int n = m.set->end[3], *members = calloc((size_t)n + 1, sizeof *members), count = 0;
  CU_ASSERT_PTR_NOT_NULL_FATAL(members);
  for (int i = 0; i < n; i++)
    if (below(s, 2)) members[count++] = i;
  OK(pl_decl_subset(m.set, count, members, "subset", &m.subset));
  free(members);
  return m;
}

static inline pl_reach random_reach(seed *s, const mesh *m, bool mapped)
{
  const pl_map *map = m->map[below(s, m->nmaps)];
  if (!mapped && !below(s, 8)) return (pl_reach){NULL, PL_ID, below(s, 3)};
  return (pl_reach){map, below(s, 2) ? PL_ALL : below(s, map->arity), below(s, 3)};
}

static inline pl_plan_request random_request(seed *s, const mesh *m, pl_reach *conflict, pl_reach *stage)
{
  static const int sizes[] = {0, 1, 2, 7, 40, 100, 1000, INT_MAX};
  pl_plan_request request = {.set = below(s, 3) ? m->set : m->subset,
                             .block_size = sizes[below(s, 8)],
                             .nconflict = below(s, MAX_REACHES),
                             .conflict = conflict,
                             .nstage = below(s, 3),
                             .stage = stage,
                             .element_colours = below(s, 2)};
  int n = request.set->end[3];
  request.begin = below(s, 2) ? 0 : below(s, n + 1);
  request.end = below(s, 2) ? n : request.begin + below(s, n - request.begin + 1);
  for (int i = 0; i < request.nconflict; i++) conflict[i] = random_reach(s, m, false);
  for (int i = 0; i < request.nstage; i++) stage[i] = random_reach(s, m, true);
  return request;
}

#endif
