/* SPDX-License-Identifier: BSD-2-Clause
 * Random numbers as an object.
 */
#include "random.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "kernel.h"
#include <plait_random.h>
#include <string.h>

/* ---- declaring ---- */

/* The functions of plait_random.h, once in each context. */
static pl_err declare_functions(pl_context *pl)
{
#define PL_RANDOM_TEXT(name) name##_plait,
  static const pl_function *const all[] = {PL_RANDOM_FUNCTIONS(PL_RANDOM_TEXT)};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    pl_function function = *all[i];
    function.library = 1;
    function.file = "plait_random.h";
    if (pl_function_find(pl, function.name, strlen(function.name))) continue;
    PL_TRY(pl_decl_function_text(pl, &function));
  }
  return PL_SUCCESS;
}

static pl_err new_random(pl_context *pl, const uint32_t *words, const char *name, pl_random **result)
{
  pl_global *global;
  PL_TRY(pl_global_new(pl, sizeof(pl_random), PL_RANDOM_WORDS, PL_UINT32, name, &global));
  memcpy(global->value, words, pl_global_nbytes(global));
  global->random = true;
  *result = (pl_random *)global;
  return PL_SUCCESS;
}

pl_err pl_decl_random(pl_context *pl, uint64_t seed, const char *name, pl_random **random)
{
  uint32_t words[PL_RANDOM_WORDS];
  PL_TRY(pl_context_check(pl));
  PL_TRY(pl_agree_on(pl, PL_GIVEN_FOR(pl, "pl_decl_random", name, random),
                     "random numbers \"%s\" of seed %llu", name ? name : "(unnamed)",
                     (unsigned long long)seed));
  PL_TRY(declare_functions(pl));
  pl_random_words(seed, 0, 0, words);
  return pl_agree_on_error(pl, new_random(pl, words, name, random));
}

uint32_t pl_random_get_call(const pl_random *random)
{
  return random ? random->calls : 0;
}

pl_err pl_random_set_call(pl_random *random, uint32_t call)
{
  PL_TRY_GIVEN(random);
  PL_TRY(pl_agree_on(random->words.node.pl, PL_SUCCESS, "pl_random_set_call of \"%s\" to %u",
                     random->words.node.name, (unsigned)call));
  random->calls = call;
  return PL_SUCCESS;
}

void pl_random_free(pl_random **handle)
{
  pl_random *random = handle ? *handle : NULL;
  if (random) pl_before_any_access(random->words.node.pl); /* recorded loops may add places */
  while (random) {
    pl_random *next = random->next;
    pl_global_destroy(&random->words.node);
    random = next;
  }
  if (handle) *handle = NULL;
}

/* ---- calls ---- */

void pl_random_begin(pl_random *random, uint32_t call)
{
  ((uint32_t *)random->words.value)[PL_RANDOM_WORDS - 1] = call;
  pl_global_host_written(&random->words);
}

pl_random *pl_random_place(pl_random *random, uint64_t batch)
{
  pl_random *last = random->batch == batch ? random->current : NULL;
  const pl_global *words = &random->words;
  if (last && !last->next && new_random(words->node.pl, words->value, words->node.name, &last->next))
    return NULL;
  if (last) last->next->words.node.internal = true;
  random->batch = batch;
  return random->current = last ? last->next : random;
}

/* ---- words ---- */

void pl_random_fill(const pl_arg *arg, int64_t index, void *words)
{
  uint32_t *word = words;
  memcpy(word, ((const pl_global *)arg->object)->value, PL_RANDOM_WORDS * sizeof *word);
  word[2] = (uint32_t)index;
  word[3] = (uint32_t)((uint64_t)index >> 32);
}

int64_t pl_random_pair(int64_t one, int64_t other)
{
  const uint64_t low = (uint64_t)(one < other ? one : other), high = (uint64_t)(one < other ? other : one);
  return (int64_t)(low | high << 32);
}
