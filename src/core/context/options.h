/* SPDX-License-Identifier: BSD-2-Clause
 * Options: the table of names, defaults, kinds and help texts, and their values in a context. Sources in
 * rising priority: default, environment PLAIT_NAME, command line --plait-name=value, settings in code.
 */
#pragma once

#include "string_builder.h"
#include <stdbool.h>

#if PLAIT_HAVE_OPENMP
#define PL_DEFAULT_BACKEND "openmp"
#else
#define PL_DEFAULT_BACKEND "seq"
#endif

/* X(ENUM, name, default, kind, fixed, help). kind: TEXT (any), BACKEND (the name of one), FLAG (0/1/on/off),
 * COUNT (integer >= 0), or a list of words "a|b|c". fixed: may not change after pl_init. */
#define PL_OPTION_LIST(X)                                                                                    \
  X(BACKEND, "backend", PL_DEFAULT_BACKEND, "BACKEND", true, "where loops run")                              \
  X(DEVICE, "device", "", "TEXT", true, "the device: a number, platform:device, or part of its name")        \
  X(BLOCK_SIZE, "block_size", "0", "COUNT", false, "elements per block of a plan (0: Plait chooses)")        \
  X(CONFLICT, "conflict", "auto", "auto|colour|stage|atomic|combine|gather|store", false,                    \
    "strategy that resolves conflicting writes")                                                             \
  X(SHAPE, "shape", "auto", "auto|scalar|lanes|transpose", false, "SIMD form of generated host code")        \
  X(LIST, "list", "auto", "auto|full|half", false, "pair loops: each pair from both sides (full), or once")  \
  X(LAYOUT, "layout", "auto", "LAYOUT", false,                                                               \
    "layout of dats on devices: auto, aos, soa, soa:M, aosoa:N or aosoa:N,M")                                \
  X(PRECISION, "precision", "double", "single|double|mixed", false,                                          \
    "pl_real_type and pl_mixed_type: both float (single), both double, float and double (mixed)")            \
  X(RENUMBER, "renumber", "auto", "auto|off|rcm|metis", false,                                               \
    "storage order: renumber large sets in a bad order (auto), never (off), or always by this method")       \
  X(LAZY, "lazy", "0", "FLAG", false, "record loops until a result is needed")                               \
  X(TILE, "tile", "0", "COUNT", false,                                                                       \
    "chains on hosts: elements of a tile (0: Plait measures and chooses; 1: no tiles)")                      \
  X(SHARE, "share", "auto", "auto|on|off", false,                                                            \
    "one launch for recorded loops over different sets: if small, on devices (auto), always, never")         \
  X(EARLY, "early", "1", "FLAG", true, "CUDA: a loop's kernel may start while the one before it ends")       \
  X(CHECK, "check", "0", "FLAG", false, "check accesses and compare every loop with a plain run")            \
  X(REPRODUCIBLE, "reproducible", "0", "FLAG", false, "same bits for any number of threads")                 \
  X(CC, "cc", "", "TEXT", true, "compiler for host code (default: the one the library was built with)")      \
  X(CFLAGS, "cflags", "", "TEXT", true, "additional flags of the compiler")                                  \
  X(LDFLAGS, "ldflags", "", "TEXT", true, "additional flags when host code is linked")                       \
  X(OPTIMIZE, "optimize", "auto", "auto|full|quick", false,                                                  \
    "host code: compiled quickly first, and fully once a loop has cost 20 ms (auto), or always one of "      \
    "these")                                                                                                 \
  X(DEBUG, "debug", "0", "FLAG", true, "compile generated code with -O0 -g and keep its source")             \
  X(CACHE_DIR, "cache_dir", "", "PATH", true,                                                                \
    "folder of the cache (default: $XDG_CACHE_HOME/plait or ~/.cache/plait)")                                \
  X(CACHE_SIZE, "cache_size", "1024", "COUNT", true,                                                         \
    "maximum size of the cache in megabytes (0: no disk cache)")                                             \
  X(JIT, "jit", "on", "on|off", true, "off: call kernels compiled into the program, slower")                 \
  X(MPI, "mpi", "auto", "auto|on|off", true, "use MPI: on, off, or if started by a launcher (auto)")         \
  X(MODULES, "modules", "", "PATH", true,                                                                    \
    "folder of the modules libplait-mpi.so, ... (default: the folder of libplait)")                          \
  X(TRANSPORT, "transport", "auto", "auto|shared|direct|staged", true,                                       \
    "halo exchange of devices: shared memory, MPI on device memory (direct), or through the host (staged)")  \
  X(HALO, "halo", "auto", "auto|redundant|reverse", false,                                                   \
    "increments across ranks: run the exec halo (redundant), send them to the owner (reverse), or choose")   \
  X(DUMP, "dump", "", "PATH", false, "folder that keeps the generated source of every loop")                 \
  X(PROFILE, "profile", "0", "TEXT", false, "write the profile at the end: 1, or a path (.csv, .json)")      \
  X(TOOLS, "tools", "", "TEXT", true, "tool libraries to attach, separated by ; or : (nvtx: NVTX ranges)")   \
  X(TRACE, "trace", "", "PATH", true, "write a trace of all ranks at the end, for Perfetto: a path")         \
  X(VERBOSE, "verbose", "0", "COUNT", false, "messages on stderr: 0 warnings, 1 events, 2 details")

/* Forms that only the library chooses. PLAIT_SHAPE accepts them for tests and benchmarks. */
#define PL_TUNED_FORMS "stream|wide|wide-stream|vector"

#define PL_OPTION_ENUM(id, name, value, kind, fixed, help) PL_OPT_##id,
typedef enum pl_option { PL_OPTION_LIST(PL_OPTION_ENUM) PL_OPT_COUNT } pl_option;
#undef PL_OPTION_ENUM

typedef struct pl_options {
  char *value[PL_OPT_COUNT];   /* never NULL once opened */
  bool on[PL_OPT_COUNT];       /* the value is that of a flag that is set */
  char *initial[PL_OPT_COUNT]; /* as after pl_init, for pl_reset_options */
} pl_options;

/* Sets all values from their sources; removes --plait-* from argc/argv; warns of unknown PLAIT_* names. */
pl_err pl_options_open(pl_context *pl, int *argc, char **argv, const char *const *settings);
void pl_options_close(pl_context *pl);

const char *pl_opt(const pl_context *pl, pl_option option);
bool pl_opt_flag(const pl_context *pl, pl_option option);
long pl_opt_count(const pl_context *pl, pl_option option);
bool pl_opt_is(const pl_context *pl, pl_option option, const char *word);

/* Appends the path of the cache: option cache_dir, else $XDG_CACHE_HOME/plait, else ~/.cache/plait, else
 * nothing. */
void pl_opt_cache_folder(const pl_context *pl, pl_string *path);

/* The member of the NULL-terminated `names` nearest to `name`, or NULL. */
const char *pl_nearest(const char *name, const char *const *names);

/* Changes after pl_init: checks a name and value and returns the option's number; sets a value; resets all to
 * those after pl_init. Local. */
pl_err pl_option_check(pl_context *pl, const char *name, const char *value, int *option);
pl_err pl_option_set(pl_context *pl, int option, const char *value);
pl_err pl_options_reset(pl_context *pl);
