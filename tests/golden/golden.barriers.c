/* SPDX-License-Identifier: BSD-2-Clause
 * Whether the barriers in generated device code are enough, and each is needed: what one work item of a block
 * writes to local memory, no other may touch before the next barrier. Goes through the kernels of the
 * texts statement by statement, loops twice; then again without each of their barriers, which must be found
 * missing.
 *
 * An index with pl_t or pl_i is a work item's own, but for its warp pl_t / 32, one with pl_own a value of its
 * row. Elements of one colour never meet, and neither do the two halves of a tree: inside such a round
 * anything goes.
 *
 *   golden_barriers KERNEL/FILE...
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 1024, ARRAYS = 32, ACCESSES = 4096, NAME = 32, INDEX = 160 };

typedef struct access {
  int array, line, statement; /* statement: counts what is executed */
  int round;                  /* the innermost colour or step of a tree; 0: none */
  bool writes;
  int own; /* the work item's own: by its number, or as values of its row; 0: any */
} access;

typedef struct text {
  char *line[LINES];
  int nlines, left_out; /* the barrier that is not looked at */
  char array[ARRAYS][NAME];
  int narrays, naccesses, statements, round, rounds;
  access seen[ACCESSES]; /* since the last barrier */
  char why[512];         /* the first trouble */
} text;

/* Of work items that share a target: they write one after the other, by colours. */
static const char colours[] = "what has another colour";

/* ---- one statement ---- */

static bool is_barrier(const char *line)
{
  return strstr(line, "barrier(CLK_LOCAL") || strstr(line, "__syncthreads()");
}

static bool is_name(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word)
{
  size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += n)
    if ((at == text || !is_name(at[-1])) && !is_name(at[n])) return true;
  return false;
}

static bool meet(const access *a, const access *b)
{
  if (a->array != b->array || !(a->writes || b->writes) || (a->own && a->own == b->own) ||
      a->statement == b->statement)
    return false;
  return !a->round || a->round != b->round;
}

static void take(text *t, access now)
{
  for (int i = 0; i < t->naccesses && !*t->why; i++)
    if (meet(&t->seen[i], &now))
      snprintf(t->why, sizeof t->why, "%s: no barrier between\n  %.200s\n  %.200s", t->array[now.array],
               t->line[t->seen[i].line], t->line[now.line]);
  if (t->naccesses < ACCESSES) t->seen[t->naccesses++] = now;
}

/* array[index] at `at`, and what follows it. */
static void take_access(text *t, int l, int array, const char *at)
{
  char index[INDEX] = "";
  int depth = 0, i = 0;
  do {
    depth += (*at == '[') - (*at == ']');
    if (i < INDEX - 1) index[i++] = *at;
  } while (*at++ && depth);
  bool writes = !strncmp(at, " = ", 3) || !strncmp(at, " += ", 4);
  int own = (has_word(index, "pl_t") || has_word(index, "pl_i")) && !has_word(index, "pl_half") &&
            !strstr(index, "pl_t / 32");
  if (has_word(index, "pl_own")) own = 2;
  take(t, (access){array, l, t->statements, t->round, writes, own});
}

static void take_statement(text *t, int l)
{
  t->statements++;
  for (int a = 0; a < t->narrays; a++) {
    size_t n = strlen(t->array[a]);
    for (const char *at = t->line[l]; (at = strstr(at, t->array[a])); at += n)
      if (at[n] == '[' && (at == t->line[l] || !is_name(at[-1]))) take_access(t, l, a, at + n);
  }
}

/* ---- kernels ---- */

static void add_array(text *t, const char *name, size_t length)
{
  if (t->narrays < ARRAYS && length < NAME) snprintf(t->array[t->narrays++], NAME, "%.*s", (int)length, name);
}

/* __local double l4[128]; or double *z0_0 = (double *)((char *)pl_shared + ...); */
static bool declares(text *t, const char *line)
{
  const char *array = strstr(line, "__local "), *pointer = strstr(line, ")pl_shared");
  if (!array) array = strstr(line, "__shared__ ");
  if (!pointer && (!array || strspn(line, " ") != (size_t)(array - line))) return false;
  const char *end = pointer ? strstr(line, " = ") : strchr(line, '['), *begin = end;
  while (begin && begin > line && is_name(begin[-1])) begin--;
  if (begin && begin < end) add_array(t, begin, (size_t)(end - begin));
  return true;
}

static int end_of_block(const text *t, int l)
{
  size_t depth = strspn(t->line[l], " ");
  do l++;
  while (l < t->nlines && (t->line[l][strspn(t->line[l], " ")] != '}' || strspn(t->line[l], " ") > depth));
  return l;
}

static int walk_block(text *t, int l, int end);

static void walk(text *t, int first, int end)
{
  for (int l = first; l < end; l++) {
    const char *line = t->line[l];
    size_t length = strlen(line);
    if (is_barrier(line)) {
      if (l != t->left_out) t->naccesses = 0;
    } else if (length && line[length - 1] == '{') {
      l = walk_block(t, l, end);
    } else if (!declares(t, line)) {
      take_statement(t, l);
    }
  }
}

/* A line that opens a block, and the block; gives the last line that is done. */
static int walk_block(text *t, int l, int end)
{
  const char *line = t->line[l];
  bool loops = !strncmp(line + strspn(line, " "), "for (", 5),
       coloured = strstr(line, "== pl_element_colour");
  int close = end_of_block(t, l), outer = t->round;
  take_statement(t, l);
  for (int turn = 0; turn < 1 + loops; turn++) {
    if (coloured || (loops && strstr(line, "pl_size"))) t->round = ++t->rounds;
    if (coloured) take(t, (access){0, l, ++t->statements, t->round, true, 0});
    walk(t, l + 1, close);
  }
  t->round = outer;
  return close < end && strchr(t->line[close], '{') ? close - 1 : close; /* "} else {" opens the next */
}

/* All kernels of the text; false, and `why`, if a barrier is missing. */
static bool is_safe(text *t, int left_out)
{
  t->left_out = left_out;
  *t->why = '\0';
  for (int l = 0; l < t->nlines; l++) {
    if (strncmp(t->line[l], "__kernel", 8) && strncmp(t->line[l], "extern \"C\" __global__", 21)) continue;
    while (strcmp(t->line[l], "{")) l++;
    int end = end_of_block(t, l);
    t->narrays = t->naccesses = t->round = 0;
    add_array(t, colours, sizeof colours - 1);
    walk(t, l + 1, end);
    l = end;
  }
  return !*t->why;
}

/* ---- files ---- */

static bool read_lines(const char *path, text *t)
{
  char line[4096];
  FILE *file = fopen(path, "r");
  t->nlines = 0;
  while (file && t->nlines < LINES && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    if (!(t->line[t->nlines] = strdup(line))) break;
    t->nlines++;
  }
  bool good = file && feof(file);
  if (file) fclose(file);
  return good;
}

/* People wrote the barriers of programs, algorithms, pairs and fixed code. */
static bool is_loop(const char *path)
{
  static const char *const others[] = {"program/",    "least/",      "total/",         "cumulate/",
                                       "choose/",     "force/",      "step/",          "number/",
                                       "dat_layout/", "radix_sort/", "neighbour_list", NULL};
  for (const char *const *other = others; *other; other++)
    if (!strncmp(path, *other, strlen(*other))) return false;
  return true;
}

static int check(const char *path, text *t, int *barriers)
{
  int wrong = 0;
  if (!read_lines(path, t)) {
    fprintf(stderr, "%s: cannot be read\n", path);
    wrong++;
  } else if (!is_safe(t, -1)) {
    fprintf(stderr, "%s: %s\n", path, t->why);
    wrong++;
  }
  for (int l = 0; l < t->nlines && !wrong; l++) {
    if (!is_barrier(t->line[l])) continue;
    ++*barriers;
    if (!is_safe(t, l)) continue;
    fprintf(stderr, "%s: the barrier in line %d is not needed, or this test does not see why it is\n", path,
            l + 1);
    wrong++;
  }
  for (int l = 0; l < t->nlines; l++) free(t->line[l]);
  return wrong;
}

int main(int argc, char **argv)
{
  static text t;
  int texts = 0, barriers = 0, wrong = 0;
  for (int i = 1; i < argc; i++) {
    if (!is_loop(argv[i])) continue;
    wrong += check(argv[i], &t, &barriers);
    texts++;
  }
  printf("%d texts, %d barriers, %d wrong\n", texts, barriers, wrong);
  return wrong > 0 || !barriers;
}
