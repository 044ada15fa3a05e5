/* SPDX-License-Identifier: BSD-2-Clause
 * Random programs: a sequence of declarations, loops, chains, reads, options, permutations and resizes, on
 * Plait and in plain C. All results must be equal bit by bit.
 *
 *   programs BACKEND FIRST COUNT [LEFT OUT...]    seeds FIRST to FIRST + COUNT - 1, without some statements
 *
 * Each statement has its own random numbers, so that leaving one out changes the others little. A failing
 * seed prints its program up to the failure; PROGRAMS_VERBOSE=1 prints each statement at once.
 */
#include "statements.h"
#include <stdarg.h>
#include <string.h>

enum { SKIPPED = 77, MOST_STATEMENTS = 60 };

static pl_err open_context(const char *backend, pl_context **pl)
{
  char name[40];
  snprintf(name, sizeof name, "backend=%s", backend);
  const char *const options[] = {name, NULL};
  const pl_settings settings = {.options = options};
  return pl_init(NULL, NULL, &settings, pl);
}

static bool is_left_out(int statement, int n, char **left_out)
{
  for (int i = 0; i < n; i++)
    if (atoi(left_out[i]) == statement) return true;
  return false;
}

static void run_program(program *p, int nleft, char **left_out)
{
  start_random(p, p->seed << 8);
  declare_all(p);
  int statements = 10 + below(p, MOST_STATEMENTS - 10);
  for (p->statement = 1; p->statement <= statements && !p->failed; p->statement++) {
    start_random(p, p->seed << 8 | (uint64_t)p->statement);
    if (is_left_out(p->statement, nleft, left_out)) continue;
    fprintf(p->log, "%3d: ", p->statement);
    run_statement(p);
    fprintf(p->log, "\n");
  }
  if (!p->failed) compare_all(p);
}

static bool try_seed(const char *backend, uint64_t seed, int nleft, char **left_out)
{
  program p = {.seed = seed, .chain = -1};
  char *text = NULL;
  size_t length;
  bool at_once = getenv("PROGRAMS_VERBOSE");
  p.log = at_once ? stderr : open_memstream(&text, &length);
  if (!p.log || open_context(backend, &p.pl)) exit(1);
  p.rank = pl_rank(p.pl);
  p.ranks = pl_ranks(p.pl);
  fprintf(p.log, "seed %llu, rank %d:\n", (unsigned long long)seed, p.rank);
  run_program(&p, nleft, left_out);
  forget_all(&p);
  pl_finalize(&p.pl);
  if (!at_once) fclose(p.log);
  if (p.failed && text) fprintf(stderr, "%s\n", text);
  free(text);
  return !p.failed;
}

int main(int argc, char **argv)
{
  if (argc < 4) {
    fprintf(stderr, "usage: programs BACKEND FIRST COUNT [LEFT OUT...]\n");
    return 2;
  }
  pl_context *pl;
  int failed = 0, first = atoi(argv[2]), count = atoi(argv[3]);
  if (open_context(argv[1], &pl)) {
    printf("skipped: %s\n", pl_errmsg(pl));
    pl_finalize(&pl);
    return SKIPPED;
  }
  int rank = pl_rank(pl), ranks = pl_ranks(pl); /* stays open, so that devices open quickly */
  for (int s = first; s < first + count; s++) failed += !try_seed(argv[1], (uint64_t)s, argc - 4, argv + 4);
  if (!rank) printf("%s, %d ranks: %d programs, %d failed\n", argv[1], ranks, count, failed);
  pl_finalize(&pl);
  return failed != 0;
}
