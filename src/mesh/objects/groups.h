/* SPDX-License-Identifier: BSD-2-Clause
 * The groups of a mesh: the same list on all ranks, by dimension and tag.
 */
#pragma once

#include "mesh/base/file_mesh.h"

typedef struct group_list {
  int count;
  pl_mesh_group *at; /* the names belong to the list */
} group_list;

/* Makes the list of the groups that the elements of any rank have, and of those with a name. Collective. */
pl_err pl_mesh_list_groups(file_mesh *mesh, group_list *groups);

/* The number of a group in the list; -1 for tag 0. */
int pl_mesh_group_number(const group_list *groups, int dim, int64_t tag);

/* Declares for each group of dimension `dim` the subset of `set` with its elements: the pairs (group, global
 * index) of all ranks. member: offset of the subset in pl_mesh_group. Collective. */
pl_err pl_mesh_decl_subsets(file_mesh *mesh, group_list *groups, int dim, pl_set *set,
                            const number_list *pairs, size_t member);

void pl_mesh_free_groups(group_list *groups);
