/* SPDX-License-Identifier: BSD-2-Clause
 * Makes a random chain from a seed.
 */
#include "made.h"

void *room(int n, size_t bytes)
{
  void *block = calloc((size_t)n + 1, bytes);
  if (!block) exit(1);
  return block;
}

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

/* ---- the mesh: boxes in 2 or 3 dimensions ---- */

static int *indices(int n)
{
  return room(n, sizeof(int));
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
  int *cell_node = indices(cells * round), *face_cell = indices(2 * most),
      *face_node = indices(across * most), *bound_cell = indices(most), *bound_node = indices(across * most),
      *cell_next = indices(cells), nfaces = 0, nbound = 0;
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
              .map = {{CELLS, NODES, round, cell_node, NULL},
                      {FACES, CELLS, 2, face_cell, NULL},
                      {FACES, NODES, across, face_node, NULL},
                      {BOUNDARY, CELLS, 1, bound_cell, NULL},
                      {BOUNDARY, NODES, across, bound_node, NULL},
                      {CELLS, CELLS, 1, cell_next, NULL}}};
}

/* Rows of none to three targets, anywhere. */
static void make_ragged(chain *c, table *t, int from, int to)
{
  const int n = c->mesh.size[from];
  *t = (table){from, to, 0, indices(3 * n), indices(n)};
  for (int e = 0; e < n; e++) {
    int count = c->mesh.size[to] ? below(c, 4) : 0;
    t->offsets[e + 1] = t->offsets[e] + count;
    for (int k = 0; k < count; k++) t->index[t->offsets[e] + k] = below(c, c->mesh.size[to]);
  }
}

static void make_parts(chain *c, int set)
{
  const int n = c->mesh.size[set], chance = 1 + below(c, 4);
  part *p = c->mesh.part[set];
  for (int k = 0; k < PARTS; k++) p[k] = (part){0, indices(n)};
  for (int e = 0; e < n; e++) {
    p[0].index[p[0].n++] = e;
    if (e % 2 == 0) p[1].index[p[1].n++] = e;
    if (below(c, 5) < chance) p[2].index[p[2].n++] = e;
  }
  if (!below(c, 10)) p[2].n = 0;
}

/* ---- one loop ---- */

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
    const int m = (first + k) % MAPS;
    const table *t = &c->mesh.map[m];
    if (t->from != l->set || t->to != c->dat_set[a->dat]) continue;
    a->map = m;
    a->index = below(c, 2) || !t->arity ? PL_ALL : below(c, t->arity);
    a->access = t->arity ? far[below(c, 8)] : PL_READ;
    if (!t->arity) a->component = 0;
    if (m == 5 && c->mesh.size[CELLS] % 7 && !below(c, 3)) /* no two lead to one: all may write */
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
  int m = below(c, FIXED);
  *a = (argument){-1, -1, -1, 0, PL_READ, 0};
  if (c->mesh.map[m].from != l->set) return;
  a->map = m;
  a->index = below(c, c->mesh.map[m].arity);
}

static bool alike(const chain *c, int a, int b)
{
  return c->dat_set[a] == c->dat_set[b] && c->dim[a] == c->dim[b] && c->type[a] == c->type[b];
}

/* Another dat of the same kind, if there is one. */
static int another(chain *c, int dat)
{
  int first = below(c, DATS);
  for (int k = 0; k < DATS; k++)
    if ((first + k) % DATS != dat && alike(c, (first + k) % DATS, dat)) return (first + k) % DATS;
  return dat;
}

static bool make_copy(chain *c, loop *l)
{
  int from = below(c, DATS), to = another(c, from);
  *l = (loop){
    COPY,       c->dat_set[from], 0, 2, {{from, -1, -1, PL_ID, PL_READ, 0}, {to, -1, -1, PL_ID, PL_WRITE, 0}},
    .owner = -1};
  return from != to;
}

static void make_zero(chain *c, loop *l)
{
  int d = below(c, DATS);
  *l =
    (loop){ZERO,       c->dat_set[d], below(c, 3) ? 0 : below(c, PARTS), 1, {{d, -1, -1, PL_ID, PL_WRITE, 0}},
           .owner = -1};
}

/* An earlier loop's kernel, for other dats or another part of its set. */
static bool make_again(chain *c, int k, loop *l)
{
  int other = below(c, k);
  const loop *o = &c->loop[other];
  if (o->kind != CALL) return false;
  *l = *o;
  l->owner = o->owner < 0 ? other : o->owner;
  l->part = below(c, 2) ? 0 : below(c, PARTS);
  for (int i = 0; i < l->nargs; i++) {
    if (l->arg[i].dat < 0 || below(c, 2)) continue;
    argument a = l->arg[i];
    a.dat = another(c, a.dat);
    l->arg[i].dat = -1;
    l->arg[i].global = GLOBALS; /* stands aside while `allowed` looks */
    if (!allowed(l, &a)) a.dat = o->arg[i].dat;
    if (!allowed(l, &a)) return false;
    l->arg[i] = a;
  }
  return true;
}

static void make_body(chain *c, loop *l)
{
  bool whole = true;
  for (int i = 0; i < l->nargs; i++) whole &= l->arg[i].access != PL_WRITE;
  l->factor = 1 + below(c, 5);
  l->owner = -1;
  l->guard = !below(c, 4);
  l->leave = whole && !below(c, 3);
  l->again = !below(c, 4);
  l->point = !below(c, 5);
  l->clash = !below(c, 12);
}

static void make_call(chain *c, loop *l)
{
  static const int sets[] = {CELLS, CELLS, CELLS, FACES, FACES, BOUNDARY, NODES};
  bool writing = false;
  *l = (loop){.kind = CALL, .set = sets[below(c, 7)], .part = below(c, 5) ? 0 : 1 + below(c, PARTS - 1)};
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
  make_body(c, l);
}

static void make_loop(chain *c, int k)
{
  loop *l = &c->loop[k];
  if (!below(c, 8) && make_copy(c, l)) return;
  if (k && !below(c, 6) && make_again(c, k, l)) return;
  if (!below(c, 12))
    make_zero(c, l);
  else
    make_call(c, l);
}

/* ---- patterns: what chains turn into something else ---- */

static void add_loop(chain *c, kind kind, int set, const argument *a, int n)
{
  loop *l = &c->loop[c->nloops++];
  *l = (loop){.kind = kind, .set = set, .nargs = n};
  for (int i = 0; i < n; i++) l->arg[i] = a[i];
  make_body(c, l);
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
  add_loop(c, ZERO, CELLS, &zero, 1);
  add_loop(c, CALL, FACES, faces, 2 + below(c, 3));
  if (below(c, 2)) add_loop(c, CALL, BOUNDARY, ends, 3);
  add_loop(c, CALL, CELLS, cells, 2 + below(c, 2));
  add_loop(c, ZERO, CELLS, &zero, 1);
}

/* What may become a change of place: a copy, its original written anew from it, more than once. */
static void add_copy(chain *c)
{
  int d = below(c, 3), old = another(c, d), stages = 1 + below(c, 2);
  if (d == old || old > 2) return;
  const argument both[] = {{d, -1, -1, PL_ID, PL_READ, 0}, {old, -1, -1, PL_ID, PL_WRITE, 0}};
  const argument next[] = {
    {old, -1, -1, PL_ID, PL_READ, 0}, {d, -1, -1, PL_ID, PL_WRITE, 0}, {-1, 0, -1, PL_ID, PL_INC, 0}};
  const argument around[] = {{d, -1, 5, 0, PL_READ, 0}, {3 - d - old, -1, -1, PL_ID, PL_WRITE, 0}};
  const argument first[] = {{3 - d - old, -1, -1, PL_ID, PL_READ, 0}, {d, -1, -1, PL_ID, PL_WRITE, 0}};
  if (below(c, 2)) add_loop(c, CALL, CELLS, first, 2);
  add_loop(c, COPY, CELLS, both, 2);
  for (int s = 0; s < stages; s++) {
    if (below(c, 2)) add_loop(c, CALL, CELLS, around, 2);
    add_loop(c, CALL, CELLS, next, 2 + below(c, 2));
  }
}

/* A dat that the loop only reads, directly or through a map. */
static void add_read(chain *c, loop *l)
{
  argument a;
  if (!pick_dat(c, l, &a)) return;
  a.access = PL_READ;
  if (l->nargs < MOST_ARGS && allowed(l, &a)) l->arg[l->nargs++] = a;
}

/* What may move into its consumers, or be computed for blocks: a dat written, then read through maps. */
static void add_producer(chain *c)
{
  const int m = below(c, FIXED), out = below(c, DATS);
  const table *t = &c->mesh.map[m];
  int d = below(c, DATS), consumers = 1 + below(c, 2);
  while (c->dat_set[d] != t->to) d = (d + 1) % DATS;
  const argument made = {d, -1, -1, PL_ID, below(c, 6) ? PL_WRITE : PL_RW, 0};
  add_loop(c, CALL, t->to, &made, 1);
  for (int i = below(c, 3); i > 0; i--) add_read(c, &c->loop[c->nloops - 1]);
  if (!below(c, 6)) c->loop[c->nloops - 1].part = 2;
  for (int k = 0; k < consumers; k++) {
    argument used[2] = {{d, -1, m, below(c, 2) ? PL_ALL : below(c, t->arity), PL_READ, 0},
                        {-1, below(c, GLOBALS), -1, PL_ID, PL_INC, 0}};
    if (c->dat_set[out] == t->from && out != d)
      used[1] = (argument){out, -1, -1, PL_ID, below(c, 2) ? PL_WRITE : PL_INC, 0};
    add_loop(c, CALL, t->from, used, 2);
    for (int i = below(c, 3); i > 0; i--) add_read(c, &c->loop[c->nloops - 1]);
  }
}

/* A sum that may be in vain. */
static void add_global_zero(chain *c)
{
  const argument zero = {-1, below(c, GLOBALS), -1, PL_ID, PL_WRITE, 0};
  add_loop(c, ZERO, CELLS, &zero, 1);
}

/* ---- the chain ---- */

/* Whether what touches a dat first, of loops first to end - 1, writes all of it. */
static bool begins_whole(const chain *c, int dat, int first, int end)
{
  for (int k = first; k < end; k++)
    for (int i = 0; i < c->loop[k].nargs; i++) {
      const argument *a = &c->loop[k].arg[i];
      if (a->dat == dat) return a->access == PL_WRITE && a->map < 0 && !a->component && !c->loop[k].part;
    }
  return false;
}

static bool may_be_temporary(const chain *c, int dat)
{
  if (c->lazy || dat == c->touched) return false;
  return begins_whole(c, dat, 0, c->cut ? c->cut : c->nloops) &&
         (!c->cut || begins_whole(c, dat, c->cut, c->nloops));
}

static void make_dat(chain *c, int d)
{
  static const int sets[DATS] = {CELLS, CELLS, CELLS, FACES, FACES, NODES, BOUNDARY, NODES};
  static const pl_type types[] = {PL_FLOAT, PL_INT32, PL_INT64};
  int like = d > 0 && sets[d] == sets[d - 1] && below(c, 3) ? d - 1 : -1;
  c->dat_set[d] = sets[d];
  c->dim[d] = like < 0 ? 1 + below(c, MOST_DIM) : c->dim[like];
  c->type[d] = like < 0 ? below(c, 3) ? PL_DOUBLE : types[below(c, 3)] : c->type[like];
  c->value[d] = room(values(c, d), sizeof(double));
  for (int i = 0; i < values(c, d); i++) c->value[d][i] = below(c, 1000);
  c->choice[d] = below(c, 4);
}

static void make_world(chain *c)
{
  c->dims = 2 + below(c, 2);
  const int most = below(c, 4)    ? c->dims == 2 ? 9 : 4
                   : c->dims == 2 ? 45
                                  : 13; /* one of four has many blocks */
  for (int a = 0; a < 3; a++) c->n[a] = a < c->dims ? 1 + below(c, most) : 1;
  make_mesh(&c->mesh, c->dims, c->n);
  make_ragged(c, &c->mesh.map[FIXED], NODES, CELLS);
  make_ragged(c, &c->mesh.map[FIXED + 1], CELLS, FACES);
  for (int s = 0; s < SETS; s++) make_parts(c, s);
  for (int d = 0; d < DATS; d++) make_dat(c, d);
  for (int g = 0; g < GLOBALS; g++) {
    c->global_dim[g] = below(c, 2) ? 1 : 1 + below(c, MOST_DIM);
    c->global_type[g] = below(c, 3) ? PL_DOUBLE : PL_INT64;
    for (int v = 0; v < c->global_dim[g]; v++) c->global[g][v] = below(c, 1000);
  }
}

void make_chain(chain *c, uint64_t seed)
{
  *c = (chain){.seed = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
  for (int i = 0; i < 5; i++) next(c);
  make_world(c);
  c->nloops = 2 + below(c, MOST_LOOPS - 1);
  c->rounds = below(c, 6) ? 1 + below(c, 3) : MOST_ROUNDS;
  c->touched = below(c, 2) ? below(c, DATS) : -1;
  c->lazy = !below(c, 6);
  c->layout = below(c, 6);
  c->blocks = below(c, 3) ? 0 : 8 << below(c, 5);
  c->parts = below(c, 5);
  c->block = below(c, 2) ? 0 : 1 + below(c, 70);
  for (int k = 0; k < c->nloops; k++) make_loop(c, k);
  if (below(c, 2)) add_copy(c);
  if (below(c, 2)) add_global_zero(c);
  for (int i = below(c, 3); i > 0; i--) add_producer(c);
  if (below(c, 2)) add_sum(c);
  if (!below(c, 3)) add_global_zero(c);
  if (!below(c, 3)) c->cut = 1 + below(c, c->nloops - 1);
  c->apart = !below(c, 3);
  c->turned = below(c, 2);
  for (int d = 0; d < DATS; d++) c->temporary[d] = below(c, 2) && may_be_temporary(c, d);
}

void free_chain(chain *c)
{
  for (int d = 0; d < DATS; d++) free(c->value[d]);
  for (int m = 0; m < MAPS; m++) {
    free(c->mesh.map[m].index);
    free(c->mesh.map[m].offsets);
  }
  for (int s = 0; s < SETS; s++)
    for (int k = 0; k < PARTS; k++) free(c->mesh.part[s][k].index);
}

/* ---- in words ---- */

static void print_argument(const chain *c, const argument *a)
{
  static const char *const accesses[] = {"", "READ", "WRITE", "RW", "INC", "MIN", "MAX"};
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

static void print_loop(const chain *c, int k)
{
  static const char *const names[] = {"cells", "faces", "boundary", "nodes"},
                           *const kinds[] = {"", "zero ", "copy "}, *const parts[] = {"", " half", " some"};
  const loop *l = &c->loop[k];
  fprintf(stderr, "  %d. %s%s%s:", k + 1, kinds[l->kind], names[l->set], parts[l->part]);
  for (int i = 0; i < l->nargs; i++) print_argument(c, &l->arg[i]);
  if (l->owner >= 0) fprintf(stderr, " kernel of %d", l->owner + 1);
  if (l->kind == CALL)
    fprintf(stderr, "%s%s%s%s", l->guard ? " guarded" : "", l->leave ? " leaving" : "",
            l->again ? " again" : "", l->point ? " pointing" : "");
  fprintf(stderr, "\n");
}

void print_chain(const chain *c, uint64_t seed)
{
  fprintf(stderr, "seed %llu: %d x %d x %d, %d rounds, touched %d%s, cut at %d%s%s, blocks of %d, dats",
          (unsigned long long)seed, c->n[0], c->n[1], c->n[2], c->rounds, c->touched, c->lazy ? ", lazy" : "",
          c->cut + 1, c->apart ? " apart" : "", c->turned ? " turned" : "", c->block);
  for (int d = 0; d < DATS; d++)
    fprintf(stderr, " %d x %s hint %d,", c->dim[d], pl_type_name(c->type[d]), c->choice[d]);
  fprintf(stderr, " layout %d, block size %d\n", c->layout, c->blocks);
  for (int k = 0; k < c->nloops; k++) print_loop(c, k);
}
