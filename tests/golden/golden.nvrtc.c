/* SPDX-License-Identifier: BSD-2-Clause
 * Hands CUDA texts to NVRTC, as the backend does. Without its -w, a warning is a failure.
 * No GPU is needed. NVRTC is opened at run time by the few prototypes below; exit status 77 where there is
 * none.
 *
 *   golden_nvrtc [-w] FILE...
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, MOST_TEXT = 1 << 20 };

/* From NVRTC's documented interface: results are 0 for success. */
typedef void *program_handle;
typedef struct nvrtc {
  int (*create)(program_handle *, const char *, const char *, int, const char *const *, const char *const *);
  int (*compile)(program_handle, int, const char *const *);
  int (*log_size)(program_handle, size_t *);
  int (*log)(program_handle, char *);
  int (*destroy)(program_handle *);
  int (*version)(int *, int *);
} nvrtc;

static void *open_library(void)
{
  static const char *const names[] = {"libnvrtc.so.13",
                                      "libnvrtc.so.12",
                                      "libnvrtc.so",
                                      "/usr/local/cuda/lib64/libnvrtc.so",
                                      "/usr/local/cuda/lib/libnvrtc.so",
                                      NULL};
  void *library = NULL;
  for (const char *const *name = names; *name && !library; name++)
    library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
  return library;
}

static bool take_functions(nvrtc *n, void *library)
{
  const struct {
    void *to;
    const char *name;
  } wanted[] = {{&n->create, "nvrtcCreateProgram"},       {&n->compile, "nvrtcCompileProgram"},
                {&n->log_size, "nvrtcGetProgramLogSize"}, {&n->log, "nvrtcGetProgramLog"},
                {&n->destroy, "nvrtcDestroyProgram"},     {&n->version, "nvrtcVersion"}};
  bool all = true;
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    void *function = dlsym(library, wanted[i].name);
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

/* Whether it compiles, and what the compiler said (to be freed). */
static bool compile(const nvrtc *n, bool quiet, const char *name, const char *text, char **log)
{
  static const char *const flags[] = {"--gpu-architecture=compute_90", "-std=c++17", "-w"};
  program_handle program;
  size_t size = 0;
  *log = NULL;
  if (n->create(&program, text, name, 0, NULL, NULL)) return false;
  bool good = n->compile(program, quiet ? 3 : 2, flags) == 0;
  n->log_size(program, &size);
  if ((*log = calloc(size + 1, 1))) n->log(program, *log);
  n->destroy(&program);
  return good && *log;
}

static bool compiles_silently(const nvrtc *n, bool quiet, const char *name, const char *text)
{
  char *log;
  bool good = compile(n, quiet, name, text, &log) && !*log;
  if (!good) fprintf(stderr, "golden_nvrtc: %s\n%s\n", name, log ? log : "");
  free(log);
  return good;
}

/* A compiler that takes everything, or never warns, would prove nothing. */
static bool complains(const nvrtc *n)
{
  char *error, *warning;
  bool refused = !compile(n, false, "nonsense", "__global__ void f() { no_such_thing; }\n", &error);
  bool warned = compile(n, false, "unused", "__global__ void f() { int unused; }\n", &warning) && *warning;
  free(error);
  free(warning);
  return refused && warned;
}

static int compile_all(const nvrtc *n, bool quiet, int nfiles, char **files)
{
  char *text = malloc(MOST_TEXT);
  int bad = 0, major = 0, minor = 0;
  for (int i = 0; text && i < nfiles; i++)
    bad += !read_text(files[i], text) || !compiles_silently(n, quiet, files[i], text);
  n->version(&major, &minor);
  printf("%d texts compiled by NVRTC %d.%d, %d of them with complaints\n", nfiles, major, minor, bad);
  bool failed = !text || bad > 0 || !complains(n);
  free(text);
  return failed;
}

int main(int argc, char **argv)
{
  nvrtc n;
  bool quiet = argc > 1 && !strcmp(argv[1], "-w");
  if (argc < 2 + quiet) {
    fprintf(stderr, "usage: golden_nvrtc [-w] FILE...\n");
    return 2;
  }
  void *library = open_library();
  if (!library) {
    printf("skipped: libnvrtc was not found, so NVRTC compiled no text\n");
    return SKIPPED;
  }
  if (!take_functions(&n, library)) {
    fprintf(stderr, "golden_nvrtc: the library lacks a function\n");
    return 1;
  }
  return compile_all(&n, quiet, argc - 1 - quiet, argv + 1 + quiet);
}
