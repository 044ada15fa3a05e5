/* SPDX-License-Identifier: BSD-2-Clause
 * Chains: begin, end, and hints about their dats.
 */
#include "chain.h"
#include "deferred_queue.h"
#include "core/data/objects.h"
#include <string.h>

bool pl_chain_warms_up(const pl_context *pl)
{
  return pl->deferred.open && pl->deferred.open->warm_up;
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
  PL_TRY(PL_GIVEN(pl, "pl_chain_begin", name, result));
  if (pl->deferred.open)
    return pl_fail(pl, PL_ERR_STATE, "pl_chain_begin of \"%s\": chain \"%s\" has not ended", name,
                   pl->deferred.open->node.name);
  PL_TRY(pl_flush(pl));
  pl_chain *chain = find_chain(pl, name);
  if (!chain) chain = pl_node_new(pl, &pl->chains, sizeof *chain, name);
  if (!chain) return PL_ERR_MEMORY;
  chain->warm_up = false;
  pl->deferred.open = *result = chain;
  pl->deferred.started = pl->deferred.written = false;
  return PL_SUCCESS;
}

static pl_err check_open(const pl_chain *chain, const char *what)
{
  if (chain->node.pl->deferred.open == chain) return PL_SUCCESS;
  return pl_fail(chain->node.pl, PL_ERR_STATE, "%s: chain \"%s\" has not begun", what, chain->node.name);
}

pl_err pl_chain_warm_up(pl_chain *chain)
{
  PL_TRY_GIVEN(chain);
  PL_TRY(check_open(chain, "pl_chain_warm_up"));
  PL_TRY(pl_flush_all(chain->node.pl));
  chain->warm_up = true;
  return PL_SUCCESS;
}

pl_err pl_chain_end(pl_chain *chain)
{
  PL_TRY_GIVEN(chain);
  pl_context *pl = chain->node.pl;
  PL_TRY(check_open(chain, "pl_chain_end"));
  pl_err err = pl_flush_chain(pl);
  pl->deferred.open = NULL;
  return err;
}

/* The chain's hint about a dat, added if there is none; the caller changes it. */
static pl_err get_hint(pl_chain *chain, pl_dat *dat, const char *what, pl_hint **hint)
{
  pl_context *pl = chain->node.pl;
  int h = 0;
  if (!dat) return pl_fail(pl, PL_ERR_ARG, "%s for chain \"%s\": the dat is NULL", what, chain->node.name);
  if (dat->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "%s: dat \"%s\" belongs to another context than chain \"%s\"", what,
                   dat->node.name, chain->node.name);
  while (h < chain->nhints && chain->hint[h].dat != dat) h++;
  if (h == chain->nhints) {
    size_t bytes = ((size_t)h + 1) * sizeof *chain->hint;
    pl_hint *more = pl_resize(pl, chain->hint, bytes);
    if (!more) return pl_fail_memory(pl, bytes);
    chain->hint = more;
    chain->hint[chain->nhints++] = (pl_hint){.dat = dat, .choice = PL_AUTO};
  }
  *hint = &chain->hint[h];
  chain->version++;
  return PL_SUCCESS;
}

pl_err pl_chain_hint(pl_chain *chain, pl_dat *dat, pl_chain_choice choice)
{
  pl_hint *hint = NULL;
  PL_TRY_GIVEN(chain);
  if (dat && (unsigned)choice > PL_PRECOMPUTE)
    return pl_fail(chain->node.pl, PL_ERR_ARG, "pl_chain_hint for dat \"%s\": %d is not a choice",
                   dat->node.name, (int)choice);
  PL_TRY(get_hint(chain, dat, "pl_chain_hint", &hint));
  hint->choice = choice;
  return PL_SUCCESS;
}

pl_err pl_chain_block(pl_chain *chain, int elements)
{
  PL_TRY_GIVEN(chain);
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
  pl_hint *hint = NULL;
  PL_TRY_GIVEN(chain);
  PL_TRY(get_hint(chain, dat, "pl_chain_temporary", &hint));
  hint->temporary = true;
  return PL_SUCCESS;
}

void pl_chain_forget(pl_chain *chain, const void *dat)
{
  int left = 0;
  for (int i = 0; i < chain->nhints; i++)
    if (chain->hint[i].dat != dat) chain->hint[left++] = chain->hint[i];
  chain->nhints = left;
}

void pl_chain_forget_part(pl_chain *chain, const pl_schedule *schedule)
{
  int left = 0;
  for (int i = 0; i < chain->nparts; i++)
    if (chain->part[i] != schedule) chain->part[left++] = chain->part[i];
  chain->nparts = left;
}

void pl_chain_destroy(pl_node *node)
{
  pl_free(node->pl, ((pl_chain *)node)->hint);
  pl_free(node->pl, ((pl_chain *)node)->part);
  pl_node_free(node);
}
