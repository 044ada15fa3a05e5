
static inline void pl_inc_double(__global double *p, double v)
{
  union { double v; uint64_t b; } now, next;
  uint64_t seen = *(volatile __global uint64_t *)p;
  do {
    now.b = seen;
    next.v = now.v + v;
    const uint64_t a = now.b, b = next.b;
    seen = atom_cmpxchg((volatile __global ulong *)p, a, b);
  } while (seen != now.b);
}

/* One element a work item. */
__kernel void pl_run(const int pl_begin, const int pl_end,
    __global const double *restrict dat_x,
    const int stride_x,
    __global const int *restrict map0,
    __global const double *restrict dat_q,
    const int stride_q,
    __global const int *restrict map1,
    __global const double *restrict dat_adt,
    __global double *restrict dat_res,
    const int stride_res,
    __global const struct pl_consts *restrict pl_consts)
{
  const int pl_t = (int)get_local_id(0), pl_b = (int)get_group_id(0);
  const int pl_p = pl_b * (int)get_local_size(0) + pl_t;
  #define pl_k (*pl_consts)
  if (pl_p >= pl_end - pl_begin) return;
  const int pl_e = pl_begin + pl_p;
  const int2 row0_0 = *(__global const int2 *)&map0[2 * pl_e + 0];
  const int target0_0 = row0_0.x;
  const int target0_1 = row0_0.y;
  const int2 row1_0 = *(__global const int2 *)&map1[2 * pl_e + 0];
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

