/* SPDX-License-Identifier: BSD-2-Clause
 * Plan requests: checks, canonical form, from loops. Lists are as long as a loop's arguments, so quadratic
 * steps are fine.
 */
#include "plan_request.h"
#include "core/loop/loop.h"
#include "plan/blocks/block_targets.h"
#include <limits.h>

/* ---- checking ---- */

static pl_err check_reach(pl_context *pl, const pl_plan_request *request, const pl_reach *reach, bool staged)
{
  const pl_set *set = request->set;
  const pl_map *map = reach->map;
  if (!map && staged)
    return pl_fail(pl, PL_ERR_ARG, "plan over \"%s\": direct data cannot be staged; name a map",
                   set->node.name);
  if (!map) return PL_SUCCESS;
  if (map->from != pl_set_base(request->set))
    return pl_fail(pl, PL_ERR_ARG,
                   "plan over \"%s\": map \"%s\" starts on \"%s\"; use a map from the set of the loop",
                   set->node.name, map->node.name, map->from->node.name);
  if (reach->index != PL_ALL && (reach->index < 0 || reach->index >= map->arity))
    return pl_fail(pl, PL_ERR_RANGE, "plan over \"%s\": target %d of map \"%s\", which has arity %d",
                   set->node.name, reach->index, map->node.name, map->arity);
  if (!map->index && request->end > request->begin)
    return pl_fail(pl, PL_ERR_STATE,
                   "plan over \"%s\": the indices of map \"%s\" are undefined; declare it with them",
                   set->node.name, map->node.name);
  return PL_SUCCESS;
}

static pl_err check_entries(pl_context *pl, const pl_plan_request *request, int width)
{
  long long entries = (long long)width * (request->end - request->begin);
  if (entries <= INT_MAX) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_RANGE,
                 "plan over \"%s\": %lld map entries on one rank; the limit is %d, use more ranks",
                 request->set->node.name, entries, INT_MAX);
}

pl_err pl_request_check(pl_context *pl, const pl_plan_request *request)
{
  const pl_set *set = request->set;
  if (!set) return pl_fail(pl, PL_ERR_ARG, "plan: no set was given");
  if (request->begin < 0 || request->end < request->begin || request->end > set->end[3])
    return pl_fail(pl, PL_ERR_RANGE, "plan over \"%s\": range [%d, %d) is not part of its %d elements",
                   set->node.name, request->begin, request->end, set->end[3]);
  if (request->block_size < 0)
    return pl_fail(pl, PL_ERR_RANGE, "plan over \"%s\": block size %d is negative", set->node.name,
                   request->block_size);
  for (int r = 0; r < request->nconflict; r++) PL_TRY(check_reach(pl, request, &request->conflict[r], false));
  for (int r = 0; r < request->nstage; r++) {
    PL_TRY(check_reach(pl, request, &request->stage[r], true));
    PL_TRY(check_entries(pl, request, pl_reach_width(&request->stage[r])));
  }
  return check_entries(pl, request, pl_reaches_width(request->nconflict, request->conflict));
}

/* ---- canonical form ---- */

static uint64_t map_id(const pl_reach *reach)
{
  return reach->map ? reach->map->node.id : 0;
}

/* By map, then index; PL_ALL comes before the single targets of its map. */
static int compare_reaches(const pl_reach *a, const pl_reach *b)
{
  if (map_id(a) != map_id(b)) return map_id(a) < map_id(b) ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static void sort_reaches(int n, pl_reach *reach)
{
  for (int i = 1; i < n; i++) {
    pl_reach moving = reach[i];
    int j = i;
    for (; j > 0; j--) {
      const pl_reach *before = &reach[j - 1];
      if (before->group < moving.group) break;
      if (before->group == moving.group && compare_reaches(before, &moving) <= 0) break;
      reach[j] = reach[j - 1];
    }
    reach[j] = moving;
  }
}

/* Renumbers groups by their first reach and splits them by target set, since data on different sets differ.
 * From the back, so that the reaches compared have their old numbers. */
static void split_groups(pl_set *from, int n, pl_reach *reach)
{
  for (int i = n - 1; i >= 0; i--) {
    int first = 0;
    while (reach[first].group != reach[i].group ||
           pl_reach_to(&reach[first], from) != pl_reach_to(&reach[i], from))
      first++;
    reach[i].group = first;
  }
}

/* Within each group of a sorted list: drops repeats and targets that PL_ALL covers; a complete list of single
 * targets becomes PL_ALL. */
static int merge_targets(int n, pl_reach *reach)
{
  int kept = 0;
  for (int i = 0; i < n; i++) {
    const pl_reach *last = kept ? &reach[kept - 1] : NULL;
    bool same_map = last && last->group == reach[i].group && last->map == reach[i].map;
    if (same_map && (last->index == PL_ALL || last->index == reach[i].index)) continue;
    reach[kept++] = reach[i];
    if (!reach[i].map) continue;
    int first = kept - 1, arity = reach[i].map->arity;
    while (first > 0 && reach[first - 1].group == reach[i].group && reach[first - 1].map == reach[i].map)
      first--;
    if (reach[first].index == PL_ALL || kept - first < arity) continue;
    reach[first].index = PL_ALL;
    kept = first + 1;
  }
  return kept;
}

/* Whether group b reaches all targets of group a. */
static bool group_within(int n, const pl_reach *reach, int a, int b)
{
  for (int i = 0; i < n; i++) {
    if (reach[i].group != a) continue;
    bool found = false;
    for (int j = 0; j < n && !found; j++)
      found = reach[j].group == b && reach[j].map == reach[i].map &&
              (reach[j].index == PL_ALL || reach[j].index == reach[i].index);
    if (!found) return false;
  }
  return true;
}

/* Whether a group adds no conflicts: each element reaches only itself, or another group contains it. */
static bool is_redundant(int n, const pl_reach *reach, int group)
{
  bool only_itself = true;
  for (int i = 0; i < n; i++) only_itself &= reach[i].group != group || !reach[i].map;
  if (only_itself) return true;
  for (int i = 0; i < n; i++) {
    int other = reach[i].group;
    if (other == group || !group_within(n, reach, group, other)) continue;
    if (other < group || !group_within(n, reach, other, group)) return true;
  }
  return false;
}

static int drop_redundant_groups(int n, pl_reach *reach)
{
  for (int i = 0; i < n;) {
    int group = reach[i].group, kept = i;
    if (!is_redundant(n, reach, group)) {
      while (i < n && reach[i].group == group) i++;
      continue;
    }
    for (int j = i; j < n; j++)
      if (reach[j].group != group) reach[kept++] = reach[j];
    n = kept;
  }
  return n;
}

/* Whether the group that starts at reach a comes before the one at reach b, by their reaches. */
static bool group_before(int n, const pl_reach *reach, int a, int b)
{
  int group_a = reach[a].group, group_b = reach[b].group;
  for (; a < n && reach[a].group == group_a; a++, b++) {
    if (b >= n || reach[b].group != group_b) return false;
    int order = compare_reaches(&reach[a], &reach[b]);
    if (order) return order < 0;
  }
  return b < n && reach[b].group == group_b;
}

/* Numbers the groups of a sorted list 0, 1, ... by their reaches. A new number is stored as -1 - number until
 * every group has one. */
static void number_groups(int n, pl_reach *reach)
{
  for (int i = 0; i < n;) {
    int rank = 0, group = reach[i].group, end = i;
    while (end < n && reach[end].group == group) end++;
    for (int j = 0; j < n; j++)
      if ((!j || reach[j - 1].group != reach[j].group) && j != i) rank += group_before(n, reach, j, i);
    for (; i < end; i++) reach[i].group = -1 - rank;
  }
  for (int i = 0; i < n; i++) reach[i].group = -1 - reach[i].group;
}

int pl_canonical_conflicts(pl_set *from, int n, pl_reach *reach)
{
  for (int i = 0; i < n; i++)
    if (!reach[i].map) reach[i].index = PL_ID;
  split_groups(from, n, reach);
  sort_reaches(n, reach);
  n = merge_targets(n, reach);
  n = drop_redundant_groups(n, reach);
  number_groups(n, reach);
  sort_reaches(n, reach);
  return n;
}

int pl_canonical_stages(int n, pl_reach *reach)
{
  int kept = 0;
  for (int i = 0; i < n; i++) reach[i].group = 0;
  sort_reaches(n, reach);
  for (int i = 0; i < n; i++)
    if (!kept || compare_reaches(&reach[kept - 1], &reach[i])) reach[kept++] = reach[i];
  return kept;
}

/* ---- from a loop ---- */

static bool writes_dat(const pl_arg *arg, const void *dat)
{
  return pl_arg_accesses(arg, dat) && pl_arg_writes(arg);
}

/* The first argument that writes a dat, if the loop writes it through a map; else -1. */
static int conflict_group(const pl_loop *loop, const void *dat)
{
  int first = -1;
  bool mapped = false;
  for (int i = 0; i < loop->nargs; i++) {
    if (!writes_dat(&loop->args[i], dat)) continue;
    if (first < 0) first = i;
    mapped |= pl_arg_collides(&loop->args[i]);
  }
  return mapped ? first : -1;
}

int pl_plan_conflicts(const pl_loop *loop, pl_reach *reach)
{
  int n = 0;
  PL_EACH_ARG (arg, loop) {
    int group = writes_dat(arg, arg->object) ? conflict_group(loop, arg->object) : -1;
    if (group >= 0) reach[n++] = (pl_reach){arg->map, arg->map ? arg->index : PL_ID, group};
  }
  return pl_canonical_conflicts(loop->set, n, reach);
}
