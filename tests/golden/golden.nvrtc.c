/* SPDX-License-Identifier: BSD-2-Clause
 * Hands the golden CUDA texts to NVRTC, as the backend does, but without its -w: a warning is a failure here.
 * No GPU is needed. NVRTC is opened at run time by the few prototypes below; exit status 77 where there is
 * none.
 *
 *   golden_nvrtc FOLDER
 */
#include <dirent.h>
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

static bool read_text(const char *folder, const char *name, char *text)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(text, 1, MOST_TEXT - 1, file) : 0;
  if (file) fclose(file);
  text[length] = '\0';
  return length > 0 && length < MOST_TEXT - 1;
}

/* Whether it compiles, and what the compiler said (to be freed). */
static bool compile(const nvrtc *n, const char *name, const char *text, char **log)
{
  static const char *const flags[] = {"--gpu-architecture=compute_90", "-std=c++17"};
  program_handle program;
  size_t size = 0;
  *log = NULL;
  if (n->create(&program, text, name, 0, NULL, NULL)) return false;
  bool good = n->compile(program, sizeof flags / sizeof *flags, flags) == 0;
  n->log_size(program, &size);
  if ((*log = calloc(size + 1, 1))) n->log(program, *log);
  n->destroy(&program);
  return good && *log;
}

static bool compiles_silently(const nvrtc *n, const char *name, const char *text)
{
  char *log;
  bool good = compile(n, name, text, &log) && !*log;
  if (!good) fprintf(stderr, "golden_nvrtc: %s\n%s\n", name, log ? log : "");
  free(log);
  return good;
}

/* A compiler that takes everything, or never warns, would prove nothing. */
static bool complains(const nvrtc *n)
{
  char *error, *warning;
  bool refused = !compile(n, "nonsense", "__global__ void f() { no_such_thing; }\n", &error);
  bool warned = compile(n, "unused", "__global__ void f() { int unused; }\n", &warning) && *warning;
  free(error);
  free(warning);
  return refused && warned;
}

static bool is_text(const char *name)
{
  size_t length = strlen(name);
  return length > 3 && !strcmp(name + length - 3, ".cu");
}

static int compile_all(const nvrtc *n, const char *folder)
{
  char *text = malloc(MOST_TEXT);
  DIR *open_folder = opendir(folder);
  int compiled = 0, bad = 0, major = 0, minor = 0;
  for (struct dirent *entry; text && open_folder && (entry = readdir(open_folder));) {
    if (!is_text(entry->d_name)) continue;
    bad += !read_text(folder, entry->d_name, text) || !compiles_silently(n, entry->d_name, text);
    compiled++;
  }
  if (open_folder) closedir(open_folder);
  free(text);
  n->version(&major, &minor);
  printf("%d texts compiled by NVRTC %d.%d, %d of them with complaints\n", compiled, major, minor, bad);
  return bad > 0 || compiled == 0 || !complains(n);
}

int main(int argc, char **argv)
{
  nvrtc n;
  if (argc != 2) {
    fprintf(stderr, "usage: golden_nvrtc FOLDER\n");
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
  return compile_all(&n, argv[1]);
}
