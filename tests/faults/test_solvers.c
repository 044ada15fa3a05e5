/* SPDX-License-Identifier: BSD-2-Clause
 * Allocations of a solution fail in turn, each STRIDE-th: PL_ERR_MEMORY with a message and never a result,
 * and the next call gives the same bits as an undisturbed one.
 *
 * test_solvers [STRIDE]
 */
#include "checks.h"
#include "failing_memory.h"
#include "sandbox.h"
#include <stdlib.h>
#include <string.h>

enum { NODES = 12, LINKS = NODES - 1 };

static failing_memory memory;
static long stride = 1;

PL_KERNEL(fault_link, (double A[2][2]), {
  A[0][0] += 2;
  A[0][1] -= 1;
  A[1][0] -= 1;
  A[1][1] += 2;
})

typedef struct rod {
  pl_context *pl;
  pl_set *links;
  pl_map *ends;
  pl_mat *a;
  pl_dat *x, *b;
} rod;

static void open_rod(rod *r)
{
  static const char *const options[] = {"backend=seq", "mpi=off", NULL};
  const pl_settings settings = {.options = options, .realloc = failing_realloc, .realloc_user = &memory};
  int ends[2 * LINKS];
  double b[NODES];
  pl_set *nodes;
  pl_sparsity *sparsity;
  for (int i = 0; i < LINKS; i++) ends[2 * i] = i, ends[2 * i + 1] = i + 1;
  for (int i = 0; i < NODES; i++) b[i] = 1 + i % 3;
  failing_memory_open(&memory);
  OK(pl_init(NULL, NULL, &settings, &r->pl));
  OK(pl_decl_set(r->pl, NODES, "nodes", &nodes));
  OK(pl_decl_set(r->pl, LINKS, "links", &r->links));
  OK(pl_decl_map(r->links, nodes, 2, ends, "ends", &r->ends));
  OK(pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "x", &r->x));
  OK(pl_decl_dat(nodes, 1, PL_DOUBLE, b, "b", &r->b));
  OK(pl_decl_sparsity(nodes, 1, nodes, 1, 1, &(pl_map_pair){r->ends, r->ends}, "rod", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &r->a));
  OK(pl_par_loop(fault_link, r->links, pl_arg_mat(r->a, r->ends, r->ends, PL_INC)));
  OK(pl_mat_multiply(r->a, r->b, r->x)); /* the pattern is there */
}

/* ---- calls under test ---- */

static pl_err solve(rod *r, const char *method, const char *preconditioner)
{
  const pl_solver_options options = {
    .method = method, .preconditioner = preconditioner, .rtol = 1e-3, .restart = 3};
  return pl_solve(r->a, r->x, r->b, &options);
}

static pl_err cg(rod *r)
{
  return solve(r, "cg", "ic");
}

static pl_err minres(rod *r)
{
  return solve(r, "minres", "ssor");
}

static pl_err chebyshev(rod *r)
{
  return solve(r, "chebyshev", "block_jacobi");
}

static pl_err residual(void *user, pl_dat *u, pl_dat *f)
{
  rod *r = user;
  pl_err err = pl_mat_multiply(r->a, u, f);
  return err ? err : pl_dat_axpy(-1.0, r->b, f);
}

static pl_err jacobian(void *user, pl_dat *u, pl_mat *a)
{
  rod *r = user;
  (void)u;
  return pl_par_loop(fault_link, r->links, pl_arg_zeroed(pl_arg_mat(a, r->ends, r->ends, PL_INC)));
}

static pl_err newton(rod *r)
{
  pl_solver *solver;
  pl_err err = pl_dat_zero(r->x);
  if (!err)
    err = pl_decl_solver(r->a, &(pl_solver_options){.method = "bicgstab", .preconditioner = "chebyshev"},
                         "steps", &solver);
  if (err) return err;
  err = pl_newton(solver, r->x, residual, jacobian, r, NULL, NULL);
  pl_solver_free(&solver);
  return err;
}

/* ---- each allocation ---- */

static void expect_result(rod *r, const double want[NODES])
{
  double x[NODES];
  OK(pl_dat_fetch(r->x, x));
  CU_ASSERT(!memcmp(x, want, sizeof x));
}

static void fail_each(pl_err (*call)(rod *))
{
  rod r;
  double want[NODES];
  long n = 0, asked;
  pl_err err;
  open_rod(&r);
  OK(call(&r)); /* compiles */
  OK(pl_dat_fetch(r.x, want));
  for (asked = memory.asked, err = call(&r), asked = memory.asked - asked; n < asked; n += stride) {
    failing_memory_start(&memory, n, false);
    err = call(&r);
    failing_memory_stop(&memory);
    CU_ASSERT(!err || (err == PL_ERR_MEMORY && *pl_errmsg(r.pl)));
    if (err) OK(call(&r));
    expect_result(&r, want);
  }
  CU_ASSERT(asked > 20);
  pl_finalize(&r.pl);
  CU_ASSERT_EQUAL(memory.blocks, 0);
  CU_ASSERT_STRING_EQUAL(memory.complaint, "");
  failing_memory_close(&memory);
}

static void test_cg(void)
{
  fail_each(cg);
}

static void test_minres(void)
{
  fail_each(minres);
}

static void test_chebyshev(void)
{
  fail_each(chebyshev);
}

static void test_newton(void)
{
  fail_each(newton);
}

int main(int argc, char **argv)
{
  CU_TestInfo tests[] = {{"cg with ic", test_cg},
                         {"minres with ssor", test_minres},
                         {"chebyshev with block_jacobi", test_chebyshev},
                         {"newton, bicgstab with chebyshev", test_newton},
                         CU_TEST_INFO_NULL};
  if (argc > 1) stride = atol(argv[1]);
  return sandbox_main("solvers", tests);
}
