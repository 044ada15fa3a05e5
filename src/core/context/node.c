/* SPDX-License-Identifier: BSD-2-Clause
 * Nodes: creation and removal of objects in the lists of a context.
 */
#include "context.h"
#include "core/base/scalar_type.h"
#include "memory.h"

void *pl_node_new(pl_context *pl, pl_node **list, size_t size, const char *name)
{
  pl_node *node = pl_calloc(pl, 1, size);
  char *copy = node ? pl_strdup(pl, name ? name : "(unnamed)") : NULL;
  if (!copy) {
    pl_free(pl, node);
    pl_fail_memory(pl, size);
    return NULL;
  }
  node->pl = pl;
  node->name = copy;
  node->id = ++pl->next_id;
  node->internal = pl->deferred.running || pl->own_objects;
  node->next = *list;
  node->link = list;
  if (node->next) node->next->link = &node->next;
  *list = node;
  return node;
}

pl_err pl_check_conversion(pl_context *pl, const char *what, const char *name, pl_type holds, pl_type given)
{
  if (pl_type_converts(holds, given)) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_TYPE, "%s: \"%s\" holds %s; values of %s cannot be converted", what, name,
                 pl_type_name(holds), pl_type_name(given));
}

pl_err pl_check_values(const pl_node *object, const char *what, pl_type holds, pl_type *given,
                       const void *values)
{
  if (!object || !values)
    return pl_fail(object ? object->pl : NULL, PL_ERR_ARG, "%s: the %s NULL", what,
                   object ? "values are" : "object is");
  if (*given == PL_TYPE_COUNT) *given = holds;
  return pl_check_conversion(object->pl, what, object->name, holds, *given);
}

void pl_node_free(pl_node *node)
{
  pl_context *pl = node->pl;
  *node->link = node->next;
  if (node->next) node->next->link = node->link;
  pl_failure_clear(pl, &node->failure);
  pl_free_all(pl, node->name, node);
}
