/* SPDX-License-Identifier: BSD-2-Clause
 * Random chains: 2 to 20 loops of all access modes over the sets of a 2D or 3D mesh, with temporaries,
 * hints, components and indices, run as a chain (or as recorded loops without one) and, by plain C below, one
 * after the other. Values are whole numbers, so sums are exact in any order and every result must be equal
 * bit by bit.
 *
 *   chains BACKEND FIRST COUNT     seeds FIRST to FIRST + COUNT - 1
 *
 * Under mpirun rank 0 declares everything, and elements are dealt out in one way or another by the seed. A
 * seed that fails prints its chain.
 */
#include <math.h>
#include <plait.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum {
  SETS = 4,
  DATS = 7,
  MAPS = 6,
  MOST_LOOPS = 8,
  MOST_ARGS = 6,
  MOST_DIM = 3,
  GLOBALS = 2,
  SKIPPED = 77,
  MOST_MORE = 12
};
enum { CELLS, FACES, BOUNDARY, NODES };

/* ---- the mesh: boxes in 2 or 3 dimensions ---- */

typedef struct table {
  int from, to, arity, *index;
} table;

typedef struct mesh {
  int size[SETS];
  table map[MAPS];
} mesh;

static int *room(int n)
{
  int *block = calloc((size_t)n + 1, sizeof *block);
  if (!block) exit(1);
  return block;
}

static int number(const int *n, const int *at)
{
  return at[0] + n[0] * (at[1] + n[1] * at[2]);
}

/* Corners of the face of cell `at` across axis a on side s (all corners for a < 0). */
static int corners(int dims, const int *n, const int *at, int a, int s, int *to)
{
  const int nodes[3] = {n[0] + 1, n[1] + 1, dims == 3 ? n[2] + 1 : 1};
  int count = 0;
  for (int k = 0; k < 1 << dims; k++) {
    int corner[3] = {at[0] + (k & 1), at[1] + (k >> 1 & 1), dims == 3 ? at[2] + (k >> 2) : 0};
    if (a < 0 || (k >> a & 1) == s) to[count++] = number(nodes, corner);
  }
  return count;
}

static void make_mesh(mesh *m, int dims, const int *n)
{
  const int cells = n[0] * n[1] * n[2], most = cells * 2 * dims, round = 1 << dims, across = round / 2;
  int *cell_node = room(cells * round), *face_cell = room(2 * most), *face_node = room(across * most),
      *bound_cell = room(most), *bound_node = room(across * most), *cell_next = room(cells), nfaces = 0,
      nbound = 0;
  for (int c = 0; c < cells; c++) {
    int at[3] = {c % n[0], c / n[0] % n[1], c / n[0] / n[1]};
    corners(dims, n, at, -1, 0, cell_node + c * round);
    cell_next[c] = (c * 7 + 3) % cells;
    for (int a = 0; a < dims; a++)
      for (int s = 0; s < 2; s++) {
        int beside[3] = {at[0], at[1], at[2]};
        beside[a] += s ? 1 : -1;
        if (beside[a] < 0 || beside[a] >= n[a]) {
          corners(dims, n, at, a, s, bound_node + nbound * across);
          bound_cell[nbound++] = c;
        } else if (s) {
          corners(dims, n, at, a, s, face_node + nfaces * across);
          face_cell[2 * nfaces] = c;
          face_cell[2 * nfaces++ + 1] = number(n, beside);
        }
      }
  }
  *m = (mesh){.size = {cells, nfaces, nbound, (n[0] + 1) * (n[1] + 1) * (dims == 3 ? n[2] + 1 : 1)},
              .map = {{CELLS, NODES, round, cell_node},
                      {FACES, CELLS, 2, face_cell},
                      {FACES, NODES, across, face_node},
                      {BOUNDARY, CELLS, 1, bound_cell},
                      {BOUNDARY, NODES, across, bound_node},
                      {CELLS, CELLS, 1, cell_next}}};
}

/* ---- the chain ---- */

typedef struct argument {
  int dat;    /* or -1 */
  int global; /* or -1; neither: the element's index */
  int map;    /* -1: direct */
  int index;  /* PL_ALL too */
  pl_access access;
  int component; /* from 1; 0: all */
} argument;

typedef struct loop {
  bool zero;     /* pl_dat_zero of arg[0].dat, or pl_global_zero */
  bool copy;     /* pl_dat_copy of arg[0].dat to arg[1].dat */
  int set, half; /* half: over a subset, every second element */
  int nargs;
  argument arg[MOST_ARGS];
  int factor;
} loop;

typedef struct chain {
  uint64_t seed;
  int dims, n[3];
  mesh mesh;
  int dat_set[DATS], dim[DATS];
  bool temporary[DATS];
  int choice[DATS], block;
  double *value[DATS], global[GLOBALS];
  int nloops, rounds, touched; /* touched: a dat looked at after the first round, or -1 */
  bool lazy;                   /* no chain: option lazy */
  int parts;                   /* how ranks share the mesh */
  loop loop[MOST_LOOPS + MOST_MORE];
} chain;

static uint64_t next(chain *c)
{
  c->seed ^= c->seed << 13;
  c->seed ^= c->seed >> 7;
  c->seed ^= c->seed << 17;
  return c->seed;
}

static int below(chain *c, int n)
{
  return (int)(next(c) >> 33) % n;
}

static int values(const chain *c, int dat)
{
  return c->mesh.size[c->dat_set[dat]] * c->dim[dat];
}

static bool writes(pl_access access)
{
  return access != PL_READ;
}

static bool is_index(const argument *a)
{
  return a->dat < 0 && a->global < 0;
}

/* A dat with several arguments in a loop is only read, through different doors. */
static bool allowed(const loop *l, const argument *a)
{
  for (int i = 0; i < l->nargs; i++) {
    const argument *b = &l->arg[i];
    if (a->global >= 0 && a->global == b->global) return false;
    if (is_index(a) && is_index(b)) return false;
    bool apart = a->component && b->component && a->component != b->component;
    if (a->dat >= 0 && a->dat == b->dat && !apart && (writes(a->access) || writes(b->access))) return false;
  }
  return true;
}

/* Which dat: now and then one of which the loop has a component already, for another one. */
static int some_dat(chain *c, const loop *l, bool *again)
{
  const argument *b = l->nargs && below(c, 2) ? &l->arg[below(c, l->nargs)] : NULL;
  *again = b && b->dat >= 0 && b->component;
  return *again ? b->dat : below(c, DATS);
}

static bool pick_dat(chain *c, const loop *l, argument *a)
{
  static const pl_access direct[] = {PL_READ, PL_READ, PL_WRITE, PL_WRITE, PL_RW, PL_INC, PL_MIN, PL_MAX},
                         far[] = {PL_READ, PL_READ, PL_READ, PL_INC, PL_INC, PL_MIN, PL_MAX, PL_READ};
  bool again;
  *a = (argument){some_dat(c, l, &again), -1, -1, PL_ID, PL_READ, 0};
  a->access = direct[below(c, 8)];
  if (again || !below(c, 6)) a->component = 1 + below(c, c->dim[a->dat]);
  if (c->dat_set[a->dat] == l->set && below(c, 3)) return true;
  int first = below(c, MAPS);
  for (int k = 0; k < MAPS; k++) {
    const table *t = &c->mesh.map[(first + k) % MAPS];
    if (t->from != l->set || t->to != c->dat_set[a->dat]) continue;
    a->map = (first + k) % MAPS;
    a->index = below(c, 2) ? PL_ALL : below(c, t->arity);
    a->access = far[below(c, 8)];
    if (a->map == 5 && c->mesh.size[CELLS] % 7 && !below(c, 3)) /* no two lead to one: all may write */
      a->access = below(c, 2) ? PL_WRITE : PL_RW;
    return true;
  }
  return c->dat_set[a->dat] == l->set;
}

static void pick_global(chain *c, argument *a)
{
  static const pl_access access[] = {PL_READ, PL_INC, PL_MIN, PL_MAX};
  *a = (argument){-1, below(c, GLOBALS), -1, PL_ID, access[below(c, 4)], 0};
}

/* The number of the element, or of one of its targets. */
static void pick_index(chain *c, const loop *l, argument *a)
{
  int m = below(c, MAPS);
  *a = (argument){-1, -1, -1, 0, PL_READ, 0};
  if (c->mesh.map[m].from != l->set) return;
  a->map = m;
  a->index = below(c, c->mesh.map[m].arity);
}

static void make_loop(chain *c, loop *l)
{
  static const int sets[] = {CELLS, CELLS, CELLS, FACES, FACES, BOUNDARY, NODES};
  bool writing = false;
  *l = (loop){.set = sets[below(c, 7)], .half = !below(c, 6), .factor = 1 + below(c, 5)};
  for (int tries = 0; tries < 40 && (l->nargs < 2 || !writing || below(c, 3)); tries++) {
    argument a;
    if (l->nargs == MOST_ARGS) break;
    if (!below(c, 8))
      pick_global(c, &a);
    else if (!below(c, 12))
      pick_index(c, l, &a);
    else if (!pick_dat(c, l, &a))
      continue;
    if (!allowed(l, &a)) continue;
    l->arg[l->nargs++] = a;
    writing |= writes(a.access);
  }
}

static void add_loop(chain *c, int set, const argument *a, int n)
{
  loop *l = &c->loop[c->nloops++];
  *l = (loop){.set = set, .factor = 1 + below(c, 5), .nargs = n};
  for (int i = 0; i < n; i++) l->arg[i] = a[i];
}

/* What may become a gather: zero, additions over faces and boundary, one reader, zero again. */
static void add_sum(chain *c)
{
  int d = below(c, 3), from = (d + 1) % 3, to = below(c, 2) ? from : (d + 2) % 3, how = below(c, 3);
  const argument zero = {d, -1, -1, PL_ID, PL_WRITE, 0};
  const argument faces[] = {{d, -1, 1, how == 2 ? PL_ALL : how, PL_INC, 0},
                            {from, -1, 1, PL_ALL, PL_READ, 0},
                            {3, -1, -1, PL_ID, PL_READ, 0},
                            {5, -1, 2, below(c, 2), PL_READ, 0}};
  const argument ends[] = {{d, -1, 3, 0, PL_INC, 0},
                           {from, -1, 3, below(c, 2) ? 0 : PL_ALL, PL_READ, 0},
                           {6, -1, -1, PL_ID, PL_READ, 0}};
  const argument cells[] = {
    {d, -1, -1, PL_ID, PL_READ, 0}, {to, -1, -1, PL_ID, PL_WRITE, 0}, {-1, 0, -1, PL_ID, PL_INC, 0}};
  add_loop(c, CELLS, &zero, 1);
  c->loop[c->nloops - 1].zero = true;
  add_loop(c, FACES, faces, 2 + below(c, 3));
  if (below(c, 2)) add_loop(c, BOUNDARY, ends, 3);
  add_loop(c, CELLS, cells, 2 + below(c, 2));
  add_loop(c, CELLS, &zero, 1);
  c->loop[c->nloops - 1].zero = true;
}

/* What may become a change of place: a copy, its original written anew from it, more than once. */
static void add_copy(chain *c)
{
  int d = below(c, 3), old = (d + 1 + below(c, 2)) % 3, stages = 1 + below(c, 2);
  if (c->dim[d] != c->dim[old]) return;
  const argument both[] = {{d, -1, -1, PL_ID, PL_READ, 0}, {old, -1, -1, PL_ID, PL_WRITE, 0}};
  const argument next[] = {
    {old, -1, -1, PL_ID, PL_READ, 0}, {d, -1, -1, PL_ID, PL_WRITE, 0}, {-1, 0, -1, PL_ID, PL_INC, 0}};
  const argument around[] = {{d, -1, 5, 0, PL_READ, 0}, {3 - d - old, -1, -1, PL_ID, PL_WRITE, 0}};
  add_loop(c, CELLS, both, 2);
  c->loop[c->nloops - 1].copy = true;
  for (int s = 0; s < stages; s++) {
    if (below(c, 2)) add_loop(c, CELLS, around, 2);
    add_loop(c, CELLS, next, 2 + below(c, 2));
  }
}

/* A sum that may be in vain. */
static void add_global_zero(chain *c)
{
  const argument zero = {-1, below(c, GLOBALS), -1, PL_ID, PL_WRITE, 0};
  add_loop(c, CELLS, &zero, 1);
  c->loop[c->nloops - 1].zero = true;
}

/* A dat may be temporary if what touches it first writes all of it. */
static bool may_be_temporary(const chain *c, int dat)
{
  for (int k = 0; k < c->nloops; k++)
    for (int i = 0; i < c->loop[k].nargs; i++) {
      const argument *a = &c->loop[k].arg[i];
      if (a->dat == dat) return a->access == PL_WRITE && a->map < 0 && !a->component && !c->loop[k].half;
    }
  return false;
}

static void make_chain(chain *c, uint64_t seed)
{
  static const int sets[DATS] = {CELLS, CELLS, CELLS, FACES, FACES, NODES, BOUNDARY};
  *c = (chain){.seed = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
  for (int i = 0; i < 5; i++) next(c);
  c->dims = 2 + below(c, 2);
  for (int a = 0; a < 3; a++) c->n[a] = a < c->dims ? 1 + below(c, c->dims == 2 ? 9 : 4) : 1;
  make_mesh(&c->mesh, c->dims, c->n);
  for (int d = 0; d < DATS; d++) {
    c->dat_set[d] = sets[d];
    c->dim[d] = 1 + below(c, MOST_DIM);
    c->value[d] = calloc((size_t)values(c, d) + 1, sizeof(double));
    if (!c->value[d]) exit(1);
    for (int i = 0; i < values(c, d); i++) c->value[d][i] = below(c, 1000);
    c->choice[d] = below(c, 4);
  }
  for (int g = 0; g < GLOBALS; g++) c->global[g] = below(c, 1000);
  c->nloops = 2 + below(c, MOST_LOOPS - 1);
  c->rounds = 1 + below(c, 3);
  c->touched = below(c, 2) ? below(c, DATS) : -1;
  c->lazy = !below(c, 6);
  c->parts = below(c, 5);
  for (int k = 0; k < c->nloops; k++) make_loop(c, &c->loop[k]);
  c->block = below(c, 2) ? 0 : 1 + below(c, 70);
  if (below(c, 2)) add_copy(c);
  if (below(c, 2)) add_global_zero(c);
  if (below(c, 2)) add_sum(c);
  if (!below(c, 3)) add_global_zero(c);
  for (int d = 0; d < DATS; d++)
    c->temporary[d] = !c->lazy && below(c, 2) && d != c->touched && may_be_temporary(c, d);
}

static void free_chain(chain *c)
{
  for (int d = 0; d < DATS; d++) free(c->value[d]);
  for (int m = 0; m < MAPS; m++) free(c->mesh.map[m].index);
}

static void print_chain(const chain *c, uint64_t seed)
{
  static const char *const names[] = {"cells", "faces", "boundary", "nodes"}, *const accesses[] = {
                                                                                "",    "READ", "WRITE", "RW",
                                                                                "INC", "MIN",  "MAX"};
  fprintf(stderr, "seed %llu: %d x %d x %d, %d rounds, touched %d%s, blocks of %d, hints",
          (unsigned long long)seed, c->n[0], c->n[1], c->n[2], c->rounds, c->touched, c->lazy ? ", lazy" : "",
          c->block);
  for (int d = 0; d < DATS; d++) fprintf(stderr, " %d", c->choice[d]);
  fprintf(stderr, "\n");
  for (int k = 0; k < c->nloops; k++) {
    fprintf(stderr, "  %d. %s%s%s:", k + 1,
            c->loop[k].zero   ? "zero "
            : c->loop[k].copy ? "copy "
                              : "",
            names[c->loop[k].set], c->loop[k].half ? " half" : "");
    for (int i = 0; i < c->loop[k].nargs; i++) {
      const argument *a = &c->loop[k].arg[i];
      if (a->dat >= 0)
        fprintf(stderr, " d%d%s", a->dat, c->temporary[a->dat] ? "t" : "");
      else if (a->global >= 0)
        fprintf(stderr, " g%d", a->global);
      else
        fprintf(stderr, " index");
      if (a->component) fprintf(stderr, "[%d]", a->component - 1);
      fprintf(stderr, " %s", accesses[a->access]);
      if (a->map >= 0) fprintf(stderr, " m%d[%d]", a->map, a->index);
      fprintf(stderr, ",");
    }
    fprintf(stderr, "\n");
  }
}

/* ---- plain C ---- */

static double wrap(double x)
{
  return x - 1021.0 * floor(x / 1021.0);
}

/* The k-th target of an argument. */
static double *at(chain *c, const argument *a, int e, int k)
{
  static double index;
  if (a->global >= 0) return &c->global[a->global];
  const table *t = a->map < 0 ? NULL : &c->mesh.map[a->map];
  int target = t ? t->index[e * t->arity + (a->index == PL_ALL ? k : a->index)] : e;
  index = target;
  if (a->dat < 0) return &index;
  return c->value[a->dat] + target * c->dim[a->dat] + (a->component ? a->component - 1 : 0);
}

static int targets(const chain *c, const argument *a)
{
  return a->index == PL_ALL ? c->mesh.map[a->map].arity : 1;
}

static int width(const chain *c, const argument *a)
{
  return a->dat < 0 || a->component ? 1 : c->dim[a->dat];
}

static bool sees(pl_access access)
{
  return access == PL_READ || access == PL_RW;
}

static void store(pl_access access, double *x, double s)
{
  if (access == PL_WRITE) *x = s;
  if (access == PL_RW) *x = wrap(*x + s);
  if (access == PL_INC) *x += s;
  if (access == PL_MIN && s < *x) *x = s;
  if (access == PL_MAX && s > *x) *x = s;
}

static void run_element(chain *c, const loop *l, int e)
{
  if (l->zero) {
    memset(at(c, &l->arg[0], e, 0), 0, (size_t)width(c, &l->arg[0]) * sizeof(double));
    return;
  }
  if (l->copy) {
    memcpy(at(c, &l->arg[1], e, 0), at(c, &l->arg[0], e, 0), (size_t)width(c, &l->arg[0]) * sizeof(double));
    return;
  }
  double s = l->factor;
  for (int i = 0; i < l->nargs; i++)
    for (int k = 0; sees(l->arg[i].access) && k < targets(c, &l->arg[i]); k++)
      for (int v = 0; v < width(c, &l->arg[i]); v++)
        s = wrap(s + (l->factor + v + k) * wrap(at(c, &l->arg[i], e, k)[v]));
  for (int i = 0; i < l->nargs; i++)
    for (int k = 0; writes(l->arg[i].access) && k < targets(c, &l->arg[i]); k++)
      for (int v = 0; v < width(c, &l->arg[i]); v++)
        store(l->arg[i].access, &at(c, &l->arg[i], e, k)[v], wrap(s + i + v + k));
}

static void run_plainly(chain *c)
{
  for (int k = 0; k < c->nloops; k++)
    for (int e = 0; e < c->mesh.size[c->loop[k].set]; e += c->loop[k].half ? 2 : 1)
      run_element(c, &c->loop[k], e);
}

/* ---- the same on Plait ---- */

typedef struct world {
  pl_context *pl;
  pl_set *set[SETS], *half[SETS];
  pl_map *map[MAPS];
  pl_dat *dat[DATS];
  pl_global *global[GLOBALS];
  const pl_kernel *kernel[MOST_LOOPS + MOST_MORE];
} world;

static void print_statement(const chain *c, char *text, size_t room, const argument *a, int i, bool reading)
{
  static const char *const stores[] = {[PL_WRITE] = "%s = s2;",
                                       [PL_RW] = "%s = WRAP(%s + s2);",
                                       [PL_INC] = "%s += s2;",
                                       [PL_MIN] = "if (s2 < %s) %s = s2;",
                                       [PL_MAX] = "if (s2 > %s) %s = s2;"};
  char place[40], line[128];
  size_t length = strlen(text);
  bool all = a->index == PL_ALL;
  snprintf(place, sizeof place, all ? "a%d[k][v]" : "a%d[v]", i);
  if (reading)
    snprintf(line, sizeof line, "s = WRAP(s + (factor + v + k) * WRAP(%s));", place);
  else
    snprintf(line, sizeof line, stores[a->access], place, place);
  snprintf(text + length, room - length,
           "  for (int k = 0; k < %d; k++)\n    for (int v = 0; v < %d; v++) {%s%s }\n", targets(c, a),
           width(c, a), reading ? " " : " double s2 = WRAP(s + ", "");
  if (!reading) {
    length = strlen(text) - 3;
    snprintf(text + length, room - length, "%d + v + k); %s }\n", i, line);
  } else {
    length = strlen(text) - 2;
    snprintf(text + length, room - length, "%s }\n", line);
  }
}

/* The kernel's text; arrays of all targets in both shapes that there are. */
static void print_kernel(const chain *c, const loop *l, const char *name, char *text, size_t room)
{
  size_t length = (size_t)snprintf(
    text, room, "static double wrap_%s(double x) { return x - 1021.0 * floor(x / 1021.0); }\nvoid %s(", name,
    name);
  for (int i = 0; i < l->nargs; i++) {
    const argument *a = &l->arg[i];
    const char *constant = writes(a->access) ? "" : "const ", *comma = i ? ", " : "";
    if (is_index(a))
      length += (size_t)snprintf(text + length, room - length, "%sconst int64_t *a%d", comma, i);
    else if (a->index != PL_ALL)
      length += (size_t)snprintf(text + length, room - length, "%s%sdouble *a%d", comma, constant, i);
    else if (i % 2)
      length += (size_t)snprintf(text + length, room - length, "%s%sdouble *a%d[%d]", comma, constant, i,
                                 targets(c, a));
    else
      length += (size_t)snprintf(text + length, room - length, "%s%sdouble a%d[%d][%d]", comma, constant, i,
                                 targets(c, a), width(c, a));
  }
  snprintf(text + length, room - length, ")\n{\n  const double factor = %d;\n  double s = factor;\n",
           l->factor);
  for (int i = 0; i < l->nargs; i++)
    if (sees(l->arg[i].access)) print_statement(c, text, room, &l->arg[i], i, true);
  for (int i = 0; i < l->nargs; i++)
    if (writes(l->arg[i].access)) print_statement(c, text, room, &l->arg[i], i, false);
  length = strlen(text);
  snprintf(text + length, room - length, "}\n");
  for (char *w = text; (w = strstr(w, "WRAP(")) != NULL;) {
    char rest[8192];
    snprintf(rest, sizeof rest, "%s", w + 4);
    snprintf(w, room - (size_t)(w - text), "wrap_%s%s", name, rest);
  }
}

/* How ranks come to share the mesh: all stays where it was declared, or it is dealt out. */
static void deal_out(const chain *c, world *w)
{
  const pl_partition_options options = {.seed = (uint64_t)c->nloops};
  if (c->parts == 1) PL_OK(w->pl, pl_partition(w->set[CELLS], PL_PARTITION_BLOCK, NULL));
  if (c->parts == 2) PL_OK(w->pl, pl_partition(w->set[NODES], PL_PARTITION_BLOCK, NULL));
  if (c->parts == 3) PL_OK(w->pl, pl_partition(w->set[CELLS], PL_PARTITION_RANDOM, &options));
  if (c->parts == 4) PL_OK(w->pl, pl_partition(w->set[NODES], PL_PARTITION_RANDOM, &options));
}

static void declare(const chain *c, world *w)
{
  const int mine = pl_rank(w->pl) == 0;
  char name[40], text[16384];
  for (int s = 0; s < SETS; s++) {
    int n = mine * c->mesh.size[s], *even = room(n);
    for (int i = 0; 2 * i < n; i++) even[i] = 2 * i;
    PL_OK(w->pl, pl_decl_set(w->pl, n, "set", &w->set[s]));
    PL_OK(w->pl, pl_decl_subset(w->set[s], (n + 1) / 2, even, "half", &w->half[s]));
    free(even);
  }
  for (int m = 0; m < MAPS; m++) {
    const table *t = &c->mesh.map[m];
    PL_OK(w->pl, pl_decl_map(w->set[t->from], w->set[t->to], t->arity, t->index, "map", &w->map[m]));
  }
  for (int d = 0; d < DATS; d++)
    PL_OK(w->pl, pl_decl_dat(w->set[c->dat_set[d]], c->dim[d], PL_DOUBLE, c->value[d], "dat", &w->dat[d]));
  deal_out(c, w);
  for (int g = 0; g < GLOBALS; g++)
    PL_OK(w->pl, pl_decl_global(w->pl, 1, PL_DOUBLE, &c->global[g], "global", &w->global[g]));
  for (int k = 0; k < c->nloops; k++) {
    snprintf(name, sizeof name, "loop_%d", k + 1);
    print_kernel(c, &c->loop[k], name, text, sizeof text);
    PL_OK(w->pl, pl_kernel_from_source(w->pl, name, text, NULL, &w->kernel[k]));
  }
}

static pl_arg arg_of(const world *w, const argument *a)
{
  pl_map *map = a->map < 0 ? PL_DIRECT : w->map[a->map];
  if (a->global >= 0) return pl_arg_gbl(w->global[a->global], a->access);
  if (a->dat < 0) return pl_arg_idx(map ? a->index : PL_ID, map);
  pl_arg arg = pl_arg_dat(w->dat[a->dat], a->index, map, a->access);
  return a->component ? pl_arg_component(arg, a->component - 1) : arg;
}

/* Whether a loop that was made did not compile: its members would run one by one, and nobody would see it. */
static bool compiled(world *w, pl_chain *handle, const char *backend)
{
  static char text[1 << 20];
  char path[64];
  snprintf(path, sizeof path, "chain-%s-%ld.txt", backend, (long)getpid());
  PL_OK(w->pl, pl_chain_print(handle, path));
  FILE *file = fopen(path, "r");
  size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[n] = '\0';
  if (file) fclose(file);
  remove(path);
  const char *error = strstr(text, "could not be compiled");
  if (error) fprintf(stderr, "%.300s\n", error);
  return file && !error;
}

static void begin_chain(const chain *c, world *w, pl_chain **handle)
{
  PL_OK(w->pl, pl_chain_begin(w->pl, "chain", handle));
  PL_OK(w->pl, pl_chain_block(*handle, c->block));
  for (int d = 0; d < DATS; d++) {
    PL_OK(w->pl, pl_chain_hint(*handle, w->dat[d], (pl_chain_choice)c->choice[d]));
    if (c->temporary[d]) PL_OK(w->pl, pl_chain_temporary(*handle, w->dat[d]));
  }
}

static bool run_chain(const chain *c, world *w, const char *backend)
{
  pl_chain *handle = NULL;
  pl_arg args[MOST_ARGS];
  if (c->lazy)
    PL_OK(w->pl, pl_set_option(w->pl, "lazy", "1"));
  else
    begin_chain(c, w, &handle);
  for (int k = 0; k < c->nloops; k++) {
    const loop *l = &c->loop[k];
    if (l->zero || l->copy) {
      if (l->copy)
        PL_OK(w->pl, pl_dat_copy(w->dat[l->arg[0].dat], w->dat[l->arg[1].dat]));
      else if (l->arg[0].dat >= 0)
        PL_OK(w->pl, pl_dat_zero(w->dat[l->arg[0].dat]));
      else
        PL_OK(w->pl, pl_global_zero(w->global[l->arg[0].global]));
      continue;
    }
    for (int i = 0; i < l->nargs; i++) args[i] = arg_of(w, &l->arg[i]);
    PL_OK(w->pl, pl_par_loop_args(w->kernel[k], l->half ? w->half[l->set] : w->set[l->set], l->nargs, args));
  }
  if (!handle) return true;
  PL_OK(w->pl, pl_chain_end(handle));
  return compiled(w, handle, backend);
}

static bool same_dat(const chain *c, world *w, int d)
{
  bool good = true;
  double *got = calloc((size_t)values(c, d) + 1, sizeof *got);
  if (!got) exit(1);
  PL_OK(w->pl, pl_dat_fetch(w->dat[d], got));
  for (int i = 0; i < values(c, d) && good && pl_rank(w->pl) == 0; i++) {
    good = got[i] == c->value[d][i];
    if (!good)
      fprintf(stderr, "dat %d, element %d, value %d: %.17g instead of %.17g\n", d, i / c->dim[d],
              i % c->dim[d], got[i], c->value[d][i]);
  }
  free(got);
  return good;
}

static bool compare(const chain *c, world *w)
{
  bool good = true;
  for (int d = 0; d < DATS; d++)
    if (!c->temporary[d]) good &= same_dat(c, w, d);
  for (int g = 0; g < GLOBALS; g++) {
    double got;
    PL_OK(w->pl, pl_global_get(w->global[g], &got));
    if (got != c->global[g]) fprintf(stderr, "global %d: %.17g instead of %.17g\n", g, got, c->global[g]);
    good &= got == c->global[g];
  }
  return good;
}

/* ---- seeds ---- */

static pl_err open_context(const char *backend, pl_context **pl)
{
  char name[40];
  snprintf(name, sizeof name, "backend=%s", backend);
  const char *const options[] = {name, NULL};
  const pl_settings settings = {.options = options};
  return pl_init(NULL, NULL, &settings, pl);
}

static bool try_seed(const char *backend, uint64_t seed, pl_stats *total)
{
  chain c;
  world w = {.pl = NULL};
  bool good = true;
  make_chain(&c, seed);
  if (open_context(backend, &w.pl)) exit(1);
  declare(&c, &w);
  for (int r = 0; r < c.rounds; r++) {
    good &= run_chain(&c, &w, backend);
    run_plainly(&c);
    if (r == 0 && c.touched >= 0 && !c.temporary[c.touched]) good &= same_dat(&c, &w, c.touched);
  }
  good &= compare(&c, &w);
  pl_stats stats;
  PL_OK(w.pl, pl_get_stats(w.pl, &stats));
  total->loops_run += stats.loops_run;
  total->loops_queued += stats.loops_queued;
  bool first = pl_rank(w.pl) == 0;
  pl_finalize(&w.pl);
  if (!good && first) print_chain(&c, seed);
  free_chain(&c);
  return good;
}

int main(int argc, char **argv)
{
  if (argc != 4) {
    fprintf(stderr, "usage: chains BACKEND FIRST COUNT\n");
    return 2;
  }
  pl_context *pl;
  pl_stats total = {0};
  int failed = 0, rank, ranks, first = atoi(argv[2]), count = atoi(argv[3]);
  if (open_context(argv[1], &pl)) {
    printf("skipped: %s\n", pl_errmsg(pl));
    pl_finalize(&pl);
    return SKIPPED;
  }
  rank = pl_rank(pl);
  ranks = pl_ranks(pl); /* open all the time: a device is then quick to open again */
  for (int s = first; s < first + count; s++) failed += !try_seed(argv[1], (uint64_t)s, &total);
  if (!rank)
    printf("%s, %d ranks: %d chains, %d failed; %llu loops recorded, %llu run\n", argv[1], ranks, count,
           failed, (unsigned long long)total.loops_queued, (unsigned long long)total.loops_run);
  pl_finalize(&pl);
  return failed != 0;
}
