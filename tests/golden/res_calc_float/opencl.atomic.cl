
static inline void pl_inc_float(__global float *p, float v)
{
  union { float v; uint32_t b; } now, next;
  uint32_t seen = *(volatile __global uint32_t *)p;
  do {
    now.b = seen;
    next.v = now.v + v;
    const uint32_t a = now.b, b = next.b;
    seen = atomic_cmpxchg((volatile __global uint *)p, a, b);
  } while (seen != now.b);
}

/* One element a work item. */
__kernel void pl_run(const int pl_begin, const int pl_end,
    __global const float *restrict dat_x,
    const int stride_x,
    __global const int *restrict map0,
    __global const float *restrict dat_q,
    const int stride_q,
    __global const int *restrict map1,
    __global const float *restrict dat_adt,
    __global float *restrict dat_res,
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
  float x1[2];
  x1[0] = dat_x[0 * stride_x + target0_0];
  x1[1] = dat_x[1 * stride_x + target0_0];
  float x2[2];
  x2[0] = dat_x[0 * stride_x + target0_1];
  x2[1] = dat_x[1 * stride_x + target0_1];
  float q1[4];
  q1[0] = dat_q[0 * stride_q + target1_0];
  q1[1] = dat_q[1 * stride_q + target1_0];
  q1[2] = dat_q[2 * stride_q + target1_0];
  q1[3] = dat_q[3 * stride_q + target1_0];
  float q2[4];
  q2[0] = dat_q[0 * stride_q + target1_1];
  q2[1] = dat_q[1 * stride_q + target1_1];
  q2[2] = dat_q[2 * stride_q + target1_1];
  q2[3] = dat_q[3 * stride_q + target1_1];
  float adt1[1];
  adt1[0] = dat_adt[target1_0];
  float adt2[1];
  adt2[0] = dat_adt[target1_1];
  float res1[4];
  res1[0] = -0.0f;
  res1[1] = -0.0f;
  res1[2] = -0.0f;
  res1[3] = -0.0f;
  float res2[4];
  res2[0] = -0.0f;
  res2[1] = -0.0f;
  res2[2] = -0.0f;
  res2[3] = -0.0f;
  res_calc(&pl_k, (const float *)x1, (const float *)x2, (const float *)q1, (const float *)q2, (const float *)adt1, (const float *)adt2, (float *)res1, (float *)res2);
  pl_inc_float(&dat_res[0 * stride_res + target1_0], res1[0]);
  pl_inc_float(&dat_res[1 * stride_res + target1_0], res1[1]);
  pl_inc_float(&dat_res[2 * stride_res + target1_0], res1[2]);
  pl_inc_float(&dat_res[3 * stride_res + target1_0], res1[3]);
  pl_inc_float(&dat_res[0 * stride_res + target1_1], res2[0]);
  pl_inc_float(&dat_res[1 * stride_res + target1_1], res2[1]);
  pl_inc_float(&dat_res[2 * stride_res + target1_1], res2[2]);
  pl_inc_float(&dat_res[3 * stride_res + target1_1], res2[3]);
}

