/* SPDX-License-Identifier: BSD-2-Clause
 * Agreement of kernel parameters with the arguments of a loop.
 */
#include "codegen/kernel/signature_check.h"
#include "core/loop/loop.h"
#include "kernel_text.h"

static pl_set *cells, *nodes;
static pl_map *corners;
static pl_dat *res, *area, *xy, *single, *tensor, *count, *wave;
static pl_global *rms, *vec, *where;
static pl_const *weight;

static void declare_mesh(void)
{
  static const int shape[] = {2, 3}, index[] = {0, 1, 2, 1, 2, 0};
  static const double one = 1;
  open_text_context();
  PL_OK(pl, pl_decl_set(pl, 2, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, 3, "nodes", &nodes));
  PL_OK(pl, pl_decl_map(cells, nodes, 3, index, "corners", &corners));
  PL_OK(pl, pl_decl_dat(cells, 4, PL_DOUBLE, NULL, "res", &res));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_DOUBLE, NULL, "area", &area));
  PL_OK(pl, pl_decl_dat(nodes, 2, PL_DOUBLE, NULL, "xy", &xy));
  PL_OK(pl, pl_decl_dat(nodes, 2, PL_FLOAT, NULL, "single", &single));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_INT32, NULL, "count", &count));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_COMPLEX_DOUBLE, NULL, "wave", &wave));
  PL_OK(pl, pl_decl_dat_shape(cells, 2, shape, PL_DOUBLE, NULL, "tensor", &tensor));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "rms", &rms));
  PL_OK(pl, pl_decl_global(pl, 3, PL_DOUBLE, NULL, "vec", &vec));
  PL_OK(pl, pl_decl_global(pl, 1, PL_INT64, NULL, "where", &where));
  PL_OK(pl, pl_decl_const(pl, "weight", 1, PL_DOUBLE, &one, &weight));
}

static pl_err bind_body(const char *params, const char *body, int nargs, const pl_arg *args,
                        pl_signature *signature)
{
  pl_kernel kernel = kernel_of(params, body);
  pl_arg copy[4];
  memcpy(copy, args, (size_t)nargs * sizeof *args);
  pl_loop loop = {.pl = pl, .kernel = &kernel, .set = cells, .nargs = nargs, .args = copy};
  pl_err err = pl_signature_parse(pl, &kernel, signature);
  if (err) return err;
  err = pl_signature_bind(pl, &loop, signature);
  if (err) pl_signature_free(signature);
  return err;
}

static pl_err bind_args(const char *params, int nargs, const pl_arg *args, pl_signature *signature)
{
  return bind_body(params, "{}", nargs, args, signature);
}

static pl_type expect_fits(const char *params, int nargs, const pl_arg *args)
{
  pl_signature signature;
  pl_err err = bind_args(params, nargs, args, &signature);
  CU_ASSERT_EQUAL(err, PL_SUCCESS);
  if (err) fprintf(stderr, "\n  %s: %s\n", params, pl_errmsg(pl));
  if (err) return PL_TYPE_COUNT;
  pl_type real = signature.real;
  pl_signature_free(&signature);
  return real;
}

static void expect_misfit(const char *params, pl_arg arg, pl_err code, const char *message)
{
  pl_signature signature;
  expect_error(bind_args(params, 1, &arg, &signature), code, message);
}

static void fits(const char *params, pl_arg arg)
{
  expect_fits(params, 1, &arg);
}

static void test_bind_shapes(void)
{
  pl_arg direct = pl_arg_dat(res, PL_ID, PL_DIRECT, PL_RW), one = pl_arg_dat(xy, 1, corners, PL_READ);
  pl_arg all = pl_arg_dat(xy, PL_ALL, corners, PL_READ), shaped = pl_arg_dat(tensor, PL_ID, PL_DIRECT, PL_RW);
  fits("(double *x)", direct);
  fits("(double x[4])", direct);
  fits("(double x[2][2])", direct);
  fits("(double x[][2])", direct);
  fits("(double x[N])", direct);
  fits("(double x[2][3])", shaped);
  fits("(double (*x)[3])", shaped);
  fits("(const double x[2])", one);
  fits("(double *x)", one);
  fits("(const double *x[3])", all);
  fits("(const double *const x[3])", all);
  fits("(const double **x)", all);
  fits("(const double x[3][2])", all);
  fits("(const double x[][2])", all);
  fits("(const double x[3][N])", all);
  fits("(const double x[3][2][1])", all);
  fits("(double *x)", pl_arg_component(direct, 2));
  fits("(double x[1])", pl_arg_component(direct, 2));
  fits("(double *x)", pl_arg_gbl(rms, PL_INC));
  fits("(const double x[3])", pl_arg_gbl(vec, PL_READ));
  fits("(const double *x)", pl_arg_const(weight, PL_READ));
  fits("(int64_t *x)", pl_arg_payload(where, rms));
  fits("(const int64_t *x)", pl_arg_idx(PL_ID, PL_DIRECT));
  fits("(const long *x)", pl_arg_idx(2, corners));
  fits("(pl_cdouble *x)", pl_arg_dat(wave, PL_ID, PL_DIRECT, PL_INC));
  fits("(void *x)", pl_arg_ptr(NULL));
  fits("(struct box *x)", pl_arg_ptr(NULL));
  fits("(double **x)", pl_arg_ptr(NULL));
  fits("(const double *x)", pl_arg_opt(pl_arg_dat(area, PL_ID, PL_DIRECT, PL_READ), 0));
}

static void test_bind_shape_errors(void)
{
  pl_arg direct = pl_arg_dat(res, PL_ID, PL_DIRECT, PL_RW), one = pl_arg_dat(xy, 1, corners, PL_READ);
  pl_arg all = pl_arg_dat(xy, PL_ALL, corners, PL_READ);
#define P "kernel \"k\", parameter 1 \"x\": "
  expect_misfit("(double x[3])", direct, PL_ERR_KERNEL,
                P "\"double x[3]\" does not hold the 4 values of dat \"res\": write double x[4]");
  expect_misfit("(double x[5])", direct, PL_ERR_KERNEL,
                P "\"double x[5]\" does not hold the 4 values of dat \"res\": write double x[4]");
  expect_misfit("(double x[2][3])", direct, PL_ERR_KERNEL,
                P "\"double x[2][3]\" does not hold the 4 values of dat \"res\": write double x[4]");
  expect_misfit("(double x[][3])", direct, PL_ERR_KERNEL,
                P "\"double x[][3]\" does not hold the 4 values of dat \"res\": write double x[4]");
  expect_misfit("(double *x[4])", direct, PL_ERR_KERNEL,
                P "an array of pointers, but dat \"res\" is passed for one element: write double *x");
  expect_misfit("(const double **x)", one, PL_ERR_KERNEL,
                P "an array of pointers, but dat \"xy\" is passed for one element: write const double "
                  "*x, or use PL_ALL in the loop");
#define Q                                                                                                    \
  " does not hold the 3 targets of map \"corners\" with 2 values of dat \"xy\" each: write const double "    \
  "*x[3], const double x[3][2] or const double *x"
  expect_misfit("(const double x[5])", all, PL_ERR_KERNEL, P "\"const double x[5]\"" Q);
  fits("(const double *x)", all);
  fits("(const double x[6])", all);
  expect_misfit("(const double *x[4])", all, PL_ERR_KERNEL, P "\"const double *x[4]\"" Q);
  expect_misfit("(const double x[2][3])", all, PL_ERR_KERNEL, P "\"const double x[2][3]\"" Q);
  expect_misfit("(const double x[3][3])", all, PL_ERR_KERNEL, P "\"const double x[3][3]\"" Q);
  expect_misfit("(const double x[][1])", all, PL_ERR_KERNEL, P "\"const double x[][1]\"" Q);
  expect_misfit("(double x[2])", pl_arg_gbl(rms, PL_INC), PL_ERR_KERNEL,
                P "\"double x[2]\" does not hold the 1 value of global \"rms\": write double x[1]");
  expect_misfit("(double x[1][3])", pl_arg_gbl(vec, PL_INC), PL_ERR_KERNEL,
                P "an array of arrays, but global \"vec\" has no shape: write double *x");
  expect_misfit(
    "(const double **x)", pl_arg_const(weight, PL_READ), PL_ERR_KERNEL,
    P "an array of pointers, but const \"weight\" is passed for one element: write const double *x");
  expect_misfit("(double x[4])", pl_arg_component(direct, 1), PL_ERR_KERNEL,
                P "\"double x[4]\" does not hold the 1 value of dat \"res\": write double x[1]");
}

static void test_bind_type_errors(void)
{
  pl_arg direct = pl_arg_dat(res, PL_ID, PL_DIRECT, PL_RW);
  expect_misfit("(float *x)", direct, PL_ERR_TYPE, P "float, but dat \"res\" holds double");
  expect_misfit("(pl_real *x)", pl_arg_dat(count, PL_ID, PL_DIRECT, PL_RW), PL_ERR_TYPE,
                P "pl_real, but dat \"count\" holds int32_t");
  expect_misfit("(double *x)", pl_arg_dat(wave, PL_ID, PL_DIRECT, PL_RW), PL_ERR_TYPE,
                P "double, but dat \"wave\" holds pl_cdouble");
  expect_misfit("(real *x)", direct, PL_ERR_TYPE,
                P "\"real *x\" is not a type or shape for dat \"res\": write double *x");
  expect_misfit("(double ***x)", direct, PL_ERR_TYPE,
                P "\"double ***x\" is not a type or shape for dat \"res\": write double *x");
  expect_misfit("(const int *x)", pl_arg_idx(PL_ID, PL_DIRECT), PL_ERR_TYPE,
                P "int32_t, but the index argument holds int64_t");
  expect_misfit("(const double *x)", direct, PL_ERR_ACCESS,
                P "const, but the loop writes dat \"res\": drop the const, or make the access PL_READ");
  expect_misfit("(const double *x)", pl_arg_gbl(rms, PL_MAX), PL_ERR_ACCESS,
                P "const, but the loop writes global \"rms\": drop the const, or make the access PL_READ");
  expect_misfit("(const int64_t *x)", pl_arg_payload(where, rms), PL_ERR_ACCESS,
                P "const, but the loop writes global \"where\": drop the const, or make the access PL_READ");
  expect_misfit("(int64_t *x)", pl_arg_idx(PL_ID, PL_DIRECT), PL_ERR_ACCESS,
                P "the index argument cannot be written: write const int64_t *x");
  pl_signature signature;
  pl_arg read = pl_arg_dat(res, PL_ID, PL_DIRECT, PL_READ), all = pl_arg_dat(xy, PL_ALL, corners, PL_READ);
  expect_error(
    bind_body("(double *x)", "{ x[0] = 1; }", 1, &read, &signature), PL_ERR_ACCESS,
    P "the kernel assigns to it, but the loop only reads dat \"res\": make the access PL_RW, or work "
      "on a copy");
  expect_error(bind_body("(double *x)", "{ double s = x[0] + x[4]; }", 1, &read, &signature), PL_ERR_KERNEL,
               P "the kernel uses value 4, but dat \"res\" has 4, from 0 to 3");
  expect_error(bind_body("(double *x[])", "{ double s = x[3][0]; }", 1, &all, &signature), PL_ERR_KERNEL,
               P "the kernel uses target 3, but map \"corners\" has 3, from 0 to 2");
  expect_error(bind_body("(double x[3][2])", "{ double s = x[2][0x2]; }", 1, &all, &signature), PL_ERR_KERNEL,
               P "the kernel uses value 2, but dat \"xy\" has 2, from 0 to 1");
  CU_ASSERT_EQUAL(bind_body("(double *x[])", "{ double s = x[2][1]; }", 1, &all, &signature), PL_SUCCESS);
  pl_signature_free(&signature);
  CU_ASSERT_EQUAL(bind_body("(double *x)", "{\n#if DIM > 4\n x[4] = 1;\n#endif\n}", 1, &read, &signature),
                  PL_SUCCESS);
  pl_signature_free(&signature);
  expect_misfit("(double *x, double *y)", direct, PL_ERR_KERNEL,
                "kernel \"k\" has 2 parameters, but the loop over set \"cells\" passes 1 argument");
}

/* The local tensor of a matrix: positions of 2 x 3 values a cell. */
static void test_bind_tensor(void)
{
  pl_map positions = *corners;
  positions.tensor[0] = 2;
  positions.tensor[1] = 3;
  const pl_arg local = pl_arg_dat(area, PL_ALL, &positions, PL_INC);
  fits("(double x[2][3])", local);
  fits("(double x[][3])", local);
  fits("(double x[6])", local);
  fits("(double *x)", local);
  static const char *const wrong[] = {"double x[3][3]", "double x[2][2]", "double x[5]", "double *x[6]"};
  for (int i = 0; i < 4; i++) {
    char params[32], message[256];
    snprintf(params, sizeof params, "(%s)", wrong[i]);
    snprintf(
      message, sizeof message,
      "kernel \"k\", parameter 1 \"x\": \"%s\" does not hold the local tensor of matrix \"area\", 2 x 3 "
      "values: write double x[2][3] or double *x",
      wrong[i]);
    expect_misfit(params, local, PL_ERR_KERNEL, message);
  }
}

static void test_bind_real(void)
{
  pl_arg wide = pl_arg_dat(xy, 0, corners, PL_READ), narrow = pl_arg_dat(single, 0, corners, PL_READ);
  CU_ASSERT_EQUAL(expect_fits("(pl_real *x, const pl_real *y)", 2, (pl_arg[]){wide, wide}), PL_DOUBLE);
  CU_ASSERT_EQUAL(expect_fits("(pl_real *x, const pl_real *y)", 2, (pl_arg[]){narrow, narrow}), PL_FLOAT);
  CU_ASSERT_EQUAL(expect_fits("(double *x, const pl_real *y)", 2, (pl_arg[]){wide, narrow}), PL_FLOAT);
  CU_ASSERT_EQUAL(expect_fits("(float *x)", 1, &narrow), PL_DOUBLE);
  pl_signature signature;
  pl_kernel kernel = kernel_of("(int *x)", "{ pl_real y = 1; }");
  kernel.real_size = 4;
  CU_ASSERT_EQUAL(pl_signature_parse(pl, &kernel, &signature), PL_SUCCESS);
  CU_ASSERT_EQUAL(signature.real, PL_FLOAT);
  pl_signature_free(&signature);
  expect_error(
    bind_args("(int *i, pl_real *x, pl_real *y)", 3,
              (pl_arg[]){pl_arg_dat(count, PL_ID, PL_DIRECT, PL_RW), narrow, wide}, &signature),
    PL_ERR_TYPE,
    "kernel \"k\", parameter 3 \"y\": pl_real is double for dat \"xy\", but float for parameter 2 \"x\" "
    "(dat \"single\"): it must be one type in a loop");
}

static CU_TestInfo tests[] = {{"shapes", test_bind_shapes},
                              {"shape errors", test_bind_shape_errors},
                              {"type errors", test_bind_type_errors},
                              {"local tensors", test_bind_tensor},
                              {"pl_real", test_bind_real},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("signature_check", declare_mesh, close_text_context, tests);
}
