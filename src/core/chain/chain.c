/* SPDX-License-Identifier: BSD-2-Clause
 * The chains of the program: where they begin and end, and what they are told about their dats.
 */
#include "chain.h"
#include <string.h>

bool pl_chain_rehearses(const pl_context *pl)
{
  return pl->late.open && pl->late.open->rehearsed;
}

pl_hint pl_chain_hint_of(const pl_chain *chain, const pl_dat *dat)
{
  for (int i = 0; chain && i < chain->nhints; i++)
    if (chain->hint[i].dat == dat) return chain->hint[i];
  return (pl_hint){.choice = PL_AUTO};
}

static pl_chain *find_chain(pl_context *pl, const char *name)
{
  pl_node *node = pl->chains;
  while (node && strcmp(node->name, name)) node = node->next;
  return (pl_chain *)node;
}

pl_err pl_chain_begin(pl_context *pl, const char *name, pl_chain **result)
{
  PL_TRY(pl_context_check(pl));
  if (!name || !result) return pl_fail(pl, PL_ERR_ARG, "pl_chain_begin: a pointer is NULL");
  if (pl->late.open)
    return pl_fail(pl, PL_ERR_STATE, "pl_chain_begin of \"%s\": chain \"%s\" has not ended", name,
                   pl->late.open->node.name);
  PL_TRY(pl_late_run(pl));
  pl_chain *chain = find_chain(pl, name);
  if (!chain) chain = pl_node_new(pl, &pl->chains, sizeof *chain, name);
  if (!chain) return PL_ERR_MEMORY;
  chain->rehearsed = false;
  pl->late.open = *result = chain;
  pl->late.started = false;
  return PL_SUCCESS;
}

static pl_err check_open(const pl_chain *chain, const char *what)
{
  if (chain->node.pl->late.open == chain) return PL_SUCCESS;
  return pl_fail(chain->node.pl, PL_ERR_STATE, "%s: chain \"%s\" has not begun", what, chain->node.name);
}

pl_err pl_chain_rehearse(pl_chain *chain)
{
  if (!chain) return PL_ERR_ARG;
  PL_TRY(check_open(chain, "pl_chain_rehearse"));
  PL_TRY(pl_late_run(chain->node.pl));
  chain->rehearsed = true;
  return PL_SUCCESS;
}

pl_err pl_chain_end(pl_chain *chain)
{
  if (!chain) return PL_ERR_ARG;
  pl_context *pl = chain->node.pl;
  PL_TRY(check_open(chain, "pl_chain_end"));
  pl_err err = pl_late_end(pl);
  pl->late.open = NULL;
  return err;
}

static pl_err check_hint(const pl_chain *chain, const pl_dat *dat, const char *what)
{
  pl_context *pl = chain->node.pl;
  if (!dat) return pl_fail(pl, PL_ERR_ARG, "%s for chain \"%s\": the dat is NULL", what, chain->node.name);
  if (dat->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "%s: dat \"%s\" belongs to another context than chain \"%s\"", what,
                   dat->node.name, chain->node.name);
  return PL_SUCCESS;
}

/* The chain's hint about a dat, made if there is none. */
static pl_hint *take_hint(pl_chain *chain, pl_dat *dat)
{
  for (int i = 0; i < chain->nhints; i++)
    if (chain->hint[i].dat == dat) return &chain->hint[i];
  size_t bytes = ((size_t)chain->nhints + 1) * sizeof *chain->hint;
  pl_hint *hint = pl_resize(chain->node.pl, chain->hint, bytes);
  if (!hint) {
    pl_fail_memory(chain->node.pl, bytes);
    return NULL;
  }
  chain->hint = hint;
  hint[chain->nhints] = (pl_hint){.dat = dat, .choice = PL_AUTO};
  return &hint[chain->nhints++];
}

pl_err pl_chain_hint(pl_chain *chain, pl_dat *dat, pl_chain_choice choice)
{
  if (!chain) return PL_ERR_ARG;
  PL_TRY(check_hint(chain, dat, "pl_chain_hint"));
  if ((unsigned)choice > PL_PRECOMPUTE)
    return pl_fail(chain->node.pl, PL_ERR_ARG, "pl_chain_hint for dat \"%s\": %d is not a choice",
                   dat->node.name, (int)choice);
  pl_hint *hint = take_hint(chain, dat);
  if (!hint) return PL_ERR_MEMORY;
  hint->choice = choice;
  chain->version++;
  return PL_SUCCESS;
}

pl_err pl_chain_block(pl_chain *chain, int elements)
{
  if (!chain) return PL_ERR_ARG;
  if (elements < 0 || elements > 1024)
    return pl_fail(
      chain->node.pl, PL_ERR_RANGE,
      "pl_chain_block for chain \"%s\": blocks of %d elements; give 1 to 1024, or 0 for the library's choice",
      chain->node.name, elements);
  chain->block = elements;
  chain->version++;
  return PL_SUCCESS;
}

pl_err pl_chain_temporary(pl_chain *chain, pl_dat *dat)
{
  if (!chain) return PL_ERR_ARG;
  PL_TRY(check_hint(chain, dat, "pl_chain_temporary"));
  pl_hint *hint = take_hint(chain, dat);
  if (!hint) return PL_ERR_MEMORY;
  hint->temporary = true;
  chain->version++;
  return PL_SUCCESS;
}

void pl_chain_forget(pl_chain *chain, const void *object)
{
  int left = 0;
  for (int i = 0; i < chain->nhints; i++)
    if (chain->hint[i].dat != object) chain->hint[left++] = chain->hint[i];
  chain->nhints = left;
  chain->last = NULL;
}

void pl_chain_destroy(pl_node *node)
{
  pl_free(node->pl, ((pl_chain *)node)->hint);
  pl_node_free(node);
}
