/* SPDX-License-Identifier: BSD-2-Clause
 * Finding, identifying and running the host compiler.
 */
#include "compiler.h"
#include "command.h"
#include "core/objects.h"
#include "library_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The compiler the library was built with; recorded by the build. */
#ifndef PLAIT_DEFAULT_CC
#define PLAIT_DEFAULT_CC ""
#endif

typedef struct tool {
  pl_text words;    /* "ccache", "gcc", ... */
  pl_text path;     /* the first word's executable; empty: not found */
  pl_text identity; /* every word, with the file it names */
  pl_text missing;  /* the sentence for when it was not found */
} tool;

struct pl_compiler {
  pl_context *pl;
  tool c, cpp;
  pl_text cpu;  /* model and features */
  bool wide;    /* has AVX-512 */
  bool headers; /* the user's own flags name header files or folders */
};

static const tool *tool_for(const pl_compiler *compiler, int cpp)
{
  return cpp ? &compiler->cpp : &compiler->c;
}

/* ---- finding ---- */

static bool found_guess(tool *t, const char *name)
{
  if (!*name || !pl_command_find(name, &t->path)) return false;
  pl_command_add(&t->words, name);
  return true;
}

static void find_c(tool *t, const char *named)
{
  static const char *const guesses[] = {PLAIT_DEFAULT_CC, "cc", "gcc", "clang"};
  pl_command_split(&t->words, named);
  if (t->words.length) {
    pl_command_find(t->words.data, &t->path);
    pl_text_add(&t->missing, "the C compiler \"%s\" was not found: correct PLAIT_CC", named);
  } else {
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses && !found_guess(t, guesses[i]); i++) continue;
    pl_text_add(&t->missing,
                "no C compiler was found in PATH (cc, gcc, clang): install one or name one in PLAIT_CC");
  }
  pl_text_add(&t->missing, ", or set PLAIT_JIT=off to call the program's own compiled kernels");
}

/* Where in a program's name `part` stands as a whole component ("gcc" in "/usr/bin/x86_64-linux-gnu-gcc-12").
 */
static const char *find_component(const char *name, const char *part)
{
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  for (const char *p = base; (p = strstr(p, part)); p++) {
    char after = p[strlen(part)];
    if ((p == base || p[-1] == '-') && (!after || after == '-')) return p;
  }
  return NULL;
}

/* Adds the C++ sister of a C compiler's name ("gcc-12" -> "g++-12"); false if it is not the name of one. */
static bool added_sister(pl_text *words, const char *name)
{
  static const char *const pairs[][2] = {
    {"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}, {"icx", "icpx"}};
  for (size_t i = 0; *name != '-' && i < sizeof pairs / sizeof *pairs; i++) {
    const char *p = find_component(name, pairs[i][0]);
    if (!p) continue;
    pl_text_add(words, "%.*s%s", (int)(p - name), name, pairs[i][1]);
    pl_command_add(words, p + strlen(pairs[i][0]));
    return true;
  }
  return false;
}

/* The C compiler's words with its name exchanged, else plain c++. */
static void find_cpp(tool *t, const tool *c)
{
  bool sister = false;
  for (const char *w = NULL; (w = pl_command_next(&c->words, w));) {
    if (!sister && added_sister(&t->words, w))
      sister = true;
    else
      pl_command_add(&t->words, w);
  }
  pl_text_add(&t->missing,
              "no C++ compiler was found to go with the C compiler \"%s\": install one (g++, clang++)",
              pl_text_string(&c->words));
  if (t->words.failed || (sister && pl_command_find(t->words.data, &t->path))) return;
  pl_text_free(&t->words);
  found_guess(t, "c++");
}

/* ---- identity ---- */

/* Real path, size and time of a file, if it is one. */
static void add_file(pl_text *text, const char *path)
{
  char real[PATH_MAX];
  struct stat info;
  if (stat(path, &info)) return;
  pl_text_add(text, " %s %lld %lld.%09ld", realpath(path, real) ? real : path, (long long)info.st_size,
              (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

static void identify(tool *t)
{
  for (const char *w = NULL; (w = pl_command_next(&t->words, w));) {
    pl_text path;
    pl_text_init(&path, t->words.pl);
    pl_text_add(&t->identity, "compiler %s", w);
    if (pl_command_find(w, &path)) add_file(&t->identity, pl_text_string(&path));
    pl_text_add(&t->identity, "\n");
    t->identity.failed |= path.failed;
    pl_text_free(&path);
  }
}

/* Whether a line of /proc/cpuinfo tells of what -march=native looks at. */
static bool tells_kind(const char *line)
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

/* The first processor's lines; where there are none the machine's name stands for its kind. */
static void read_cpu(pl_compiler *compiler)
{
  char lines[16384];
  struct utsname machine = {.machine = ""};
  pl_text *cpu = &compiler->cpu;
  uname(&machine);
  pl_text_add(cpu, "machine %s\n", machine.machine);
  read_file_head("/proc/cpuinfo", lines, sizeof lines);
  for (char *line = lines; *line && *line != '\n'; line += *line == '\n') {
    size_t length = strcspn(line, "\n");
    if (tells_kind(line)) pl_text_add(cpu, "%.*s \n", (int)length, line);
    line += length;
  }
  if (cpu->lines < 2) pl_text_add(cpu, "node %s\n", machine.nodename);
  compiler->wide = strstr(pl_text_string(cpu), " avx512f ") != NULL;
}

/* Whether flags bring in headers: -I, -isystem, -iquote, -include, or a file of more flags. */
static bool bring_headers(const char *flags)
{
  for (const char *p = flags; *(p += strspn(p, " \t\n")); p += strcspn(p, " \t\n"))
    if (*p == '@' || (*p == '-' && (p[1] == 'I' || p[1] == 'i'))) return true;
  return false;
}

/* ---- open, close ---- */

static void tool_init(tool *t, pl_context *pl)
{
  pl_text_init(&t->words, pl);
  pl_text_init(&t->path, pl);
  pl_text_init(&t->identity, pl);
  pl_text_init(&t->missing, pl);
}

static void tool_free(tool *t)
{
  pl_text_free(&t->words);
  pl_text_free(&t->path);
  pl_text_free(&t->identity);
  pl_text_free(&t->missing);
}

static pl_err tool_check(const tool *t)
{
  PL_TRY(pl_text_check(&t->words));
  PL_TRY(pl_text_check(&t->path));
  PL_TRY(pl_text_check(&t->identity));
  return pl_text_check(&t->missing);
}

static pl_err compiler_check(const pl_compiler *compiler)
{
  PL_TRY(tool_check(&compiler->c));
  PL_TRY(tool_check(&compiler->cpp));
  return pl_text_check(&compiler->cpu);
}

pl_err pl_compiler_open(pl_context *pl, pl_compiler **result)
{
  pl_compiler *compiler = *result = pl_calloc(pl, 1, sizeof *compiler);
  if (!compiler) return pl_fail_memory(pl, sizeof *compiler);
  compiler->pl = pl;
  tool_init(&compiler->c, pl);
  tool_init(&compiler->cpp, pl);
  pl_text_init(&compiler->cpu, pl);
  find_c(&compiler->c, pl_opt(pl, PL_OPT_CC));
  find_cpp(&compiler->cpp, &compiler->c);
  identify(&compiler->c);
  identify(&compiler->cpp);
  read_cpu(compiler);
  compiler->headers = bring_headers(pl_opt(pl, PL_OPT_CC)) || bring_headers(pl_opt(pl, PL_OPT_CFLAGS));
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
  pl_text_free(&compiler->cpu);
  pl_free(compiler->pl, compiler);
  *handle = NULL;
}

const char *pl_compiler_missing(const pl_compiler *compiler, int cpp)
{
  const tool *t = tool_for(compiler, cpp);
  return t->path.length ? NULL : t->missing.data;
}

/* ---- command line and key ---- */

/* Kernels are free of warnings here: they were the business of the user's own compiler. A function that C
 * would take for granted might be found in the program, with another type. */
static void add_flags(const pl_compiler *compiler, const pl_jit_source *source, pl_text *words)
{
  static const char *const always[] = {"-fno-math-errno",
                                       "-fno-trapping-math",
                                       "-fno-strict-aliasing",
                                       "-fopenmp-simd",
                                       "-fPIC",
                                       "-shared",
                                       NULL};
  static const char *const quick[] = {"-O3", NULL}, *const debug[] = {"-O0", "-g", NULL};
  const pl_context *pl = compiler->pl;
  pl_command_add(words, source->cpp ? "-std=gnu++17" : "-std=gnu11");
  pl_command_list(words, NULL, pl_opt_flag(pl, PL_OPT_DEBUG) ? debug : quick);
#if defined(__x86_64__) || defined(__i386__)
  pl_command_add(words, "-march=native");
  if (compiler->wide) pl_command_add(words, "-mprefer-vector-width=512");
#elif defined(__aarch64__) || defined(__powerpc64__)
  pl_command_add(words, "-mcpu=native");
#endif
  pl_command_list(words, NULL, always);
  pl_command_add(words, source->cpp ? "-w" : "-Werror=implicit-function-declaration");
  pl_command_add(words, pl_opt_flag(pl, PL_OPT_REPRODUCIBLE) ? "-ffp-contract=off" : "-ffp-contract=on");
  pl_command_split(words, pl_opt(pl, PL_OPT_CFLAGS));
  pl_command_list(words, "-I", source->include_dirs);
}

static void add_libraries(const pl_compiler *compiler, const pl_jit_source *source, pl_text *words)
{
  pl_command_list(words, NULL, source->link_args);
  pl_command_split(words, pl_opt(compiler->pl, PL_OPT_LDFLAGS));
  pl_command_add(words, "-lm");
}

/* The words that libraries are named by, each with its file where it is one: that may change under its name.
 */
static void add_library_key(const pl_compiler *compiler, const pl_jit_source *source, pl_text *key)
{
  pl_text words;
  pl_text_init(&words, compiler->pl);
  add_libraries(compiler, source, &words);
  for (const char *w = NULL; (w = pl_command_next(&words, w));) {
    pl_command_add(key, w);
    add_file(key, w);
  }
  key->failed |= words.failed;
  pl_text_free(&words);
}

void pl_compiler_key(const pl_compiler *compiler, const pl_jit_source *source, pl_text *key)
{
  pl_text_add(key, "plait %s, %zu-byte pointers, no contracted pair\n%s%sflags\n", PLAIT_VERSION,
              sizeof(void *), pl_text_string(&tool_for(compiler, source->cpp)->identity),
              pl_text_string(&compiler->cpu));
  add_flags(compiler, source, key);
  pl_text_add(key, "\nlibraries\n");
  add_library_key(compiler, source, key);
  pl_text_add(key, "\nsource\n%s", source->text);
}

/* Whether a line is an #include of anything but <name>. */
static bool includes_own_file(const char *line)
{
  line += strspn(line, " \t");
  if (*line++ != '#') return false;
  line += strspn(line, " \t");
  if (strncmp(line, "include", 7)) return false;
  line += 7 + strspn(line + 7, " \t");
  return line[0] != '<' || line[1] == '/';
}

bool pl_compiler_key_is_whole(const pl_compiler *compiler, const pl_jit_source *source)
{
  if (compiler->headers || (source->include_dirs && *source->include_dirs)) return false;
  for (const char *line = source->text; *line; line += *line == '\n') {
    if (includes_own_file(line)) return false;
    line += strcspn(line, "\n");
  }
  return true;
}

/* ---- running ---- */

/* The first lines of the messages, and what is to be said to them. */
static void add_messages(pl_text *text, const char *log)
{
  char head[4096];
  char *end = head;
  read_file_head(log, head, sizeof head);
  const char *hint = pl_kernel_hint(head);
  for (int lines = 0; *end && lines < 10; lines++) {
    end += strcspn(end, "\n");
    end += *end == '\n';
  }
  pl_text_add(text, "%.*s%s", (int)(end - head), head, end > head && end[-1] != '\n' ? "\n" : "");
  if (*hint) pl_text_add(text, "%s\n", hint + 1);
}

static pl_err report(const pl_compiler *compiler, const pl_jit_source *source, const pl_text *command,
                     const char *why, const char *from, const char *log)
{
  pl_text text;
  pl_text_init(&text, compiler->pl);
  pl_text_add(&text, "\"%s\" could not be compiled: the compiler %s\n", source->label, why);
  add_messages(&text, log);
  pl_text_add(&text, "command: ");
  pl_command_print(command, &text);
  pl_text_add(&text, "\nthe source is kept in %s", from);
  pl_err err = pl_text_check(&text);
  if (!err) err = pl_fail(compiler->pl, PL_ERR_COMPILE, "%s", text.data);
  pl_text_free(&text);
  return err;
}

/* gcc before 14 contracts a*b - c*d beside a*b + c*d whatever it is told, where the processor can: scalar
 * code would round otherwise than lanes. What has come out so is compiled again for a processor that cannot.
 */
static bool must_be_exact(const pl_compiler *compiler, const char *library)
{
  const char *own = pl_opt(compiler->pl, PL_OPT_CFLAGS);
  bool asked = strstr(own, "-ffp-contract=fast") || strstr(own, "-ffast-math") || strstr(own, "-Ofast");
  return !asked && pl_library_contracts(library);
}

static void add_command_line(const pl_compiler *compiler, const pl_jit_source *source, bool exact,
                             const char *from, const char *to, pl_text *command)
{
  static const char *const without_fma[] = {"-mno-fma", "-mno-avx512f", NULL};
  const pl_text *words = &tool_for(compiler, source->cpp)->words;
  pl_text_bytes(command, pl_text_string(words), words->length);
  add_flags(compiler, source, command);
  if (exact) pl_command_list(command, NULL, without_fma);
  pl_command_add(command, from);
  pl_command_add(command, "-o");
  pl_command_add(command, to);
  add_libraries(compiler, source, command);
}

static pl_err run(const pl_compiler *compiler, const pl_jit_source *source, bool exact, const char *from,
                  const char *to, const char *log)
{
  pl_context *pl = compiler->pl;
  pl_text command, why;
  pl_text_init(&command, pl);
  pl_text_init(&why, pl);
  add_command_line(compiler, source, exact, from, to, &command);
  pl_err err = pl_text_check(&command);
  if (!err) {
    pl->stats.compiler_runs++;
    err = pl_command_run(tool_for(compiler, source->cpp)->path.data, &command, log, &why);
  }
  if (!err && !why.length && !pl_library_is_whole(to))
    pl_text_add(&why, "reported success but left no shared library");
  if (!err) err = pl_text_check(&why);
  if (!err && why.length) err = report(compiler, source, &command, why.data, from, log);
  pl_text_free(&command);
  pl_text_free(&why);
  return err;
}

pl_err pl_compiler_run(const pl_compiler *compiler, const pl_jit_source *source, const char *from,
                       const char *to, const char *log)
{
  PL_TRY(run(compiler, source, false, from, to, log));
  return must_be_exact(compiler, to) ? run(compiler, source, true, from, to, log) : PL_SUCCESS;
}

pl_err pl_compiler_start(const pl_compiler *compiler, const pl_jit_source *source, const char *from,
                         const char *to, const char *log, long *process)
{
  pl_context *pl = compiler->pl;
  pl_text command, why;
  pl_text_init(&command, pl);
  pl_text_init(&why, pl);
  add_command_line(compiler, source, false, from, to, &command);
  pl_err err = pl_text_check(&command);
  if (!err) err = pl_command_start(tool_for(compiler, source->cpp)->path.data, &command, log, process, &why);
  if (!err && *process) pl->stats.compiler_runs++;
  pl_text_free(&command);
  pl_text_free(&why);
  return err;
}

bool pl_compiler_finish(const pl_compiler *compiler, long process, const char *to)
{
  pl_text why;
  pl_text_init(&why, compiler->pl);
  pl_command_wait(process, &why);
  bool good = !why.length && !why.failed && pl_library_is_whole(to) && !must_be_exact(compiler, to);
  pl_text_free(&why);
  return good;
}
