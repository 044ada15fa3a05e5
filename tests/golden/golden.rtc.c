/* SPDX-License-Identifier: BSD-2-Clause
 * Hands CUDA texts to NVRTC or HIP texts to HIPRTC, as the backends do. Without -w, a warning of NVRTC is a
 * failure. Kernels of loops wait before everything else (waits_first). No GPU is needed. The compiler is
 * opened at run time by the few prototypes below; exit status 77 where there is none.
 *
 *   golden_rtc nvrtc|hiprtc [-w] FILE...
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, MOST_TEXT = 1 << 22 };

/* From the documented interfaces: results are 0 for success. */
typedef void *program_handle;
typedef struct compiler {
  int (*create)(program_handle *, const char *, const char *, int, const char *const *, const char *const *);
  int (*compile)(program_handle, int, const char *const *);
  int (*log_size)(program_handle, size_t *);
  int (*log)(program_handle, char *);
  int (*destroy)(program_handle *);
  int (*version)(int *, int *);
  int (*code_size)(program_handle, size_t *); /* PTX, of NVRTC only */
  int (*code)(program_handle, char *);
  const char *name, *target, *unqualified, *quiet;
} compiler;

static void *open_library(const char *compiler)
{
  static const char *const nvrtc[] = {"libnvrtc.so.13",
                                      "libnvrtc.so.12",
                                      "libnvrtc.so",
                                      "/usr/local/cuda/lib64/libnvrtc.so",
                                      "/usr/local/cuda/lib/libnvrtc.so",
                                      NULL},
                           *const hiprtc[] = {"libhiprtc.so", "libamdhip64.so.5", "libamdhip64.so", NULL};
  void *library = NULL;
  for (const char *const *name = strcmp(compiler, "nvrtc") ? hiprtc : nvrtc; *name && !library; name++)
    library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
  return library;
}

static bool take_functions(compiler *n, void *library)
{
  const struct {
    void *to;
    const char *name;
  } wanted[] = {{&n->create, "CreateProgram"},       {&n->compile, "CompileProgram"},
                {&n->log_size, "GetProgramLogSize"}, {&n->log, "GetProgramLog"},
                {&n->destroy, "DestroyProgram"},     {&n->version, "Version"}};
  bool all = true;
  void *size = dlsym(library, "nvrtcGetPTXSize"), *code = dlsym(library, "nvrtcGetPTX");
  memcpy(&n->code_size, &size, sizeof size);
  memcpy(&n->code, &code, sizeof code);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", n->name, wanted[i].name);
    void *function = dlsym(library, name);
    memcpy(wanted[i].to, &function, sizeof function);
    all &= function != NULL;
  }
  return all;
}

static bool read_text(const char *path, char *text)
{
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(text, 1, MOST_TEXT - 1, file) : 0;
  if (file) fclose(file);
  text[length] = '\0';
  return length > 0 && length < MOST_TEXT - 1;
}

/* Instructions that no thread may reach before it has waited: loads but of parameters, stores, atomics, ends,
 * branches, so that every thread waits. In PTX. */
static bool acts_before(const char *entry, const char *wait)
{
  static const char *const acts[] = {"ld.",   "st.", "atom.", "red.", "ret;",
                                     "exit;", "bra", "call",  "@",    NULL};
  for (const char *line = entry; line < wait; line = strchr(line, '\n') + 1) {
    const char *word = line + strspn(line, " \t");
    for (const char *const *act = acts; *act; act++)
      if (!strncmp(word, *act, strlen(*act)) && strncmp(word, "ld.param", 8)) return true;
  }
  return false;
}

/* Kernels of loops may start while the one before them ends: they wait first, and load no data as such that
 * do not change while a kernel runs, except for tables of the kernel's text. No kernel lets the next one
 * start before it has ended. */
static bool waits_first(const char *code)
{
  static const char *const kernels[] = {".entry pl_run(", ".entry pl_sum(", ".entry pl_finish(", NULL};
  bool good = !strstr(code, "griddepcontrol.launch_dependents");
  for (const char *const *kernel = kernels; *kernel; kernel++) {
    const char *entry = strstr(code, *kernel), *wait = entry ? strstr(entry, "griddepcontrol.wait") : NULL;
    const char *next = entry ? strstr(entry + 1, ".entry ") : NULL;
    if (!entry) continue;
    good = good && wait && (!next || wait < next) && !acts_before(entry, wait);
    good = good && (strstr(code, "\n.global ") || !strstr(code, "ld.global.nc"));
  }
  return good;
}

static bool code_is_good(const compiler *n, program_handle program)
{
  size_t size = 0;
  if (!n->code || n->code_size(program, &size)) return true;
  char *code = calloc(size + 1, 1);
  const bool good = code && !n->code(program, code) && waits_first(code);
  free(code);
  return good;
}

/* Whether it compiles to good code, and what the compiler said (to be freed). */
static bool compile(const compiler *n, bool quiet, const char *name, const char *text, char **log)
{
  const char *const flags[] = {n->target, "-std=c++17", n->unqualified, n->quiet};
  program_handle program;
  size_t size = 0;
  *log = NULL;
  if (n->create(&program, text, name, 0, NULL, NULL)) return false;
  bool good = n->compile(program, quiet ? 4 : 3, flags) == 0;
  n->log_size(program, &size);
  if ((*log = calloc(size + 1, 1))) n->log(program, *log);
  if (good && !code_is_good(n, program)) {
    fprintf(stderr, "golden_rtc: %s: a kernel of a loop does not wait first\n", name);
    good = false;
  }
  n->destroy(&program);
  return good && *log;
}

static bool compiles_silently(const compiler *n, bool quiet, const char *name, const char *text)
{
  char *log;
  bool good = compile(n, quiet, name, text, &log) && !*log;
  if (!good) fprintf(stderr, "golden_rtc: %s\n%s\n", name, log ? log : "");
  free(log);
  return good;
}

/* A compiler that takes everything, or never warns, would prove nothing. */
static bool complains(const compiler *n, bool quiet)
{
  static const char head[] = "extern \"C\" __global__ void f() ";
  char text[200], *error, *warning;
  snprintf(text, sizeof text, "%s{ no_such_thing; }\n", head);
  bool refused = !compile(n, false, "nonsense", text, &error);
  snprintf(text, sizeof text, "#warning here\n%s{ }\n", head);
  bool warned = quiet || (compile(n, false, "warning", text, &warning) && *warning);
  free(error);
  if (!quiet) free(warning);
  return refused && warned;
}

static int compile_all(const compiler *n, bool quiet, int nfiles, char **files)
{
  char *text = malloc(MOST_TEXT);
  int bad = 0, major = 0, minor = 0;
  for (int i = 0; text && i < nfiles; i++)
    bad += !read_text(files[i], text) || !compiles_silently(n, quiet, files[i], text);
  n->version(&major, &minor);
  printf("%d texts compiled by %s %d.%d, %d of them with complaints\n", nfiles, n->name, major, minor, bad);
  bool failed = !text || bad > 0 || !complains(n, quiet);
  free(text);
  return failed;
}

int main(int argc, char **argv)
{
  bool quiet = argc > 2 && !strcmp(argv[2], "-w");
  if (argc < 3 + quiet) {
    fprintf(stderr, "usage: golden_rtc nvrtc|hiprtc [-w] FILE...\n");
    return 2;
  }
  bool nvidia = !strcmp(argv[1], "nvrtc");
  compiler n = {.name = argv[1],
                .target = nvidia ? "--gpu-architecture=compute_90" : "--offload-arch=gfx90a",
                .unqualified = nvidia ? "--device-as-default-execution-space" : "-std=c++17",
                .quiet = nvidia ? "-w" : "-Wno-everything"};
  void *library = open_library(argv[1]);
  if (!library) {
    printf("skipped: lib%s was not found, so it compiled no text\n", argv[1]);
    return SKIPPED;
  }
  if (!take_functions(&n, library)) {
    fprintf(stderr, "golden_rtc: the library lacks a function\n");
    return 1;
  }
  return compile_all(&n, quiet, argc - 2 - quiet, argv + 2 + quiet);
}
