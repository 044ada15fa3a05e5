/* SPDX-License-Identifier: BSD-2-Clause
 * The share of a file: its memory, errors, and the numbers of nodes. See file_mesh.h.
 */
#include "file_mesh.h"

#include <stdarg.h>
#include <string.h>

/* ---- errors ---- */

static bool keep_error(file_mesh *mesh, const char *place, const char *format, va_list list)
{
  if (mesh->code) return false;
  const int n = snprintf(mesh->sentence, sizeof mesh->sentence, "%.300s%s: ", mesh->path, place);
  vsnprintf(mesh->sentence + n, sizeof mesh->sentence - (size_t)n, format, list);
  mesh->code = PL_ERR_IO;
  return false;
}

bool pl_mesh_fail(file_mesh *mesh, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  keep_error(mesh, "", format, list);
  va_end(list);
  return false;
}

bool pl_mesh_fail_at(file_mesh *mesh, int64_t place, const char *format, ...)
{
  char text[40];
  va_list list;
  if (mesh->unit)
    snprintf(text, sizeof text, ", %s %lld", mesh->unit, (long long)place);
  else
    snprintf(text, sizeof text, ":%lld", (long long)place);
  va_start(list, format);
  keep_error(mesh, text, format, list);
  va_end(list);
  return false;
}

bool pl_mesh_no_memory(file_mesh *mesh)
{
  pl_mesh_fail(mesh, "there is no memory for the mesh");
  mesh->code = PL_ERR_MEMORY;
  return false;
}

pl_err pl_mesh_agree(file_mesh *mesh)
{
  return pl_raise(mesh->pl, mesh->code, mesh->sentence);
}

/* ---- memory ---- */

bool pl_mesh_push(file_mesh *mesh, number_list *list, int n, const int64_t *numbers)
{
  const size_t needed = list->count + (size_t)n;
  if (needed > list->room) {
    const size_t room = needed + needed / 2 + 64;
    int64_t *larger = realloc(list->at, room * sizeof *larger);
    if (!larger) return pl_mesh_no_memory(mesh);
    list->at = larger;
    list->room = room;
  }
  memcpy(list->at + list->count, numbers, (size_t)n * sizeof *numbers);
  list->count = needed;
  return true;
}

bool pl_mesh_push_element(file_mesh *mesh, int64_t place, int shape, int64_t tag, const int64_t *nodes)
{
  const int64_t head[ELEMENT_HEAD] = {place << 8 | shape, tag};
  return pl_mesh_push(mesh, &mesh->elements, ELEMENT_HEAD, head) &&
         pl_mesh_push(mesh, &mesh->elements, pl_mesh_shape_info(shape)->nodes, nodes);
}

bool pl_mesh_push_name(file_mesh *mesh, int dim, int64_t tag, const char *name)
{
  group_name *names = realloc(mesh->names, ((size_t)mesh->nnames + 1) * sizeof *names);
  if (names) mesh->names = names;
  char *copy = names ? strdup(name) : NULL;
  if (!copy) return pl_mesh_no_memory(mesh);
  names[mesh->nnames++] = (group_name){dim, (int)tag, copy};
  return true;
}

void pl_mesh_free_file(file_mesh *mesh)
{
  number_list *const lists[] = {&mesh->tags, &mesh->x,     &mesh->elements,
                                &mesh->more, &mesh->faces, &mesh->boundary};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]->at);
  for (int i = 0; i < mesh->nnames; i++) free(mesh->names[i].name);
  free(mesh->names);
}

/* ---- numbers of nodes ---- */

/* Whether the nodes of this rank have consecutive numbers that start with `base` on rank 0. */
static bool in_order(const file_mesh *mesh)
{
  for (size_t i = 0; i < mesh->tags.count; i++)
    if (mesh->tags.at[i] != mesh->base + mesh->first + (int64_t)i) return false;
  return true;
}

static bool number_in_order(file_mesh *mesh)
{
  for (EACH_ELEMENT(mesh, record)) {
    int64_t *node = record + ELEMENT_HEAD;
    for (int i = 0; i < element_info(record)->nodes; i++) {
      node[i] -= mesh->base;
      if (node[i] < 0 || node[i] >= mesh->nodes)
        return pl_mesh_fail_at(mesh, element_place(record), "node %lld is not among the %lld nodes",
                               (long long)(node[i] + mesh->base), (long long)mesh->nodes);
    }
  }
  return true;
}

/* ---- numbers with gaps: a directory, distributed by the number modulo the ranks ---- */

typedef struct directory_entry {
  int64_t tag, index;
} directory_entry;

static int by_tag(const void *a, const void *b)
{
  const int64_t x = ((const directory_entry *)a)->tag, y = ((const directory_entry *)b)->tag;
  return (x > y) - (x < y);
}

static int rank_of(const file_mesh *mesh, int64_t tag)
{
  return (int)((uint64_t)tag % (uint64_t)pl_ranks(mesh->pl));
}

/* Sends the numbers of this rank's nodes, with their indices, to their ranks of the directory. */
static pl_err fill_directory(file_mesh *mesh, directory_entry **directory, size_t *count)
{
  const size_t n = mesh->tags.count;
  directory_entry *items = malloc((n + 1) * sizeof *items);
  int *rank = malloc((n + 1) * sizeof *rank);
  exchange e;
  if (!items || !rank) pl_mesh_no_memory(mesh);
  pl_err err = pl_mesh_agree(mesh);
  for (size_t i = 0; i < n && !err; i++) {
    items[i] = (directory_entry){mesh->tags.at[i], mesh->first + (int64_t)i};
    rank[i] = rank_of(mesh, mesh->tags.at[i]);
  }
  if (!err) err = pl_mesh_send(&e, mesh->pl, (int64_t)n, 2, (const int64_t *)items, rank);
  if (!err) {
    *count = (size_t)e.count;
    *directory = malloc((*count + 1) * sizeof **directory);
    if (*directory) memcpy(*directory, e.items, *count * sizeof **directory);
    pl_mesh_close(&e);
  }
  free(items);
  free(rank);
  return err;
}

static bool sort_directory(file_mesh *mesh, directory_entry *directory, size_t count)
{
  if (!directory) return pl_mesh_no_memory(mesh);
  qsort(directory, count, sizeof *directory, by_tag);
  for (size_t i = 1; i < count; i++)
    if (directory[i].tag == directory[i - 1].tag)
      return pl_mesh_fail(mesh, "node %lld is defined twice", (long long)directory[i].tag);
  return true;
}

/* The numbers of the nodes of all elements of this rank, and back. */
static void copy_nodes(file_mesh *mesh, int64_t *numbers, bool back)
{
  for (EACH_ELEMENT(mesh, record)) {
    const size_t n = element_size(record) - ELEMENT_HEAD, size = n * sizeof *numbers;
    memcpy(back ? record + ELEMENT_HEAD : numbers, back ? numbers : record + ELEMENT_HEAD, size);
    numbers += n;
  }
}

static pl_err ask_directory(file_mesh *mesh, const directory_entry *directory, size_t count, int64_t *numbers,
                            int64_t n, int *rank)
{
  exchange e;
  for (int64_t i = 0; i < n; i++) rank[i] = rank_of(mesh, numbers[i]);
  pl_err err = pl_mesh_send(&e, mesh->pl, n, 1, numbers, rank);
  if (err) return err;
  int64_t *replies = malloc(((size_t)e.count + 1) * sizeof *replies);
  if (!replies) pl_mesh_no_memory(mesh);
  err = pl_mesh_agree(mesh);
  for (int64_t i = 0; i < e.count && !err; i++) {
    const directory_entry wanted = {e.items[i], 0};
    const directory_entry *found = bsearch(&wanted, directory, count, sizeof wanted, by_tag);
    replies[i] = found ? found->index : -1 - e.items[i];
  }
  if (!err) err = pl_mesh_reply(&e, 1, replies, numbers);
  free(replies);
  pl_mesh_close(&e);
  return err;
}

/* After the directory was asked: no node is missing. A missing number t came back as -1 - t. */
static bool check_found(file_mesh *mesh)
{
  for (EACH_ELEMENT(mesh, record))
    for (size_t i = ELEMENT_HEAD; i < element_size(record); i++)
      if (record[i] < 0)
        return pl_mesh_fail_at(mesh, element_place(record), "node %lld is not among the %lld nodes",
                               (long long)(-1 - record[i]), (long long)mesh->nodes);
  return true;
}

static pl_err number_by_directory(file_mesh *mesh)
{
  directory_entry *directory = NULL;
  size_t count = 0, n = 0;
  for (EACH_ELEMENT(mesh, record)) n += element_size(record) - ELEMENT_HEAD;
  int64_t *numbers = malloc((n + 1) * sizeof *numbers);
  int *rank = malloc((n + 1) * sizeof *rank);
  pl_err err = fill_directory(mesh, &directory, &count);
  if (!err) {
    if (!numbers || !rank) pl_mesh_no_memory(mesh);
    sort_directory(mesh, directory, count);
    err = pl_mesh_agree(mesh);
  }
  if (!err) {
    copy_nodes(mesh, numbers, false);
    err = ask_directory(mesh, directory, count, numbers, (int64_t)n, rank);
  }
  if (!err) {
    copy_nodes(mesh, numbers, true);
    check_found(mesh);
    err = pl_mesh_agree(mesh);
  }
  free(directory);
  free(numbers);
  free(rank);
  return err;
}

pl_err pl_mesh_number_nodes(file_mesh *mesh)
{
  bool gaps;
  const pl_err err = pl_mesh_any(mesh->pl, !in_order(mesh), &gaps);
  if (err) return err;
  if (gaps) return number_by_directory(mesh);
  number_in_order(mesh);
  return pl_mesh_agree(mesh);
}
