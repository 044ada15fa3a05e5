/* SPDX-License-Identifier: BSD-2-Clause
 * GMRES with restarts (Saad and Schultz 1986) for M A x = M b: classical Gram-Schmidt, and rotations that
 * keep the triangle of the least-squares problem on the host.
 *
 * Sums and updates over the basis take 8, 4, 2 or 1 vectors at a time, so that four kernels serve bases of
 * any length.
 */
#include "vectors.h"
#include "core/comm/comm.h"
#include "core/context/string_builder.h"
#include "core/data/objects.h"
#include <math.h>

enum { AT_ONCE = 8, SIZES = 4 };

typedef struct gmres {
  int most, count;               /* vectors of a full basis, and of this one without the last */
  pl_dat **v;                    /* most + 1, made when first needed */
  double *h, *cosine, *sine, *g; /* columns of `most` + 1; the rotations; the right-hand side */
  pl_global *sums[SIZES];        /* of 1, 2, 4, 8 values */
  const pl_kernel *dots[SIZES];
} gmres;

/* The largest of 8, 4, 2, 1 vectors that is at most n, as the power of two. */
static int chunk(int n)
{
  return n >= 8 ? 3 : n >= 4 ? 2 : n >= 2 ? 1 : 0;
}

/* ---- set-up ---- */

static pl_err make_dots(pl_solver *s, gmres *c, int power)
{
  pl_context *pl = s->node.pl;
  char name[16];
  pl_string params, body;
  if (c->dots[power]) return PL_SUCCESS;
  snprintf(name, sizeof name, "dots%d", 1 << power);
  pl_string_init(&params, pl);
  pl_string_init(&body, pl);
  pl_string_add(&params, "(const T *w, double *sum");
  for (int k = 0; k < 1 << power; k++) {
    pl_string_add(&params, ", const T *v%d", k);
    pl_string_add(&body, "  for (int i = 0; i < D; i++) sum[%d] += (double)w[i] * v%d[i];\n", k, k);
  }
  pl_string_add(&params, ")");
  pl_err err = pl_string_check(&params);
  if (!err) err = pl_string_check(&body);
  err = pl_agree_on_error(pl, err);
  if (!err)
    err = pl_solver_kernel(s, name, pl_string_chars(&params), pl_string_chars(&body), &c->dots[power]);
  pl_string_free(&params);
  pl_string_free(&body);
  return err;
}

static pl_err make_sums(pl_context *pl, gmres *c, int power)
{
  if (c->sums[power]) return PL_SUCCESS;
  PL_TRY(pl_agree_on_error(
    pl, pl_global_new(pl, sizeof(pl_global), 1 << power, PL_DOUBLE, "sums", &c->sums[power])));
  c->sums[power]->node.internal = true;
  return PL_SUCCESS;
}

static pl_err basis_vector(pl_solver *s, int i, pl_dat **v)
{
  gmres *c = s->state;
  if (!c->v[i]) {
    PL_TRY(pl_solver_vector(s, "basis", &c->v[i]));
    c->v[i]->node.internal = true;
  }
  *v = c->v[i];
  return PL_SUCCESS;
}

/* v_0 = z / |z| */
static pl_err begin_basis(pl_solver *s)
{
  gmres *c = s->state;
  double z2;
  pl_dat *v;
  PL_TRY(pl_solver_inner(s, s->work[PL_SOLVER_Z], s->work[PL_SOLVER_Z], &z2));
  PL_TRY(basis_vector(s, 0, &v));
  c->count = 0;
  c->g[0] = sqrt(z2);
  return pl_dat_combine_number(s->work[PL_SOLVER_Z], PL_MULTIPLY, z2 > 0 ? 1 / c->g[0] : 0, v);
}

static void gmres_release(pl_solver *s)
{
  gmres *c = s->state;
  for (int i = 0; c->v && i <= c->most; i++) pl_dat_free(&c->v[i]);
  for (int i = 0; i < SIZES; i++) pl_global_free(&c->sums[i]);
  pl_free_all(s->node.pl, c->v, c->h, c->cosine);
}

static pl_err make_arrays(pl_context *pl, int most, gmres *c)
{
  const size_t n = (size_t)most + 1;
  c->most = most;
  if (!c->v) PL_TRY(PL_NEW(pl, c->v, n));
  if (!c->h) PL_TRY(PL_NEW(pl, c->h, n * n));
  if (!c->cosine) PL_TRY(PL_NEW(pl, c->cosine, 3 * n));
  c->sine = c->cosine + n;
  c->g = c->sine + n;
  return PL_SUCCESS;
}

/* The basis is kept for later runs, so that their loops are those of the first. */
static pl_err gmres_start(pl_solver *s)
{
  pl_context *pl = s->node.pl;
  gmres *c = s->state;
  pl_err err = c ? PL_SUCCESS : PL_NEW(pl, c, 1);
  s->state = c;
  if (!err) err = make_arrays(pl, s->options.restart, c);
  PL_TRY(pl_agree_on_error(pl, err));
  return begin_basis(s);
}

/* ---- an iteration ---- */

/* h_i = v_i . w for the n vectors of the basis. */
static pl_err project(pl_solver *s, pl_dat *w, int n, double *h)
{
  gmres *c = s->state;
  for (int i = 0, power; i < n; i += 1 << power) {
    pl_arg arg[2 + AT_ONCE];
    power = chunk(n - i);
    PL_TRY(make_dots(s, c, power));
    PL_TRY(make_sums(s->node.pl, c, power));
    PL_TRY(pl_global_zero(c->sums[power]));
    arg[0] = pl_arg_direct(w, PL_READ);
    arg[1] = pl_arg_gbl(c->sums[power], PL_INC);
    for (int k = 0; k < 1 << power; k++) arg[2 + k] = pl_arg_direct(c->v[i + k], PL_READ);
    PL_TRY(pl_par_loop_args(c->dots[power], s->set, 2 + (1 << power), arg));
    PL_TRY(pl_solver_read(c->sums[power], h + i));
  }
  return PL_SUCCESS;
}

/* y += sign (f_0 v_0 + ... + f_n-1 v_n-1) */
static pl_err add_basis(pl_solver *s, double sign, const double *f, int n, pl_dat *y)
{
  gmres *c = s->state;
  for (int i = 0, power; i < n; i += 1 << power) {
    double factor[AT_ONCE];
    power = chunk(n - i);
    PL_TRY(make_dots(s, c, power));
    PL_TRY(make_sums(s->node.pl, c, power));
    for (int k = 0; k < 1 << power; k++) factor[k] = sign * f[i + k];
    PL_TRY(pl_global_set_as(c->sums[power], PL_DOUBLE, factor));
    PL_TRY(pl_dat_maxpy(1 << power, c->sums[power], c->v + i, y));
  }
  return PL_SUCCESS;
}

static void rotate(double cosine, double sine, double *a, double *b)
{
  const double t = cosine * *a + sine * *b;
  *b = -sine * *a + cosine * *b;
  *a = t;
}

/* Applies the rotations so far to the new column, and the one that makes its last value 0. */
static void triangulate(gmres *c, double *h)
{
  const int k = c->count;
  for (int i = 0; i < k; i++) rotate(c->cosine[i], c->sine[i], &h[i], &h[i + 1]);
  const double length = hypot(h[k], h[k + 1]);
  c->cosine[k] = h[k] / length;
  c->sine[k] = h[k + 1] / length;
  c->g[k + 1] = 0;
  rotate(c->cosine[k], c->sine[k], &h[k], &h[k + 1]);
  rotate(c->cosine[k], c->sine[k], &c->g[k], &c->g[k + 1]);
}

static pl_err gmres_finish(pl_solver *s)
{
  gmres *c = s->state;
  const int n = c->count;
  double *y = c->g; /* solved in place, from the last row */
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) y[i] -= c->h[j * (c->most + 1) + i] * y[j];
    y[i] /= c->h[i * (c->most + 1) + i];
  }
  c->count = 0;
  return add_basis(s, 1, y, n, s->x);
}

static pl_err gmres_step(pl_solver *s, pl_global *norm2)
{
  gmres *c = s->state;
  if (c->count == c->most) {
    PL_TRY(gmres_finish(s));
    PL_TRY(pl_solver_residual(s));
    PL_TRY(begin_basis(s));
  }
  pl_dat *w;
  const int k = c->count;
  double *h = c->h + (size_t)k * (size_t)(c->most + 1), w2;
  PL_TRY(basis_vector(s, k + 1, &w));
  PL_TRY(pl_solver_operate(s, c->v[k], w));
  PL_TRY(project(s, w, k + 1, h));
  PL_TRY(add_basis(s, -1, h, k + 1, w));
  PL_TRY(pl_solver_inner(s, w, w, &w2));
  h[k + 1] = sqrt(w2);
  PL_TRY(pl_dat_scale(w2 > 0 ? 1 / h[k + 1] : 0, w));
  triangulate(c, h);
  c->count++;
  const double square = c->g[k + 1] * c->g[k + 1];
  return pl_global_set_as(norm2, PL_DOUBLE, &square);
}

const pl_solver_method pl_solver_gmres = {.name = "gmres",
                                          .scalars = 1,
                                          .start = gmres_start,
                                          .step = gmres_step,
                                          .finish = gmres_finish,
                                          .release = gmres_release};
