/* SPDX-License-Identifier: BSD-2-Clause
 * A file that is written replaces its predecessor only once it is complete: after a write that fails, on one
 * rank or on all, the previous file is there, and nothing else.
 *
 * test_parallel_file [ranks]    with the word under mpirun
 */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "checks.h"
#include "core/comm/comm.h"
#include "failing_memory.h"
#include "suite.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 6000 };

static char folder[64];

/* A dat of N elements over all ranks, and a folder of its own for the files. */
typedef struct world {
  pl_context *pl;
  pl_set *set, *none;
  pl_dat *x, *empty;
  bool first;
} world;

typedef pl_err (*writer)(world *w, const char *path);

static pl_err write_npy(world *w, const char *path)
{
  return pl_dat_save(w->x, path);
}

/* A file without rows. */
static pl_err write_header(world *w, const char *path)
{
  return pl_dat_save(w->empty, path);
}

static pl_err write_hdf5(world *w, const char *path)
{
  return pl_hdf5_write(w->pl, path);
}

static const writer writers[] = {write_npy, write_hdf5};
enum { WRITERS = PLAIT_HAVE_HDF5 ? 2 : 1 };

static const char *in_folder(const char *name)
{
  static char path[2][400];
  static int turn;
  turn = !turn;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

static int count_files(void)
{
  int n = 0;
  DIR *list = opendir(folder);
  CU_ASSERT_PTR_NOT_NULL_FATAL(list);
  for (const struct dirent *d; (d = readdir(list));) n += d->d_name[0] != '.';
  closedir(list);
  return n;
}

static void open_world(world *w)
{
  w->pl = CONTEXT("backend=seq", "mpi=auto");
  w->first = pl_rank(w->pl) == 0;
  PL_OK(w->pl, pl_decl_set(w->pl, N / pl_ranks(w->pl), "set", &w->set));
  PL_OK(w->pl, pl_decl_set(w->pl, 0, "none", &w->none));
  PL_OK(w->pl, pl_decl_dat(w->set, 1, PL_DOUBLE, NULL, "x", &w->x));
  PL_OK(w->pl, pl_decl_dat(w->none, 1, PL_DOUBLE, NULL, "empty", &w->empty));
  if (w->first) CU_ASSERT_EQUAL(mkdir(folder, 0700), 0);
  PL_OK(w->pl, pl_comm_barrier(w->pl));
}

static void close_world(world *w)
{
  PL_OK(w->pl, pl_comm_barrier(w->pl));
  if (w->first) CU_ASSERT_EQUAL(rmdir(folder), 0);
  pl_finalize(&w->pl);
}

static void remove_file(world *w, const char *path)
{
  PL_OK(w->pl, pl_comm_barrier(w->pl));
  if (w->first) CU_ASSERT_EQUAL(unlink(path), 0);
  PL_OK(w->pl, pl_comm_barrier(w->pl));
}

/* The bytes of a file, freed by the caller. */
static char *contents(const char *path, size_t *size)
{
  struct stat info;
  FILE *file = fopen(path, "rb");
  CU_ASSERT_TRUE_FATAL(file && !stat(path, &info));
  *size = (size_t)info.st_size;
  char *bytes = malloc(*size + 1);
  CU_ASSERT_EQUAL(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

/* No file may grow beyond so many bytes; 0: no limit. */
static void limit_files(rlim_t bytes)
{
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes ? bytes : limit.rlim_max;
  CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Writes with a limit on one rank, or on all (-1). */
static void fail_on(world *w, writer write, const char *path, int rank, rlim_t limit)
{
  size_t size, now;
  PL_OK(w->pl, pl_dat_fill(w->x, 1));
  OK(write(w, path));
  PL_OK(w->pl, pl_comm_barrier(w->pl));
  char *before = contents(path, &size);
  PL_OK(w->pl, pl_dat_fill(w->x, 2));
  if (rank < 0 || rank == pl_rank(w->pl)) limit_files(limit);
  CU_ASSERT_EQUAL(write(w, path), PL_ERR_IO);
  limit_files(0);
  PL_OK(w->pl, pl_comm_barrier(w->pl));
  char *after = contents(path, &now);
  CU_ASSERT_EQUAL_FATAL(now, size);
  CU_ASSERT_EQUAL(memcmp(before, after, size), 0);
  CU_ASSERT_EQUAL(count_files(), 1);
  free(before);
  free(after);
  OK(write(w, path)); /* and the next one succeeds */
  PL_OK(w->pl, pl_comm_barrier(w->pl));
  CU_ASSERT_EQUAL(count_files(), 1);
  remove_file(w, path);
}

static void failing_writes(void)
{
  world w;
  open_world(&w);
  for (int k = 0; k < WRITERS; k++) {
    fail_on(&w, writers[k], in_folder("file"), -1, 1);
    fail_on(&w, writers[k], in_folder("file"), -1, 1000);
    fail_on(&w, writers[k], in_folder("file"), -1, 8 * N - 100);
    fail_on(&w, writers[k], in_folder("file"), pl_ranks(w.pl) - 1, 1000);
  }
  fail_on(&w, write_header, in_folder("file"), -1, 1);
  close_world(&w);
}

static int open_files(void)
{
  int n = 0;
  for (int file = 0; file < 256; file++) n += fcntl(file, F_GETFD) >= 0;
  return n;
}

static void closed_files(void)
{
  world w;
  open_world(&w);
  for (int k = 0; k < WRITERS; k++) {
    OK(writers[k](&w, in_folder("file"))); /* loads libraries */
    const int files = open_files();
    OK(writers[k](&w, in_folder("file")));
    CU_ASSERT_EQUAL(open_files(), files);
    remove_file(&w, in_folder("file"));
  }
  close_world(&w);
}

/* A link keeps leading to the file, the file keeps its permissions, and only a plain file is replaced. */
static void kinds_of_targets(void)
{
  world w;
  struct stat info;
  open_world(&w);
  for (int k = 0; k < WRITERS; k++) {
    OK(writers[k](&w, in_folder("file")));
    PL_OK(w.pl, pl_comm_barrier(w.pl));
    if (w.first) CU_ASSERT_EQUAL(chmod(in_folder("file"), 0640), 0);
    if (w.first) CU_ASSERT_EQUAL(symlink("file", in_folder("link")), 0);
    PL_OK(w.pl, pl_comm_barrier(w.pl));
    OK(writers[k](&w, in_folder("link")));
    CU_ASSERT_TRUE(!lstat(in_folder("link"), &info) && S_ISLNK(info.st_mode));
    CU_ASSERT_TRUE(!lstat(in_folder("file"), &info) && S_ISREG(info.st_mode));
    CU_ASSERT_EQUAL(info.st_mode & 0777, 0640);
    remove_file(&w, in_folder("file"));
    remove_file(&w, in_folder("link"));
    if (w.first) CU_ASSERT_EQUAL(mkfifo(in_folder("pipe"), 0600), 0);
    PL_OK(w.pl, pl_comm_barrier(w.pl));
    FAILS_IN(w.pl, writers[k](&w, in_folder("pipe")), PL_ERR_IO, "not a regular file");
    FAILS_IN(w.pl, writers[k](&w, folder), PL_ERR_IO, "not a regular file");
    CU_ASSERT_TRUE(!lstat(in_folder("pipe"), &info) && S_ISFIFO(info.st_mode));
    CU_ASSERT_EQUAL(count_files(), 1);
    remove_file(&w, in_folder("pipe"));
  }
  close_world(&w);
}

/* Each allocation of a call fails in turn: the previous file stays, nothing else, and no memory is lost. */
static void failing_allocations(void)
{
  static failing_memory memory;
  static const char *const options[] = {"backend=seq", "mpi=off", NULL};
  const pl_settings settings = {.options = options, .realloc = failing_realloc, .realloc_user = &memory};
  const char *path = in_folder("file");
  world w;
  pl_map *map;
  struct stat old, now;
  failing_memory_open(&memory);
  PL_OK(w.pl, pl_init(NULL, NULL, &settings, &w.pl));
  PL_OK(w.pl, pl_decl_set(w.pl, 2, "set", &w.set));
  PL_OK(w.pl, pl_decl_dat(w.set, 1, PL_DOUBLE, NULL, "x", &w.x));
  PL_OK(w.pl, pl_decl_map_ragged(w.set, w.set, (int[]){0, 1, 3}, (int[]){1, 0, 1}, "map", &map));
  CU_ASSERT_EQUAL(mkdir(folder, 0700), 0);
  for (int k = 0; k < WRITERS; k++) {
    OK(writers[k](&w, path));
    CU_ASSERT_EQUAL(stat(path, &old), 0);
    pl_err err = PL_ERR_MEMORY;
    for (long n = 0; n < 100 && err; n++) {
      failing_memory_start(&memory, n, false);
      err = writers[k](&w, path);
      CU_ASSERT_TRUE(!err || err == PL_ERR_MEMORY);
      CU_ASSERT_EQUAL(stat(path, &now), 0);
      CU_ASSERT_TRUE(!err || now.st_ino == old.st_ino);
      CU_ASSERT_EQUAL(count_files(), 1);
    }
    failing_memory_stop(&memory);
    CU_ASSERT_EQUAL(err, PL_SUCCESS);
    CU_ASSERT_EQUAL(unlink(path), 0);
  }
  CU_ASSERT_EQUAL(rmdir(folder), 0);
  pl_finalize(&w.pl);
  CU_ASSERT_EQUAL(memory.blocks, 0);
  failing_memory_close(&memory);
}

/* ---- what killed processes leave ---- */

static void leave_file(const char *name)
{
  FILE *file = fopen(in_folder(name), "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fclose(file);
}

/* The number of a process that has ended. */
static long ended_process(void)
{
  const pid_t child = fork();
  if (child == 0) _exit(0);
  CU_ASSERT_EQUAL(waitpid(child, NULL, 0), child);
  return (long)child;
}

/* Removed are files of a process that has ended, unless another machine may hold them by a lock. */
static void left_files(void)
{
  world w;
  char left[2][64], kept[4][64];
  int lock = -1;
  open_world(&w);
  if (w.first) {
    const long ended = ended_process();
    for (int k = 0; k < 2; k++) snprintf(left[k], sizeof left[k], "file.tmp-%ld-%d", ended, k);
    snprintf(kept[0], sizeof kept[0], "file.tmp-%ld-7", (long)getpid());
    snprintf(kept[1], sizeof kept[1], "file.tmp-%ld-2", ended);
    snprintf(kept[2], sizeof kept[2], "file.tmp-%ld-0.h5", ended);
    snprintf(kept[3], sizeof kept[3], "other.tmp-%ld-0", ended);
    for (int k = 0; k < 2; k++) leave_file(left[k]);
    for (int k = 0; k < 4; k++) leave_file(kept[k]);
    struct flock whole = {.l_type = F_WRLCK}; /* of all bytes */
    lock = open(in_folder(kept[1]), O_WRONLY);
    CU_ASSERT_EQUAL(fcntl(lock, F_OFD_SETLK, &whole), 0);
  }
  PL_OK(w.pl, pl_comm_barrier(w.pl));
  OK(write_npy(&w, in_folder("file")));
  PL_OK(w.pl, pl_comm_barrier(w.pl));
  CU_ASSERT_EQUAL(count_files(), 5);
  PL_OK(w.pl, pl_comm_barrier(w.pl));
  for (int k = 0; w.first && k < 4; k++) CU_ASSERT_EQUAL(unlink(in_folder(kept[k])), 0);
  if (lock >= 0) close(lock);
  remove_file(&w, in_folder("file"));
  close_world(&w);
}

/* The inode of a file; 0: there is none. */
static ino_t inode(const char *name)
{
  struct stat info;
  return stat(in_folder(name), &info) ? 0 : info.st_ino;
}

/* The previous checkpoints move up, the oldest one goes. */
static void previous_files(void)
{
  world w;
  ino_t written[5];
  open_world(&w);
  for (int k = 0; WRITERS > 1 && k < 5; k++) {
    OK(pl_checkpoint_keep(w.pl, in_folder("file"), k == 4 ? 0 : 2));
    PL_OK(w.pl, pl_comm_barrier(w.pl));
    written[k] = inode("file");
    CU_ASSERT_EQUAL(inode("file.1"), k == 0 ? 0 : written[k == 4 ? 2 : k - 1]);
    CU_ASSERT_EQUAL(inode("file.2"), k < 2 ? 0 : written[k == 4 ? 1 : k - 2]);
    PL_OK(w.pl, pl_comm_barrier(w.pl));
  }
  if (WRITERS > 1) {
    OK(pl_restore(w.pl, in_folder("file.2")));
    FAILS_IN(w.pl, pl_checkpoint_keep(w.pl, in_folder("file"), -1), PL_ERR_ARG, "keep 0 to 1000");
    remove_file(&w, in_folder("file"));
    remove_file(&w, in_folder("file.1"));
    remove_file(&w, in_folder("file.2"));
  }
  close_world(&w);
}

/* Under mpirun without the last, which is of one rank. */
static CU_TestInfo tests[] = {{"failing writes", failing_writes},
                              {"closed files", closed_files},
                              {"kinds of targets", kinds_of_targets},
                              {"left files", left_files},
                              {"previous files", previous_files},
                              {"failing allocations", failing_allocations},
                              CU_TEST_INFO_NULL};

int main(int argc, char **argv)
{
  snprintf(folder, sizeof folder, "test_parallel_file%s", argc > 1 ? argv[1] : "");
  if (argc > 1) tests[5] = (CU_TestInfo)CU_TEST_INFO_NULL;
  return suite_run("parallel files", tests);
}
