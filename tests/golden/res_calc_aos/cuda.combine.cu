
#define PL_BLOCK_SIZE 128 /* elements of a block */
static __device__ inline void pl_inc_double(double *p, double v)
{
  atomicAdd(p, v);
}

/* One element a work item. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const int *PL_RESTRICT pl_from,
    const int *PL_RESTRICT pl_to,
    const uint16_t *PL_RESTRICT pl_row,
    const uint16_t *PL_RESTRICT pl_entry,
    const double *PL_RESTRICT dat_x,
    const int *PL_RESTRICT map0,
    const double *PL_RESTRICT dat_q,
    const int *PL_RESTRICT map1,
    const double *PL_RESTRICT dat_adt,
    double *PL_RESTRICT dat_res,
    const struct pl_consts pl_consts)
{
  PL_WAIT
  extern __shared__ double2 pl_shared[];
  const int pl_t = (int)threadIdx.x, pl_b = (int)blockIdx.x;
  const int pl_p = pl_b * (int)blockDim.x + pl_t;
  #define pl_k pl_consts
  double *inc_res = (double *)((char *)pl_shared + 0);
  const int pl_active = pl_p < pl_end - pl_begin;
  const int pl_e = pl_active ? pl_begin + pl_p : pl_begin;
  const int2 row0_0 = *(const int2 *)&map0[2 * pl_e + 0];
  const int target0_0 = row0_0.x;
  const int target0_1 = row0_0.y;
  const int2 row1_0 = *(const int2 *)&map1[2 * pl_e + 0];
  const int target1_0 = row1_0.x;
  const int target1_1 = row1_0.y;
  double x1[2];
  {
    const double2 pl_v = *(const double2 *)&dat_x[2 * target0_0 + 0];
    x1[0] = pl_v.x;
    x1[1] = pl_v.y;
  }
  double x2[2];
  {
    const double2 pl_v = *(const double2 *)&dat_x[2 * target0_1 + 0];
    x2[0] = pl_v.x;
    x2[1] = pl_v.y;
  }
  double q1[4];
  {
    const double2 pl_v = *(const double2 *)&dat_q[4 * target1_0 + 0];
    q1[0] = pl_v.x;
    q1[1] = pl_v.y;
  }
  {
    const double2 pl_v = *(const double2 *)&dat_q[4 * target1_0 + 2];
    q1[2] = pl_v.x;
    q1[3] = pl_v.y;
  }
  double q2[4];
  {
    const double2 pl_v = *(const double2 *)&dat_q[4 * target1_1 + 0];
    q2[0] = pl_v.x;
    q2[1] = pl_v.y;
  }
  {
    const double2 pl_v = *(const double2 *)&dat_q[4 * target1_1 + 2];
    q2[2] = pl_v.x;
    q2[3] = pl_v.y;
  }
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
  if (pl_active) {
    inc_res[0 * PL_BLOCK_SIZE + pl_t] = res1[0];
    inc_res[1 * PL_BLOCK_SIZE + pl_t] = res1[1];
    inc_res[2 * PL_BLOCK_SIZE + pl_t] = res1[2];
    inc_res[3 * PL_BLOCK_SIZE + pl_t] = res1[3];
    inc_res[4 * PL_BLOCK_SIZE + pl_t] = res2[0];
    inc_res[5 * PL_BLOCK_SIZE + pl_t] = res2[1];
    inc_res[6 * PL_BLOCK_SIZE + pl_t] = res2[2];
    inc_res[7 * PL_BLOCK_SIZE + pl_t] = res2[3];
  }
  __syncthreads();
  for (int pl_i = pl_from[pl_b] + pl_t; pl_i < pl_from[pl_b + 1]; pl_i += (int)blockDim.x) {
    const int pl_m = pl_to[pl_i], pl_target = pl_m < 0 ? ~pl_m : pl_m;
    double sum_res[4];
    for (int pl_c = 0; pl_c < 4; pl_c++) sum_res[pl_c] = -0.0;
    for (int pl_j = pl_row[pl_i + pl_b]; pl_j < pl_row[pl_i + pl_b + 1]; pl_j++) {
      const int pl_n = pl_entry[pl_b * (2 * PL_BLOCK_SIZE) + pl_j];
      for (int pl_c = 0; pl_c < 4; pl_c++) sum_res[pl_c] += inc_res[(4 * (pl_n / PL_BLOCK_SIZE) + pl_c) * PL_BLOCK_SIZE + pl_n % PL_BLOCK_SIZE];
    }
    if (pl_m < 0) {
      for (int pl_c = 0; pl_c < 4; pl_c++) pl_inc_double(&dat_res[4 * pl_target + pl_c], sum_res[pl_c]);
    } else {
      {
        double2 pl_v = *(double2 *)&dat_res[4 * pl_target + 0];
        pl_v.x += sum_res[0];
        pl_v.y += sum_res[1];
        *(double2 *)&dat_res[4 * pl_target + 0] = pl_v;
      }
      {
        double2 pl_v = *(double2 *)&dat_res[4 * pl_target + 2];
        pl_v.x += sum_res[2];
        pl_v.y += sum_res[3];
        *(double2 *)&dat_res[4 * pl_target + 2] = pl_v;
      }
    }
  }
}

