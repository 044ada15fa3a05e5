/* SPDX-License-Identifier: BSD-2-Clause
 * Finding, identifying and running the host compiler.
 */
#define _GNU_SOURCE /* memmem */
#include "compiler.h"
#include "subprocess.h"
#include "core/data/objects.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The compiler the library was built with; recorded by the build. */
#ifndef PLAIT_DEFAULT_CC
#define PLAIT_DEFAULT_CC ""
#endif

#if defined(__x86_64__) || defined(__i386__)
enum { IS_X86 = true };
#else
enum { IS_X86 = false };
#endif

typedef struct tool {
  pl_string words;    /* "ccache", "gcc", ... */
  pl_string path;     /* the first word's executable; empty: not found */
  pl_string identity; /* every word with the file it names */
  pl_string missing;  /* the error message if it was not found */
  bool probed, contracts;
} tool;

struct pl_compiler {
  pl_context *pl;
  tool c, cpp;
  pl_string cpu; /* model and features */
  bool avx512;
};

static const tool *tool_for(const pl_compiler *compiler, int cpp)
{
  return cpp ? &compiler->cpp : &compiler->c;
}

/* ---- finding ---- */

static bool found_guess(tool *t, const char *name)
{
  if (!*name || !pl_subprocess_find(name, &t->path)) return false;
  pl_subprocess_add(&t->words, name);
  return true;
}

static void find_c(tool *t, const char *named)
{
  static const char *const guesses[] = {PLAIT_DEFAULT_CC, "cc", "gcc", "clang"};
  pl_subprocess_split(&t->words, named);
  if (t->words.length) {
    pl_subprocess_find(t->words.data, &t->path);
    pl_string_add(&t->missing, "the C compiler \"%s\" was not found: correct PLAIT_CC", named);
  } else {
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses && !found_guess(t, guesses[i]); i++) continue;
    pl_string_add(&t->missing,
                  "no C compiler was found in PATH (cc, gcc, clang): install one or name one in PLAIT_CC");
  }
  pl_string_add(&t->missing, ", or set PLAIT_JIT=off to call the program's own compiled kernels");
}

/* Finds `part` as a whole component of a program's name ("gcc" in "/usr/bin/x86_64-linux-gnu-gcc-12"). */
static const char *find_component(const char *name, const char *part)
{
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  for (const char *p = base; (p = strstr(p, part)); p++) {
    char after = p[strlen(part)];
    if ((p == base || p[-1] == '-') && (!after || after == '-')) return p;
  }
  return NULL;
}

/* Adds the C++ compiler that belongs to a C compiler ("gcc-12" -> "g++-12"); false if the name is unknown. */
static bool added_cpp_name(pl_string *words, const char *name)
{
  static const char *const pairs[][2] = {
    {"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}, {"icx", "icpx"}};
  for (size_t i = 0; *name != '-' && i < sizeof pairs / sizeof *pairs; i++) {
    const char *p = find_component(name, pairs[i][0]);
    if (!p) continue;
    pl_string_add(words, "%.*s%s", (int)(p - name), name, pairs[i][1]);
    pl_subprocess_add(words, p + strlen(pairs[i][0]));
    return true;
  }
  return false;
}

/* The C compiler's words with its name replaced, else c++. */
static void find_cpp(tool *t, const tool *c)
{
  bool known = false;
  for (const char *w = NULL; (w = pl_subprocess_next(&c->words, w));) {
    if (!known && added_cpp_name(&t->words, w))
      known = true;
    else
      pl_subprocess_add(&t->words, w);
  }
  pl_string_add(&t->missing,
                "no C++ compiler was found to go with the C compiler \"%s\": install one (g++, clang++)",
                pl_string_chars(&c->words));
  if (t->words.failed || (known && pl_subprocess_find(t->words.data, &t->path))) return;
  pl_string_free(&t->words);
  found_guess(t, "c++");
}

/* ---- identity ---- */

/* Adds real path, size and modification time of a file, if there is one. */
static void add_file(pl_string *text, const char *path)
{
  char real[PATH_MAX];
  struct stat info;
  if (stat(path, &info)) return;
  pl_string_add(text, " %s %lld %lld.%09ld", realpath(path, real) ? real : path, (long long)info.st_size,
                (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

static void identify(tool *t)
{
  for (const char *w = NULL; (w = pl_subprocess_next(&t->words, w));) {
    pl_string path;
    pl_string_init(&path, t->words.pl);
    pl_string_add(&t->identity, "compiler %s", w);
    if (pl_subprocess_find(w, &path)) add_file(&t->identity, pl_string_chars(&path));
    pl_string_add(&t->identity, "\n");
    t->identity.failed |= path.failed;
    pl_string_free(&path);
  }
}

/* Whether -march=native depends on this line of /proc/cpuinfo. */
static bool identifies_cpu(const char *line)
{
  static const char *const names[] = {
    "vendor_id", "cpu family", "model",    "model name",      "stepping",
    "flags",     "Features",   "isa",      "CPU implementer", "CPU architecture",
    "CPU part",  "cpu",        "features", "CPU variant",     "CPU revision"};
  size_t length = strcspn(line, ":\n");
  while (length && (line[length - 1] == '\t' || line[length - 1] == ' ')) length--;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (length == strlen(names[i]) && !strncmp(line, names[i], length)) return true;
  return false;
}

static void read_file_head(const char *path, char *buffer, size_t size)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  for (ssize_t n; fd >= 0 && (n = read(fd, buffer + length, size - 1 - length)) > 0;) length += (size_t)n;
  buffer[length] = '\0';
  if (fd >= 0) close(fd);
}

/* Reads the lines of the first processor; without any the host name identifies the processor. */
static void read_cpu(pl_compiler *compiler)
{
  char lines[16384];
  struct utsname machine = {.machine = ""};
  pl_string *cpu = &compiler->cpu;
  uname(&machine);
  pl_string_add(cpu, "machine %s\n", machine.machine);
  read_file_head("/proc/cpuinfo", lines, sizeof lines);
  for (char *line = lines; *line && *line != '\n'; line += *line == '\n') {
    size_t length = strcspn(line, "\n");
    if (identifies_cpu(line)) pl_string_add(cpu, "%.*s \n", (int)length, line);
    line += length;
  }
  if (cpu->lines < 2) pl_string_add(cpu, "node %s\n", machine.nodename);
  compiler->avx512 = strstr(pl_string_chars(cpu), " avx512f ") != NULL;
}

/* ---- open, close ---- */

static void tool_init(tool *t, pl_context *pl)
{
  pl_string_init(&t->words, pl);
  pl_string_init(&t->path, pl);
  pl_string_init(&t->identity, pl);
  pl_string_init(&t->missing, pl);
}

static void tool_free(tool *t)
{
  pl_string_free(&t->words);
  pl_string_free(&t->path);
  pl_string_free(&t->identity);
  pl_string_free(&t->missing);
}

static pl_err tool_check(const tool *t)
{
  PL_TRY(pl_string_check(&t->words));
  PL_TRY(pl_string_check(&t->path));
  PL_TRY(pl_string_check(&t->identity));
  return pl_string_check(&t->missing);
}

static pl_err compiler_check(const pl_compiler *compiler)
{
  PL_TRY(tool_check(&compiler->c));
  PL_TRY(tool_check(&compiler->cpp));
  return pl_string_check(&compiler->cpu);
}

pl_err pl_compiler_open(pl_context *pl, pl_compiler **result)
{
  pl_compiler *compiler = *result = pl_calloc(pl, 1, sizeof *compiler);
  if (!compiler) return pl_fail_memory(pl, sizeof *compiler);
  compiler->pl = pl;
  tool_init(&compiler->c, pl);
  tool_init(&compiler->cpp, pl);
  pl_string_init(&compiler->cpu, pl);
  find_c(&compiler->c, pl_opt(pl, PL_OPT_CC));
  find_cpp(&compiler->cpp, &compiler->c);
  identify(&compiler->c);
  identify(&compiler->cpp);
  read_cpu(compiler);
  pl_err err = compiler_check(compiler);
  if (err) pl_compiler_close(result);
  return err;
}

void pl_compiler_close(pl_compiler **handle)
{
  pl_compiler *compiler = *handle;
  if (!compiler) return;
  tool_free(&compiler->c);
  tool_free(&compiler->cpp);
  pl_string_free(&compiler->cpu);
  pl_free(compiler->pl, compiler);
  *handle = NULL;
}

const char *pl_compiler_missing(const pl_compiler *compiler, int cpp)
{
  const tool *t = tool_for(compiler, cpp);
  return t->path.length ? NULL : t->missing.data;
}

/* ---- command line and key ---- */

/* No warnings: the user's own compiler has given them. An implicitly declared function is an error, since it
 * might resolve to a function of the program with another type. */
static void add_flags(const pl_compiler *compiler, const pl_jit_source *source, pl_string *words)
{
  static const char *const always[] = {
    "-fno-math-errno", "-fno-trapping-math", "-fno-strict-aliasing", "-fPIC", "-shared", NULL};
  static const char *const full[] = {"-O3", "-fopenmp-simd", NULL}, *const quick[] = {"-Og", NULL},
                           *const debug[] = {"-O0", "-g", NULL};
  const pl_context *pl = compiler->pl;
  pl_subprocess_add(words, source->cpp ? "-std=gnu++17" : "-std=gnu11");
  pl_subprocess_args(words, NULL, pl_opt_flag(pl, PL_OPT_DEBUG) ? debug : source->quick ? quick : full);
#if defined(__x86_64__) || defined(__i386__)
  pl_subprocess_add(words, "-march=native");
  if (compiler->avx512) pl_subprocess_add(words, "-mprefer-vector-width=512");
#elif defined(__aarch64__) || defined(__powerpc64__)
  pl_subprocess_add(words, "-mcpu=native");
#endif
  pl_subprocess_args(words, NULL, always);
  pl_subprocess_add(words, source->cpp ? "-w" : "-Werror=implicit-function-declaration");
  pl_subprocess_add(words, pl_opt_flag(pl, PL_OPT_REPRODUCIBLE) ? "-ffp-contract=off" : "-ffp-contract=on");
  pl_subprocess_split(words, pl_opt(pl, PL_OPT_CFLAGS));
  pl_subprocess_args(words, "-I", source->include_dirs);
}

/* Quick code refers to libm alone. The linker need not look for libraries that the program has loaded. */
static void add_libraries(const pl_compiler *compiler, const pl_jit_source *source, pl_string *words)
{
  if (source->quick) pl_subprocess_add(words, "-nostdlib");
  pl_subprocess_args(words, NULL, source->link_args);
  pl_subprocess_split(words, pl_opt(compiler->pl, PL_OPT_LDFLAGS));
  pl_subprocess_add(words, "-lm");
}

/* Adds words, and size and time of the files that they name: lib.a, @flags, -fprofile-use=file. */
static void add_words_key(const pl_string *words, pl_string *key)
{
  for (const char *w = NULL; (w = pl_subprocess_next(words, w));) {
    const char *value = strpbrk(w, "=@");
    pl_subprocess_add(key, w);
    add_file(key, value ? value + 1 : w);
  }
  key->failed |= words->failed;
}

/* Environment variables in which compilers look for headers, libraries and parts of themselves. */
static void add_search_paths(pl_string *key)
{
  static const char *const names[] = {"CPATH",        "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                      "LIBRARY_PATH", "COMPILER_PATH",  "GCC_EXEC_PREFIX"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i])) pl_string_add(key, "%s=%s\n", names[i], getenv(names[i]));
}

void pl_compiler_key(const pl_compiler *compiler, const pl_jit_source *source, pl_string *key)
{
  pl_string words;
  pl_string_init(&words, compiler->pl);
  add_flags(compiler, source, &words);
  pl_subprocess_add(&words, "\nlibraries\n");
  add_libraries(compiler, source, &words);
  pl_string_add(key, "plait %s, %zu-byte pointers, no contracted pair\n%s%sflags\n", PLAIT_VERSION,
                sizeof(void *), pl_string_chars(&tool_for(compiler, source->cpp)->identity),
                pl_string_chars(&compiler->cpu));
  add_words_key(&words, key);
  pl_string_free(&words);
  add_search_paths(key);
  pl_string_add(key, "\nsource\n%s", source->text);
}

/* ---- failures ---- */

/* Adds the first lines of the compiler's messages, and a hint that explains them. */
static void add_messages(pl_string *text, const char *log)
{
  char head[4096];
  char *end = head;
  read_file_head(log, head, sizeof head);
  const char *hint = pl_kernel_hint(head);
  for (int lines = 0; *end && lines < 10; lines++) {
    end += strcspn(end, "\n");
    end += *end == '\n';
  }
  pl_string_add(text, "%.*s%s", (int)(end - head), head, end > head && end[-1] != '\n' ? "\n" : "");
  if (*hint) pl_string_add(text, "%s\n", hint + 1);
}

static pl_err fail_compile(const pl_compiler *compiler, const pl_jit_source *source,
                           const pl_compile_job *job, const pl_string *command, const char *why)
{
  pl_string text;
  pl_string_init(&text, compiler->pl);
  pl_string_add(&text, "\"%s\" could not be compiled: the compiler %s\n", source->label, why);
  add_messages(&text, job->log.data);
  pl_string_add(&text, "command: ");
  pl_subprocess_print(command, &text);
  pl_string_add(&text, "\nthe source is kept in %s", job->source.data);
  pl_err err = pl_string_check(&text);
  if (!err) err = pl_fail(compiler->pl, PL_ERR_COMPILE, "%s", text.data);
  pl_string_free(&text);
  return err;
}

/* "file:3" or "file(3)" */
static bool names_line(const char *text, size_t length)
{
  for (size_t i = 0; i + 1 < length; i++)
    if ((text[i] == ':' || text[i] == '(') && text[i + 1] >= '0' && text[i + 1] <= '9') return true;
  return false;
}

bool pl_compile_error_lasts(const pl_context *pl, pl_err err)
{
  size_t length;
  if (err != PL_ERR_COMPILE) return false;
  for (const char *line = pl_errmsg(pl); *line; line += length + (line[length] == '\n')) {
    length = strcspn(line, "\n");
    bool fatal = memmem(line, length, "fatal error: ", 13), error = memmem(line, length, "error: ", 7);
    if (error && !fatal && names_line(line, length)) return true;
  }
  return false;
}

/* ---- contracted pairs ---- */

/* Whether the user's flags allow contraction, or there is no optimization that contracts. */
static bool needs_no_probe(const pl_context *pl)
{
  static const char *const flags[] = {"-ffp-contract=fast", "-ffast-math", "-Ofast", "-O0"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (strstr(pl_opt(pl, PL_OPT_CFLAGS), flags[i])) return true;
  return pl_opt_flag(pl, PL_OPT_DEBUG);
}

static bool has_products(const char *text)
{
  return strchr(text, '*') && (strstr(text, "double") || strstr(text, "float"));
}

/* Quick compilations have no vectors, so they contract no pairs. */
bool pl_compiler_needs_probe(const pl_compiler *compiler, const pl_jit_source *source)
{
  return IS_X86 && !source->quick && !tool_for(compiler, source->cpp)->probed && has_products(source->text) &&
         !needs_no_probe(compiler->pl);
}

void pl_compiler_report_pairs(pl_compiler *compiler, int cpp, bool report)
{
  tool *t = cpp ? &compiler->cpp : &compiler->c;
  t->contracts = report;
}

void pl_compiler_set_contracts(pl_compiler *compiler, int cpp, bool contracts)
{
  tool *t = cpp ? &compiler->cpp : &compiler->c;
  t->probed = true;
  t->contracts = contracts;
}

/* Whether the compiler's report of the source shows a contracted pair; also if there is no report. */
static bool has_contracted_pair(const pl_compiler *compiler, const pl_compile_job *job)
{
  char line[4096];
  if (job->quick || !tool_for(compiler, job->cpp)->contracts) return false;
  FILE *file = fopen(job->report.data, "r");
  bool found = !file;
  while (!found && fgets(line, sizeof line, file))
    found = strstr(line, ".VEC_FMADDSUB") || strstr(line, ".VEC_FMSUBADD");
  if (file) fclose(file);
  return found;
}

/* ---- checking the output ---- */

static bool segments_complete(int fd, uint64_t size)
{
  ElfW(Ehdr) head;
  ElfW(Phdr) segment;
  if (pread(fd, &head, sizeof head, 0) != sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG)) return false;
  if (head.e_type != ET_DYN || head.e_phentsize != sizeof segment || !head.e_phnum) return false;
  for (int i = 0; i < head.e_phnum; i++) {
    off_t at = (off_t)(head.e_phoff + (size_t)i * sizeof segment);
    if (pread(fd, &segment, sizeof segment, at) != sizeof segment) return false;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) return false;
  }
  return true;
}

/* Whether the file is a shared library whose segments are complete; dlopen may crash on a truncated one. */
static bool is_complete_library(const char *path)
{
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  bool good = !fstat(fd, &info) && S_ISREG(info.st_mode) && segments_complete(fd, (uint64_t)info.st_size);
  close(fd);
  return good;
}

/* ---- running ---- */

/* `exact`: for a processor without FMA. */
static void add_command_line(const pl_compiler *compiler, const pl_jit_source *source,
                             const pl_compile_job *job, bool exact, pl_string *command)
{
  static const char *const without_fma[] = {"-mno-fma", "-mno-avx512f", NULL};
  const tool *t = tool_for(compiler, source->cpp);
  pl_string_add_bytes(command, pl_string_chars(&t->words), t->words.length);
  add_flags(compiler, source, command);
  if (exact) pl_subprocess_args(command, NULL, without_fma);
  if (t->contracts && !source->quick && !exact) {
    pl_string_add(command, "-fdump-tree-optimized=%s", job->report.data);
    pl_string_add_bytes(command, "", 1);
  }
  pl_subprocess_add(command, "-MD");
  pl_subprocess_add(command, "-MF");
  pl_subprocess_add(command, job->rule.data);
  pl_subprocess_add(command, job->source.data);
  pl_subprocess_add(command, "-o");
  pl_subprocess_add(command, job->binary.data);
  add_libraries(compiler, source, command);
}

static pl_err run_compiler(const pl_compiler *compiler, const pl_jit_source *source,
                           const pl_compile_job *job, bool exact)
{
  pl_context *pl = compiler->pl;
  pl_string command, why;
  pl_string_init(&command, pl);
  pl_string_init(&why, pl);
  add_command_line(compiler, source, job, exact, &command);
  pl_err err = pl_string_check(&command);
  if (!err) {
    pl->stats.compiler_runs++;
    err = pl_subprocess_run(tool_for(compiler, source->cpp)->path.data, &command, job->log.data, &why);
  }
  if (!err && !why.length && !is_complete_library(job->binary.data))
    pl_string_add(&why, "reported success but left no shared library");
  if (!err) err = pl_string_check(&why);
  if (!err && why.length) err = fail_compile(compiler, source, job, &command, why.data);
  pl_string_free(&command);
  pl_string_free(&why);
  return err;
}

pl_err pl_compiler_run(const pl_compiler *compiler, const pl_jit_source *source, const pl_compile_job *job)
{
  PL_TRY(run_compiler(compiler, source, job, false));
  bool exact = has_contracted_pair(compiler, job);
  return exact ? run_compiler(compiler, source, job, true) : PL_SUCCESS;
}

pl_err pl_compiler_start(const pl_compiler *compiler, const pl_jit_source *source, const pl_compile_job *job,
                         long *process)
{
  pl_context *pl = compiler->pl;
  pl_string command, why;
  pl_string_init(&command, pl);
  pl_string_init(&why, pl);
  add_command_line(compiler, source, job, false, &command);
  pl_err err = pl_string_check(&command);
  const char *path = tool_for(compiler, source->cpp)->path.data;
  if (!err) err = pl_subprocess_start(path, &command, job->log.data, process, &why);
  if (!err && *process) pl->stats.compiler_runs++;
  pl_string_free(&command);
  pl_string_free(&why);
  return err;
}

bool pl_compiler_finish(const pl_compiler *compiler, const pl_compile_job *job, long process)
{
  pl_string why;
  pl_string_init(&why, compiler->pl);
  pl_subprocess_wait(process, &why);
  bool good = !why.length && !why.failed && is_complete_library(job->binary.data) &&
              !has_contracted_pair(compiler, job);
  pl_string_free(&why);
  return good;
}
