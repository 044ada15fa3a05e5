/* SPDX-License-Identifier: BSD-2-Clause
 * Matrix arguments together with every other kind of argument, in integers, seen through products.
 */
#include "conformance.h"
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 90, NODES = 40, ARITY = 3, MOST = 2 };

typedef struct tensor_mesh {
  int index[ARITY * ELEMENTS], kind[NODES];
  double weight[ELEMENTS], place[NODES], given[2], scale[2];
  pl_set *elements, *nodes;
  pl_map *map;
  pl_dat *weights, *places, *kinds, *from, *to;
  pl_global *global;
} tensor_mesh;

static void open_mesh(conf *c, tensor_mesh *m, int dim)
{
  double u[NODES * MOST];
  for (int i = 0; i < ARITY * ELEMENTS; i++) m->index[i] = conf_below(c, NODES);
  for (int i = 0; i < ELEMENTS; i++) m->weight[i] = conf_below(c, 20) - 7;
  for (int i = 0; i < NODES; i++) m->place[i] = conf_below(c, 9), m->kind[i] = conf_below(c, 5);
  for (int i = 0; i < NODES * dim; i++) u[i] = i * i % 11 - 3;
  for (int i = 0; i < 2; i++) m->given[i] = 3 - 5 * i, m->scale[i] = 2 + i;
  m->elements = conf_set(c, ELEMENTS, "elements");
  m->nodes = conf_set(c, NODES, "nodes");
  m->map = conf_map(c, m->elements, m->nodes, ARITY, m->index, "corners");
  m->weights = conf_dat(c, m->elements, 1, PL_DOUBLE, m->weight, "weight");
  m->places = conf_dat(c, m->nodes, 1, PL_DOUBLE, m->place, "place");
  m->kinds = conf_dat(c, m->nodes, 1, PL_INT, m->kind, "kind");
  m->from = conf_dat(c, m->nodes, dim, PL_DOUBLE, u, "from");
  m->to = conf_dat(c, m->nodes, dim, PL_DOUBLE, NULL, "to");
  m->global = conf_global(c, 2, PL_DOUBLE, m->given, "given");
}

/* Value i, j of the tensor of element e. */
static double value_of(const tensor_mesh *m, int e, int i, int j)
{
  const int *corner = &m->index[ARITY * e];
  return m->scale[1] * m->given[0] + m->weight[e] * m->given[1] + e + corner[1] +
         m->place[corner[i % ARITY]] * (1 + i) + m->kind[corner[2]] * j;
}

static const pl_kernel *every_kind(conf *c, int size)
{
  char name[40], text[800];
  snprintf(name, sizeof name, "tensor_all_%d", size);
  snprintf(text, sizeof text,
           "void %s(const double *given, const double *w, const int64_t *me, const int64_t *corner,\n"
           "        const double *x, const int *kind, double *A)\n{\n"
           "  for (int i = 0; i < %d; i++)\n"
           "    for (int j = 0; j < %d; j++)\n"
           "      A[i * %d + j] += tensor_scale[1] * given[0] + w[0] * given[1] + (double)me[0] +\n"
           "                       (double)corner[0] + x[i %% 3] * (1 + i) + kind[0] * j;\n}\n",
           name, size, size, size);
  return conf_source(c, name, text, NULL);
}

static void try_blocks(conf *c, int dim)
{
  const int size = ARITY * dim;
  tensor_mesh m;
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  double y[NODES * MOST] = {0};
  open_mesh(c, &m, dim);
  OK(pl_decl_const(c->pl, "tensor_scale", 2, PL_DOUBLE, m.scale, NULL));
  for (int k = 0; k < ELEMENTS * size * size; k++) {
    const int e = k / (size * size), i = k / size % size, j = k % size;
    const int row = m.index[ARITY * e + i / dim] * dim + i % dim,
              column = m.index[ARITY * e + j / dim] * dim + j % dim;
    y[row] += value_of(&m, e, i, j) * (column * column % 11 - 3);
  }
  OK(pl_decl_sparsity(m.nodes, dim, m.nodes, dim, 1, &(pl_map_pair){m.map, m.map}, "pattern", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &mat));
  for (int round = 0; round < 2; round++) {
    const pl_arg tensor = pl_arg_mat(mat, m.map, m.map, PL_INC);
    OK(pl_par_loop(every_kind(c, size), m.elements, pl_arg_gbl(m.global, PL_READ), DIRECT(m.weights, PL_READ),
                   pl_arg_idx(PL_ID, PL_DIRECT), pl_arg_idx(1, m.map),
                   pl_arg_dat(m.places, PL_ALL, m.map, PL_READ), pl_arg_dat(m.kinds, 2, m.map, PL_READ),
                   round ? pl_arg_zeroed(tensor) : tensor));
    OK(pl_mat_multiply(mat, m.from, m.to));
    SAME(m.to, y);
  }
}

static void case_blocks_of_one(conf *c)
{
  try_blocks(c, 1);
}

/* A tensor of more than 16 values. */
static void case_blocks_of_two(conf *c)
{
  try_blocks(c, 2);
}

const conf_case conf_tensors[] = {
  {"matrix: every kind of argument", "P27", case_blocks_of_one, CONF_MATRIX | CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: every kind of argument, blocks", "P27", case_blocks_of_two, CONF_RANKS | CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0}};
