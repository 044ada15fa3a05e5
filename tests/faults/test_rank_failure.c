/* SPDX-License-Identifier: BSD-2-Clause
 * An error on one rank is an error on all, and no rank hangs: each step of a program fails on each rank in
 * turn. Runs under mpirun; a watchdog turns a hang into a failure.
 */
#include "failing_memory.h"
#include "sandbox.h"
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { CELLS = 60, EDGES = 150, SECONDS = 60 };

/* The fault on rank `at`. */
typedef enum fault {
  NOTHING,
  BAD_OPTION,
  NO_COMPILER,
  BAD_KERNEL,
  BAD_INDEX,
  BAD_PART,
  BAD_MEMBER,
  OTHER_DAT,      /* a wrong argument in a loop that is new on all ranks */
  OTHER_DAT_SEEN, /* ... in a loop that the others know and that exchanges halos */
  NO_KERNEL_SEEN,
  OTHER_SUM_SEEN,  /* ... in a loop that only reduces */
  OTHER_COPY_SEEN, /* ... in a direct loop, which needs no communication */
  OPEN_VIEW,
  OTHER_LOOP, /* a valid loop, but the others run another one */
  EARLY_END,
  NO_FILE,
  FAULTS
} fault;

static const struct {
  const char *name, *words[2]; /* words of the message on every rank */
  bool lasts;                  /* the ranks cannot continue together */
} faults[FAULTS] = {
  [BAD_OPTION] = {"option", {"block_size", ""}, true},
  [NO_COMPILER] = {"compiler", {"false", ""}, false},
  [BAD_KERNEL] = {"kernel", {"fetch_one", ""}, false},
  [BAD_INDEX] = {"index of a map", {"edge_cell", "77777"}, false},
  [BAD_PART] = {"part", {"part[", "99"}, false},
  [BAD_MEMBER] = {"member of a subset", {"some", "88888"}, false},
  [OTHER_DAT] = {"argument of a new loop", {"weight", ""}, false},
  [OTHER_DAT_SEEN] = {"argument of a loop with halos", {"weight", ""}, true},
  [NO_KERNEL_SEEN] = {"kernel of a loop with halos", {"kernel is NULL", ""}, true},
  [OTHER_SUM_SEEN] = {"argument of a reduction", {"weight", ""}, true},
  [OTHER_COPY_SEEN] = {"argument of a direct loop", {"weight", ""}, true},
  [OPEN_VIEW] = {"open view", {"pl_dat_put", ""}, true},
  [OTHER_LOOP] = {"another loop", {"same collective calls", ""}, true},
  [EARLY_END] = {"end", {"", ""}, true},
  [NO_FILE] = {"file", {"nowhere", ""}, false},
};

static struct {
  int rank, ranks, runs;
  char folder[PATH_MAX]; /* of rank 0 */
  fault fault;
  int at;
  bool early; /* an allocation fails in pl_init, otherwise later */
  bool mixed; /* ... in mixed spaces */
} now;

PL_KERNEL(spread, (const double *x[2], double *sum[2]), {
  sum[0][0] += x[1][0];
  sum[1][0] += x[0][0];
})

PL_KERNEL(add_up, (const double *x, double *total), { total[0] += x[0]; })

PL_KERNEL(copy, (const double *x, double *y), { y[0] = x[0]; })

/* Seconds of this run in which the process was awake: a stopped process, as on a suspended machine, receives
 * all its signals as one. */
static volatile sig_atomic_t awake;

static void on_alarm(int signal)
{
  (void)signal;
  if (++awake < SECONDS) return;
  static const char text[] = "test_rank_failure: a rank hangs\n";
  if (write(2, text, sizeof text - 1)) _exit(3);
  _exit(3);
}

static bool here(fault f)
{
  return f != NOTHING && now.fault == f && now.rank == now.at;
}

/* ---- the program ---- */

typedef struct job {
  pl_context *pl;
  pl_set *cells, *edges;
  pl_map *map;
  pl_dat *x, *sum, *y, *weight; /* weight: on edges */
  pl_global *total;
  pl_err err; /* the first */
  char message[1024];
} job;

/* Continues if nothing has failed. */
#define DO(call)                                                                                             \
  do {                                                                                                       \
    if (!w->err && (w->err = (call))) snprintf(w->message, sizeof w->message, "%s", pl_errmsg(w->pl));       \
  } while (0)

static int share(int n, int rank)
{
  return n * rank / now.ranks;
}

static void declare(job *w)
{
  int ncells = share(CELLS, now.rank + 1) - share(CELLS, now.rank), first = share(EDGES, now.rank);
  int nedges = share(EDGES, now.rank + 1) - first, index[2 * EDGES];
  double x[CELLS];
  for (int i = 0; i < nedges; i++) {
    index[2 * i] = (first + i) * 7 % CELLS;
    index[2 * i + 1] = ((first + i) * 13 + 5) % CELLS;
  }
  for (int i = 0; i < ncells; i++) x[i] = share(CELLS, now.rank) + i;
  if (here(BAD_INDEX)) index[3] = 77777;
  DO(pl_decl_set(w->pl, ncells, "cells", &w->cells));
  DO(pl_decl_set(w->pl, nedges, "edges", &w->edges));
  DO(pl_decl_map(w->edges, w->cells, 2, index, "edge_cell", &w->map));
  DO(pl_decl_dat(w->cells, 1, PL_DOUBLE, x, "x", &w->x));
  DO(pl_decl_dat(w->cells, 1, PL_DOUBLE, NULL, "sum", &w->sum));
  DO(pl_decl_dat(w->cells, 1, PL_DOUBLE, NULL, "y", &w->y));
  DO(pl_decl_dat(w->edges, 1, PL_DOUBLE, NULL, "weight", &w->weight));
  DO(pl_decl_global(w->pl, 1, PL_DOUBLE, NULL, "total", &w->total));
}

static void distribute(job *w)
{
  int part[CELLS];
  for (int i = 0; i < CELLS; i++) part[i] = i % now.ranks;
  if (here(BAD_PART)) part[2] = 99;
  const pl_partition_options options = {.part = part};
  DO(pl_partition(w->cells, PL_PARTITION_USER, &options));
}

/* A loop that is wrong on one rank at its call number `time`. */
static pl_dat *dat_or_wrong(job *w, pl_dat *right, fault first, fault later, int time)
{
  return here(time ? later : first) ? w->weight : right;
}

static void run_loops(job *w, int time)
{
  void *view;
  const pl_kernel *kernel = time && here(NO_KERNEL_SEEN) ? NULL : spread;
  if (time && here(OPEN_VIEW)) DO(pl_dat_get(w->x, PL_RW, &view));
  if (time && here(OTHER_LOOP))
    DO(pl_par_loop(copy, w->cells, pl_arg_dat(w->y, PL_ID, PL_DIRECT, PL_READ),
                   pl_arg_dat(w->x, PL_ID, PL_DIRECT, PL_WRITE)));
  DO(pl_par_loop(copy, w->cells,
                 pl_arg_dat(dat_or_wrong(w, w->x, NOTHING, OTHER_COPY_SEEN, time), PL_ID, PL_DIRECT, PL_READ),
                 pl_arg_dat(w->y, PL_ID, PL_DIRECT, PL_WRITE)));
  DO(pl_par_loop(kernel, w->edges,
                 pl_arg_dat(dat_or_wrong(w, w->y, OTHER_DAT, OTHER_DAT_SEEN, time), PL_ALL, w->map, PL_READ),
                 pl_arg_dat(w->sum, PL_ALL, w->map, PL_INC)));
  DO(
    pl_par_loop(add_up, w->cells,
                pl_arg_dat(dat_or_wrong(w, w->sum, NOTHING, OTHER_SUM_SEEN, time), PL_ID, PL_DIRECT, PL_READ),
                pl_arg_gbl(w->total, PL_INC)));
}

static void run_source(job *w)
{
  const pl_kernel *kernel = NULL;
  DO(pl_kernel_from_source(w->pl, "fetch_one",
                           here(BAD_KERNEL) ? "void fetch_one(double *x) { x[0] += ; }"
                                            : "void fetch_one(double *x) { x[0] += 1; }",
                           NULL, &kernel));
  DO(pl_par_loop(kernel, w->cells, pl_arg_dat(w->y, PL_ID, PL_DIRECT, PL_RW)));
}

/* A subset of a set with halos. */
static void pick(job *w)
{
  pl_set *some;
  const int first = here(BAD_MEMBER) ? 88888 : 0;
  DO(pl_decl_subset(w->cells, here(BAD_MEMBER) || pl_set_size(w->cells) > 0, &first, "some", &some));
}

/* Both forms of a matrix of the cells and a single value, which gets a map and numbers. */
static void declare_mixed(job *w)
{
  static const int dim[] = {1, 1};
  pl_set *part[2] = {w->cells, NULL};
  pl_map *map[2] = {w->map, NULL};
  pl_mixed_set *set;
  pl_mixed_map *targets;
  pl_mixed_mat *mat;
  DO(pl_decl_set(w->pl, now.rank == 0, "single", &part[1]));
  DO(pl_decl_mixed_set(2, part, dim, "mixed", &set));
  DO(pl_decl_mixed_map(set, map, "targets", &targets));
  DO(pl_decl_mixed_mat(set, set, 1, &targets, &targets, PL_DOUBLE, PL_MIXED_NESTED, "nested", &mat));
  DO(pl_decl_mixed_mat(set, set, 1, &targets, &targets, PL_DOUBLE, PL_MIXED_WHOLE, "whole", &mat));
}

/* The first allocation that may fail is the n-th from here. */
static void arm(failing_memory *memory, long n)
{
  memory->fail_at = n ? memory->asked + n : 0;
}

static void run_mixed(job *w, failing_memory *memory, long n)
{
  declare(w);
  arm(memory, n);
  declare_mixed(w);
}

static double run_steps(job *w)
{
  double total = 0, values[CELLS];
  declare(w);
  distribute(w);
  if (here(EARLY_END)) w->err = PL_ERR_STATE;
  for (int time = 0; time < 2; time++) run_loops(w, time);
  DO(pl_global_get(w->total, &total));
  pick(w);
  run_source(w);
  DO(pl_dat_fetch(w->y, values));
  if (now.fault == NO_FILE)
    DO(pl_hdf5_write(w->pl, here(NO_FILE) ? "/nowhere/at/all.h5" : sandbox_path(now.folder, "x.h5")));
  return total;
}

/* The program; allocation number `n` fails on this rank, 0: none. */
static double run_once(job *w, failing_memory *memory, long n)
{
  char cache[PATH_MAX + 64];
  snprintf(cache, sizeof cache, "cache_dir=%s/%d.%d", now.folder, now.fault == NO_COMPILER ? now.runs : 0,
           now.fault == NO_COMPILER ? now.rank : 0);
  const char *options[] = {"backend=seq", cache, here(NO_COMPILER) ? "cc=false" : NULL, NULL};
  if (here(BAD_OPTION)) options[2] = "block_size=-7";
  const pl_settings settings = {.options = options, .realloc = failing_realloc, .realloc_user = memory};
  *w = (job){.err = PL_SUCCESS};
  awake = 0;
  now.runs++;
  if (now.early) memory->fail_at = n;
  DO(pl_init(NULL, NULL, &settings, &w->pl));
  if (!now.early) arm(memory, now.mixed ? 0 : n);
  double total = now.early || now.mixed ? 0 : run_steps(w);
  if (now.mixed) run_mixed(w, memory, n);
  memory->fail_at = 0;
  pl_finalize(&w->pl);
  return total;
}

/* On how many ranks it is true. */
static int votes(bool mine)
{
  int sum = mine;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* ---- tests ---- */

static failing_memory memory;

static void share_room(void)
{
  memcpy(now.folder, sandbox_folder, sizeof now.folder);
  MPI_Bcast(now.folder, sizeof now.folder, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void whole(void)
{
  job w;
  double expected = 0;
  share_room();
  failing_memory_open(&memory);
  now.fault = NOTHING;
  for (int e = 0; e < EDGES; e++) expected += e * 7 % CELLS + (e * 13 + 5) % CELLS;
  CU_ASSERT_EQUAL(run_once(&w, &memory, 0), 3 * expected);
  CU_ASSERT_EQUAL(w.err, PL_SUCCESS);
  if (w.err) fprintf(stderr, "rank %d: %s\n", now.rank, w.message);
  CU_ASSERT_EQUAL(memory.blocks, 0);
  failing_memory_close(&memory);
}

static bool can_write_hdf5(void)
{
  static const char *const options[] = {"backend=seq", NULL};
  const pl_settings settings = {.options = options};
  pl_context *pl;
  bool can = false;
  if (!pl_init(NULL, NULL, &settings, &pl)) can = !pl_hdf5_write(pl, sandbox_path(now.folder, "probe.h5"));
  pl_finalize(&pl);
  return votes(can) == now.ranks;
}

/* Each fault on each rank: an error with its message on all ranks. */
static void each_fault(void)
{
  job w;
  share_room();
  bool files = can_write_hdf5();
  for (now.fault = 1; now.fault < FAULTS; now.fault++)
    for (now.at = 0; now.at < now.ranks; now.at++) {
      if (now.fault == NO_FILE && !files) continue;
      failing_memory_open(&memory);
      run_once(&w, &memory, 0);
      bool reported = w.err && (here(EARLY_END) || (strstr(w.message, faults[now.fault].words[0]) &&
                                                    strstr(w.message, faults[now.fault].words[1])));
      if (!reported)
        fprintf(stderr, "rank %d, %s on rank %d: error %d, \"%s\"\n", now.rank, faults[now.fault].name,
                now.at, (int)w.err, w.message);
      CU_ASSERT_EQUAL(votes(reported), now.ranks);
      if (!faults[now.fault].lasts) CU_ASSERT_EQUAL(memory.blocks, 0);
      failing_memory_close(&memory);
    }
}

/* Each allocation of pl_init fails on one rank: pl_init fails on all ranks. */
static void memory_runs_out_early(void)
{
  job w;
  share_room();
  now.fault = NOTHING;
  now.early = true;
  for (now.at = 0; now.at < now.ranks; now.at++)
    for (long n = 1;; n++) {
      failing_memory_open(&memory);
      run_once(&w, &memory, now.rank == now.at ? n : 0);
      bool reached = now.rank == now.at && memory.failed > 0, reported = w.err == PL_ERR_MEMORY;
      int all = votes(reached), failed = votes(reported);
      if (all && failed != now.ranks)
        fprintf(stderr, "rank %d, allocation %ld of rank %d: error %d, \"%s\"\n", now.rank, n, now.at,
                (int)w.err, w.message);
      CU_ASSERT_TRUE(!all || failed == now.ranks);
      failing_memory_close(&memory);
      if (!all) break;
    }
  now.early = false;
}

/* Allocations fail on one rank: all ranks continue, or none. A local call fails on this rank only, and the
 * others detect it in their next call; declarations of mixed spaces are collective. */
static void fail_allocations(long stride)
{
  job w;
  share_room();
  now.fault = NOTHING;
  for (now.at = 0; now.at < now.ranks; now.at++) {
    int failed = 1;
    for (long n = 1 + now.at; failed > 0 || n < 400; n += stride) {
      failing_memory_open(&memory);
      run_once(&w, &memory, now.rank == now.at ? n : 0);
      bool reached = now.rank == now.at && memory.failed > 0;
      failed = votes(w.err != PL_SUCCESS);
      if (failed && failed != now.ranks)
        fprintf(stderr, "rank %d, allocation %ld of rank %d: error %d, \"%s\"\n", now.rank, n, now.at,
                (int)w.err, w.message);
      CU_ASSERT_TRUE(failed == 0 || failed == now.ranks);
      CU_ASSERT_TRUE(!failed || w.err == PL_ERR_MEMORY ||
                     (!now.mixed && now.rank != now.at && w.err == PL_ERR_COMM));
      failing_memory_close(&memory);
      if (votes(reached) == 0) break;
    }
  }
}

static void memory_runs_out(void)
{
  fail_allocations(7);
}

/* Each allocation, on one of the ranks. */
static void memory_runs_out_in_mixed_spaces(void)
{
  now.mixed = true;
  fail_allocations(now.ranks);
  now.mixed = false;
}

static CU_TestInfo tests[] = {{"nothing fails", whole},
                              {"each step on each rank", each_fault},
                              {"memory runs out in pl_init", memory_runs_out_early},
                              {"memory runs out on one rank", memory_runs_out},
                              {"memory runs out in mixed spaces", memory_runs_out_in_mixed_spaces},
                              CU_TEST_INFO_NULL};

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &now.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &now.ranks);
  const struct itimerval each_second = {{1, 0}, {1, 0}};
  const struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &each_second, NULL);
  sandbox_clear_options();
  int result = sandbox_main("ranks", tests);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
  MPI_Finalize();
  return result;
}
