/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans from source: the public struct with copies of its texts.
 */
#include "algorithm_source.h"
#include "core/context/memory.h"
#include "core/data/kernel.h"
#include <string.h>

typedef struct source_algorithm {
  pl_node node;
  pl_algorithm algorithm;
  char *texts; /* all strings but the name, one after the other */
} source_algorithm;

enum { TEXTS = 8 };

/* Copies the texts behind one another and lets the members point to them; NULL stays NULL. */
static pl_err copy_texts(source_algorithm *own, const char *const text[TEXTS])
{
  pl_algorithm *a = &own->algorithm;
  const char **member[TEXTS] = {&a->type,  &a->neutral, &a->op,     &a->params,
                                &a->input, &a->flag,    &a->output, &a->file};
  size_t size = 0;
  for (int i = 0; i < TEXTS; i++) size += text[i] ? strlen(text[i]) + 1 : 0;
  char *end = own->texts = pl_malloc(own->node.pl, size);
  if (!end) return pl_fail_memory(own->node.pl, size);
  for (int i = 0; i < TEXTS; i++) {
    if (!text[i]) continue;
    *member[i] = strcpy(end, text[i]);
    end += strlen(end) + 1;
  }
  return PL_SUCCESS;
}

pl_err pl_algorithm_from_source(pl_context *pl, const char *name, const char *type, const char *neutral,
                                const char *op, const char *params, const char *input, const char *flag,
                                const char *output, const pl_algorithm **algorithm)
{
  PL_TRY(pl_context_check(pl));
  if (!pl_is_identifier(name))
    return pl_fail(pl, PL_ERR_ARG, "algorithm \"%s\": the name must be a C identifier", name ? name : "");
  PL_TRY(PL_GIVEN_FOR(pl, "pl_algorithm_from_source", name, type, neutral, op, params, input, algorithm));
  if (flag && !output)
    return pl_fail(pl, PL_ERR_ARG,
                   "pl_algorithm_from_source of \"%s\": a reduction has no segments; pass an "
                   "output or no flag",
                   name);
  source_algorithm *own = pl_node_new(pl, &pl->algorithms, sizeof *own, name);
  if (!own) return PL_ERR_MEMORY;
  own->algorithm.name = own->node.name;
  own->algorithm.line = 1;
  const char *const text[TEXTS] = {type, neutral, op, params, input, flag, output, name};
  pl_err err = copy_texts(own, text);
  if (err) return pl_algorithm_destroy(&own->node), err;
  *algorithm = &own->algorithm;
  return PL_SUCCESS;
}

void pl_algorithm_destroy(pl_node *node)
{
  pl_free(node->pl, ((source_algorithm *)node)->texts);
  pl_node_free(node);
}
