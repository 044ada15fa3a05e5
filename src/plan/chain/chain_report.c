/* SPDX-License-Identifier: BSD-2-Clause
 * pl_chain_print: the loops of a chain, their dependences, the schedule and its reasons, as text or as a
 * graph.
 */
#include "core/loop/loop.h"
#include "core/loop/profile.h"
#include "dependence.h"
#include <errno.h>
#include <string.h>

/* ---- loops ---- */

static int count_values(const pl_loop *loop, bool stores)
{
  int values = 0;
  PL_EACH_ARG (arg, loop) {
    bool counts = stores ? pl_arg_writes(arg) : arg->access != PL_WRITE;
    const pl_dat *dat = pl_arg_dat_of(arg);
    if (dat && counts && !pl_arg_is_row(arg)) values += pl_arg_targets(arg) * pl_arg_dim(arg);
  }
  return values;
}

static void print_count(pl_string *t, const char *name, double n)
{
  if (n > 0) pl_string_add(t, ", %s %.0f", name, n);
}

/* The work of a loop on this rank: elements, and values and operations of each. */
static void print_work(pl_string *t, const pl_loop *loop)
{
  const pl_ops *ops = &loop->ops;
  pl_string_add(t, " [%d elements, each: load %d, store %d", loop->set->end[1], count_values(loop, false),
                count_values(loop, true));
  if (loop->counted) {
    print_count(t, "add", ops->add);
    print_count(t, "multiply", ops->multiply);
    print_count(t, "divide", ops->divide);
    print_count(t, "call", ops->call);
  }
  if (loop->blocks)
    pl_string_add(t, "; blocks of %d, each: up to %d targets first, then a barrier", loop->blocks->size,
                  loop->blocks->longest);
  pl_string_add(t, "]");
}

static void print_op(pl_string *t, const pl_op *op)
{
  if (!op->loop) {
    pl_string_add(t, "%s:", pl_op_name(op));
    if (op->a) pl_string_add(t, " %s READ,", op->a->node.name);
    if (op->b) pl_string_add(t, " %s READ,", op->b->node.name);
    pl_string_add(t, " %s WRITE", op->result->node.name);
    return;
  }
  pl_string_add(t, "%s over %s:", pl_loop_title(op->loop), op->loop->set->node.name);
  for (int i = 0; i < op->loop->nargs; i++) {
    if (i && !op->loop->args[i].off) pl_string_add(t, ",");
    pl_arg_describe(t, &op->loop->args[i]);
  }
  print_work(t, op->loop);
}

/* ---- pairs ---- */

static void print_pair(pl_string *t, const pl_schedule *s, int i, int j)
{
  char why[PL_WHY];
  const pl_op *a = &s->op[i], *b = &s->op[j];
  bool depends = pl_op_depends(a, b, why);
  pl_string_add(t, "  %d, %d: ", i + 1, j + 1);
  if (depends)
    pl_string_add(t, "\"%s\" %s", pl_op_name(b), why);
  else
    pl_string_add(t, "independent");
  if (!a->loop || !b->loop)
    pl_string_add(t, "\n");
  else if (pl_loops_may_fuse(a->loop, b->loop, why))
    pl_string_add(t, "; may be one loop\n");
  else
    pl_string_add(t, "; not one loop: %s\n", why);
}

/* The period of a repeating queue, which is printed once. */
static int period_of(const pl_schedule *s)
{
  for (int p = 1; p <= s->nops / 2; p++) {
    int i = 0;
    while (i + p < s->nops && !memcmp(&s->op[i], &s->op[i + p], sizeof *s->op)) i++;
    if (i + p == s->nops) return p;
  }
  return s->nops;
}

static void add_work(const pl_op *op, double *bytes, double *operations)
{
  if (!op->loop) return;
  *bytes += op->loop->bytes_per_call;
  *operations += pl_loop_flops(op->loop);
}

static void print_steps(pl_string *t, const pl_schedule *s)
{
  double recorded[2] = {0, 0}, run[2] = {0, 0}; /* bytes and operations */
  for (int i = 0; i < s->nops; i++) add_work(&s->op[i], &recorded[0], &recorded[1]);
  for (int i = 0; i < s->nsteps; i++) add_work(&s->step[i].op, &run[0], &run[1]);
  pl_string_add(t, "Run as %d step%s:\n", s->nsteps, s->nsteps == 1 ? "" : "s");
  for (int i = 0; i < s->nsteps; i++) {
    const pl_step *step = &s->step[i];
    pl_string_add(t, "  %d. (", i + 1);
    for (int m = 0; m < step->nfrom; m++) pl_string_add(t, "%s%d", m ? " " : "", step->from[m] + 1);
    pl_string_add(t, ") ");
    print_op(t, &step->op);
    pl_string_add(t, "\n");
  }
  pl_string_add(t, "Bytes: %.0f instead of %.0f. Operations: %.0f instead of %.0f.\n", run[0], recorded[0],
                run[1], recorded[1]);
}

/* Each line of the report once: repeated loops give repeated reasons. */
static void print_report(pl_string *t, const pl_string *report)
{
  const char *text = pl_string_chars(report);
  if (report->length) pl_string_add(t, "Done:\n");
  for (const char *line = text, *next; line < text + report->length; line = next) {
    next = strchr(line, '\n') + 1;
    const char *same = text;
    while (memcmp(same, line, (size_t)(next - line))) same = strchr(same, '\n') + 1;
    if (same == line) pl_string_add_bytes(t, line, (size_t)(next - line));
  }
}

static void print_text(pl_string *t, const pl_schedule *s)
{
  int n = period_of(s);
  pl_string_add(t, "Recorded %d loops", s->nops);
  pl_string_add(t, n < s->nops ? ", %d times these %d:\n" : ":\n", s->nops / n, n);
  for (int i = 0; i < n; i++) {
    pl_string_add(t, "  %d. ", i + 1);
    print_op(t, &s->op[i]);
    pl_string_add(t, "\n");
  }
  pl_string_add(t, "Pairs:\n");
  for (int j = 1; j < n; j++)
    for (int i = 0; i < j; i++) print_pair(t, s, i, j);
  print_report(t, &s->report);
  print_steps(t, s);
}

/* ---- the graph ---- */

static bool runs_in_step(const pl_schedule *s, int i)
{
  for (int k = 0; k < s->nsteps; k++)
    for (int m = 0; m < s->step[k].nfrom; m++)
      if (s->step[k].from[m] == i) return true;
  return false;
}

/* Escaped for a quoted string of DOT. */
static void print_quoted(pl_string *t, const char *text)
{
  for (; *text; text++) pl_string_add(t, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

/* Nodes are numbered through all parts of the chain, of which `first` precede those of the schedule. */
static void print_node(pl_string *t, const pl_schedule *s, int first, int i, const char *indent,
                       const char *style)
{
  pl_string_add(t, "%sn%d [label=\"%d. ", indent, first + i + 1, first + i + 1);
  print_quoted(t, pl_op_name(&s->op[i]));
  pl_string_add(t, "\"%s];\n", style);
}

static void print_edge(pl_string *t, const pl_schedule *s, int first, int i, int j)
{
  char why[PL_WHY];
  if (!pl_op_depends(&s->op[i], &s->op[j], why)) return;
  pl_string_add(t, "  n%d -> n%d [label=\"", first + i + 1, first + j + 1);
  print_quoted(t, why);
  pl_string_add(t, "\"];\n");
}

static void print_dot(pl_string *t, const pl_schedule *s, int first, int step)
{
  int n = period_of(s);
  for (int k = 0; k < s->nsteps; k++) {
    pl_string_add(t, "  subgraph cluster_%d { label=\"step %d\";\n", step + k + 1, step + k + 1);
    for (int m = 0; m < s->step[k].nfrom; m++) {
      int i = s->step[k].from[m];
      if (i < n) print_node(t, s, first, i, "    ", "");
    }
    pl_string_add(t, "  }\n");
  }
  for (int i = 0; i < n; i++) /* inlined into others, or dropped */
    if (!runs_in_step(s, i)) print_node(t, s, first, i, "  ", ", style=dashed");
  for (int j = 1; j < n; j++)
    for (int i = 0; i < j; i++) print_edge(t, s, first, i, j);
}

/* ---- output ---- */

static pl_err count_all(const pl_schedule *s)
{
  for (int i = 0; i < s->nops; i++)
    if (s->op[i].loop) PL_TRY(pl_loop_count(s->op[i].loop));
  for (int i = 0; i < s->nsteps; i++)
    if (s->step[i].op.loop) PL_TRY(pl_loop_count(s->step[i].op.loop));
  return PL_SUCCESS;
}

static pl_err write_report(pl_context *pl, const char *path, const pl_string *text)
{
  errno = 0;
  FILE *file = strcmp(path, "-") ? fopen(path, "w") : stderr;
  bool good = file && fwrite(pl_string_chars(text), 1, text->length, file) == text->length;
  if (file && file != stderr) good = fclose(file) == 0 && good;
  if (good) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_IO, "pl_chain_print: cannot write \"%s\": %s", path, strerror(errno));
}

static void print_graph(pl_string *t, const pl_chain *chain)
{
  pl_string_add(t, "digraph chain {\n  node [shape=box];\n");
  for (int p = 0, first = 0, step = 0; p < chain->nparts; p++) {
    print_dot(t, chain->part[p], first, step);
    first += chain->part[p]->nops;
    step += chain->part[p]->nsteps;
  }
  pl_string_add(t, "}\n");
}

static void print_parts(pl_string *t, const pl_chain *chain)
{
  pl_string_add(t, "Chain \"%s\"\n", chain->node.name);
  for (int p = 0; p < chain->nparts; p++) {
    if (chain->nparts > 1) pl_string_add(t, "Part %d of %d. ", p + 1, chain->nparts);
    print_text(t, chain->part[p]);
  }
}

pl_err pl_chain_print(pl_chain *chain, const char *path)
{
  PL_TRY_GIVEN(chain);
  pl_context *pl = chain->node.pl;
  if (!path) return pl_fail(pl, PL_ERR_ARG, "pl_chain_print of \"%s\": the path is NULL", chain->node.name);
  if (!chain->nparts)
    return pl_fail(pl, PL_ERR_STATE, "pl_chain_print: chain \"%s\" has not run", chain->node.name);
  for (int p = 0; p < chain->nparts; p++) PL_TRY(count_all(chain->part[p]));
  const char *ending = strrchr(path, '.');
  pl_string text;
  pl_string_init(&text, pl);
  if (ending && !strcmp(ending, ".dot"))
    print_graph(&text, chain);
  else
    print_parts(&text, chain);
  pl_err err = pl_string_check(&text);
  if (!err) err = write_report(pl, path, &text);
  pl_string_free(&text);
  return err;
}
