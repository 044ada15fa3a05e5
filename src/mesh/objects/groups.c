/* SPDX-License-Identifier: BSD-2-Clause
 * The groups of a mesh. See groups.h.
 */
#include "groups.h"

#include <string.h>

/* ---- the list ---- */

typedef struct group_key {
  int64_t dim, tag;
} group_key;

static int by_key(const void *a, const void *b)
{
  const group_key *x = a, *y = b;
  if (x->dim != y->dim) return x->dim < y->dim ? -1 : 1;
  return (x->tag > y->tag) - (x->tag < y->tag);
}

static void sort_keys(number_list *keys)
{
  group_key *key = (group_key *)keys->at;
  const size_t n = keys->count / 2;
  size_t kept = 0;
  if (n) qsort(key, n, sizeof *key, by_key);
  for (size_t i = 0; i < n; i++)
    if (!kept || by_key(&key[i], &key[kept - 1])) key[kept++] = key[i];
  keys->count = 2 * kept;
}

/* Few groups repeat often, so the list is sorted whenever it has become long. */
static bool push_key(file_mesh *mesh, number_list *keys, int64_t dim, int64_t tag)
{
  enum { LONG = 4096 };
  const size_t n = keys->count;
  if (tag == 0 || (n && keys->at[n - 2] == dim && keys->at[n - 1] == tag)) return true;
  if (n >= LONG && n == keys->room) sort_keys(keys);
  return pl_mesh_push(mesh, keys, 2, (int64_t[]){dim, tag});
}

static bool list_keys(file_mesh *mesh, number_list *keys)
{
  for (EACH_ELEMENT(mesh, record))
    if (!push_key(mesh, keys, element_info(record)->dim, record[1])) return false;
  for (size_t i = 0; i < mesh->more.count; i += 2)
    if (!push_key(mesh, keys, element_info(&mesh->elements.at[mesh->more.at[i]])->dim, mesh->more.at[i + 1]))
      return false;
  for (size_t i = 0; i < mesh->boundary.count; i += 4)
    if (!push_key(mesh, keys, 1, mesh->boundary.at[i + 3])) return false;
  for (int i = 0; i < mesh->nnames; i++)
    if (!push_key(mesh, keys, mesh->names[i].dim, mesh->names[i].tag)) return false;
  sort_keys(keys);
  return true;
}

static char *name_of(const file_mesh *mesh, int dim, int tag)
{
  char number[20];
  for (int i = 0; i < mesh->nnames; i++)
    if (mesh->names[i].dim == dim && mesh->names[i].tag == tag) return strdup(mesh->names[i].name);
  snprintf(number, sizeof number, "%d", tag);
  return strdup(number);
}

static bool make_list(file_mesh *mesh, group_list *groups, const number_list *keys)
{
  const size_t n = keys->count / 2;
  groups->at = calloc(n + 1, sizeof *groups->at);
  if (!groups->at) return pl_mesh_no_memory(mesh);
  for (size_t i = 0; i < n; i++) {
    pl_mesh_group *group = &groups->at[i];
    *group = (pl_mesh_group){.dim = (int)keys->at[2 * i], .tag = (int)keys->at[2 * i + 1]};
    group->name = name_of(mesh, group->dim, group->tag);
    if (!group->name) return pl_mesh_no_memory(mesh);
    groups->count++;
  }
  return true;
}

pl_err pl_mesh_list_groups(file_mesh *mesh, group_list *groups)
{
  number_list mine = {0}, all = {0};
  int64_t count = 0;
  *groups = (group_list){0};
  list_keys(mesh, &mine);
  pl_err err = pl_mesh_agree(mesh);
  if (!err) err = pl_mesh_gather(mesh->pl, (int64_t)mine.count / 2, 2, mine.at, &count, &all.at);
  if (!err) {
    all.count = 2 * (size_t)count;
    sort_keys(&all);
    make_list(mesh, groups, &all);
    err = pl_mesh_agree(mesh);
  }
  free(mine.at);
  free(all.at);
  return err;
}

int pl_mesh_group_number(const group_list *groups, int dim, int64_t tag)
{
  int low = 0, high = groups->count;
  const group_key wanted = {dim, tag};
  while (low < high) {
    const int middle = (low + high) / 2;
    const int order = by_key(&(group_key){groups->at[middle].dim, groups->at[middle].tag}, &wanted);
    if (order == 0) return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

/* ---- subsets ---- */

/* The indices of the pairs, group by group: those of group g are index[start[g] .. start[g + 1] - 1]. */
static void sort_pairs(const number_list *pairs, int groups, size_t *start, int *index)
{
  for (size_t i = 0; i < pairs->count; i += 2) start[pairs->at[i] + 2]++;
  for (int g = 0; g < groups; g++) start[g + 2] += start[g + 1];
  for (size_t i = 0; i < pairs->count; i += 2) index[start[pairs->at[i] + 1]++] = (int)pairs->at[i + 1];
}

pl_err pl_mesh_decl_subsets(file_mesh *mesh, group_list *groups, int dim, pl_set *set,
                            const number_list *pairs, size_t member)
{
  size_t *start = calloc((size_t)groups->count + 2, sizeof *start);
  int *index = malloc((pairs->count / 2 + 1) * sizeof *index);
  if (!start || !index)
    pl_mesh_no_memory(mesh);
  else
    sort_pairs(pairs, groups->count, start, index);
  pl_err err = pl_mesh_agree(mesh);
  for (int g = 0; g < groups->count && !err; g++) {
    pl_mesh_group *group = &groups->at[g];
    if (group->dim == dim)
      err = pl_decl_subset(set, (int64_t)(start[g + 1] - start[g]), index + start[g], group->name,
                           (pl_set **)((char *)group + member));
  }
  free(start);
  free(index);
  return err;
}

void pl_mesh_free_groups(group_list *groups)
{
  for (int i = 0; i < groups->count; i++) {
    pl_mesh_group *group = &groups->at[i];
    pl_set **const subsets[] = {&group->cells, &group->boundary, &group->faces, &group->nodes};
    for (int k = 0; k < 4; k++) pl_set_free(subsets[k]);
    free((char *)group->name);
  }
  free(groups->at);
  *groups = (group_list){0};
}
