/* SPDX-License-Identifier: BSD-2-Clause
 * Constants, structs and their members by name.
 */
#include "core/context/error.h"
#include "interface_tables.h"
#include <string.h>

pl_err pl_constant(const char *name, int *value)
{
  const pl_interface_constant *c = pl_interface_constants;
  while (name && c->name && strcmp(c->name, name)) c++;
  if (!name || !value || !c->name) {
    pl_fail(NULL, PL_ERR_ARG, "pl_constant: plait.h has no integer constant \"%s\", or the result is NULL",
            name ? name : "");
    return PL_ERR_ARG;
  }
  *value = c->value;
  return PL_SUCCESS;
}

size_t pl_struct_size(const char *type)
{
  for (const pl_interface_struct *s = pl_interface_structs; type && s->type; s++)
    if (!strcmp(s->type, type)) return s->size;
  return 0;
}

void *pl_struct_member(const char *type, const char *member, void *object)
{
  if (!type || !member || !object) return NULL;
  for (const pl_interface_member *m = pl_interface_members; m->type; m++)
    if (!strcmp(m->type, type) && !strcmp(m->name, member)) return (char *)object + m->offset;
  return NULL;
}
