
static __device__ inline void pl_inc_double(double *p, double v)
{
  atomicAdd(p, v);
}

/* One element a work item. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const double *PL_RESTRICT dat_x,
    const int stride_x,
    const int *PL_RESTRICT map0,
    const double *PL_RESTRICT dat_q,
    const int stride_q,
    const int *PL_RESTRICT map1,
    const double *PL_RESTRICT dat_adt,
    double *PL_RESTRICT dat_res,
    const int stride_res,
    const struct pl_consts pl_consts)
{
  PL_WAIT
  const int pl_t = (int)threadIdx.x, pl_b = (int)blockIdx.x;
  const int pl_p = pl_b * (int)blockDim.x + pl_t;
  #define pl_k pl_consts
  if (pl_p >= pl_end - pl_begin) return;
  const int pl_e = pl_begin + pl_p;
  const int2 row0_0 = *(const int2 *)&map0[2 * pl_e + 0];
  const int target0_0 = row0_0.x;
  const int target0_1 = row0_0.y;
  const int2 row1_0 = *(const int2 *)&map1[2 * pl_e + 0];
  const int target1_0 = row1_0.x;
  const int target1_1 = row1_0.y;
  double x1[2];
  x1[0] = dat_x[0 * stride_x + target0_0];
  x1[1] = dat_x[1 * stride_x + target0_0];
  double x2[2];
  x2[0] = dat_x[0 * stride_x + target0_1];
  x2[1] = dat_x[1 * stride_x + target0_1];
  double q1[4];
  q1[0] = dat_q[0 * stride_q + target1_0];
  q1[1] = dat_q[1 * stride_q + target1_0];
  q1[2] = dat_q[2 * stride_q + target1_0];
  q1[3] = dat_q[3 * stride_q + target1_0];
  double q2[4];
  q2[0] = dat_q[0 * stride_q + target1_1];
  q2[1] = dat_q[1 * stride_q + target1_1];
  q2[2] = dat_q[2 * stride_q + target1_1];
  q2[3] = dat_q[3 * stride_q + target1_1];
  double adt1[1];
  adt1[0] = dat_adt[target1_0];
  double adt2[1];
  adt2[0] = dat_adt[target1_1];
  double res1[4];
  res1[0] = -0.0;
  res1[1] = -0.0;
  res1[2] = -0.0;
  res1[3] = -0.0;
  double res2[4];
  res2[0] = -0.0;
  res2[1] = -0.0;
  res2[2] = -0.0;
  res2[3] = -0.0;
  res_calc(&pl_k, (const double *)x1, (const double *)x2, (const double *)q1, (const double *)q2, (const double *)adt1, (const double *)adt2, (double *)res1, (double *)res2);
  pl_inc_double(&dat_res[0 * stride_res + target1_0], res1[0]);
  pl_inc_double(&dat_res[1 * stride_res + target1_0], res1[1]);
  pl_inc_double(&dat_res[2 * stride_res + target1_0], res1[2]);
  pl_inc_double(&dat_res[3 * stride_res + target1_0], res1[3]);
  pl_inc_double(&dat_res[0 * stride_res + target1_1], res2[0]);
  pl_inc_double(&dat_res[1 * stride_res + target1_1], res2[1]);
  pl_inc_double(&dat_res[2 * stride_res + target1_1], res2[2]);
  pl_inc_double(&dat_res[3 * stride_res + target1_1], res2[3]);
}

