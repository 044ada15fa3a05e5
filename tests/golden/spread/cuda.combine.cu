
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
    const double *PL_RESTRICT dat_q,
    const int stride_q,
    const int *PL_RESTRICT map0,
    double *PL_RESTRICT dat_res,
    const int stride_res,
    double *PL_RESTRICT dat_adt,
    double *PL_RESTRICT result_sum)
{
  PL_WAIT
  extern __shared__ double2 pl_shared[];
  __shared__ double block_sum[PL_BLOCK_SIZE];
  const int pl_t = (int)threadIdx.x, pl_b = (int)blockIdx.x;
  const int pl_p = pl_b * (int)blockDim.x + pl_t;
  double sum_sum[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) sum_sum[pl_c] = -0.0;
  double *inc_res = (double *)((char *)pl_shared + 0);
  const int pl_active = pl_p < pl_end - pl_begin;
  const int pl_e = pl_active ? pl_begin + pl_p : pl_begin;
  const int4 row0_0 = *(const int4 *)&map0[4 * pl_e + 0];
  const int target0_0 = row0_0.x;
  const int target0_1 = row0_0.y;
  const int target0_2 = row0_0.z;
  const int target0_3 = row0_0.w;
  double q[4][2];
  q[0][0] = dat_q[0 * stride_q + target0_0];
  q[0][1] = dat_q[1 * stride_q + target0_0];
  q[1][0] = dat_q[0 * stride_q + target0_1];
  q[1][1] = dat_q[1 * stride_q + target0_1];
  q[2][0] = dat_q[0 * stride_q + target0_2];
  q[2][1] = dat_q[1 * stride_q + target0_2];
  q[3][0] = dat_q[0 * stride_q + target0_3];
  q[3][1] = dat_q[1 * stride_q + target0_3];
  double res[4][2];
  res[0][0] = -0.0;
  res[0][1] = -0.0;
  res[1][0] = -0.0;
  res[1][1] = -0.0;
  res[2][0] = -0.0;
  res[2][1] = -0.0;
  res[3][0] = -0.0;
  res[3][1] = -0.0;
  double adt[1];
  adt[0] = dat_adt[pl_e];
  double sum[1];
  sum[0] = -0.0;
  const double *pointers_q[4];
  pointers_q[0] = (const double *)q[0];
  pointers_q[1] = (const double *)q[1];
  pointers_q[2] = (const double *)q[2];
  pointers_q[3] = (const double *)q[3];
  double *pointers_res[4];
  pointers_res[0] = (double *)res[0];
  pointers_res[1] = (double *)res[1];
  pointers_res[2] = (double *)res[2];
  pointers_res[3] = (double *)res[3];
  spread((const double **)pointers_q, (double **)pointers_res, (double *)adt, (double *)sum);
  if (pl_active) {
    inc_res[0 * PL_BLOCK_SIZE + pl_t] = res[0][0];
    inc_res[1 * PL_BLOCK_SIZE + pl_t] = res[0][1];
    inc_res[2 * PL_BLOCK_SIZE + pl_t] = res[1][0];
    inc_res[3 * PL_BLOCK_SIZE + pl_t] = res[1][1];
    inc_res[4 * PL_BLOCK_SIZE + pl_t] = res[2][0];
    inc_res[5 * PL_BLOCK_SIZE + pl_t] = res[2][1];
    inc_res[6 * PL_BLOCK_SIZE + pl_t] = res[3][0];
    inc_res[7 * PL_BLOCK_SIZE + pl_t] = res[3][1];
    dat_adt[pl_e] = adt[0];
    sum_sum[0] += sum[0];
  }
  __syncthreads();
  for (int pl_i = pl_from[pl_b] + pl_t; pl_i < pl_from[pl_b + 1]; pl_i += (int)blockDim.x) {
    const int pl_m = pl_to[pl_i], pl_target = pl_m < 0 ? ~pl_m : pl_m;
    double sum_res[2];
    for (int pl_c = 0; pl_c < 2; pl_c++) sum_res[pl_c] = -0.0;
    for (int pl_j = pl_row[pl_i + pl_b]; pl_j < pl_row[pl_i + pl_b + 1]; pl_j++) {
      const int pl_n = pl_entry[pl_b * (4 * PL_BLOCK_SIZE) + pl_j];
      for (int pl_c = 0; pl_c < 2; pl_c++) sum_res[pl_c] += inc_res[(2 * (pl_n / PL_BLOCK_SIZE) + pl_c) * PL_BLOCK_SIZE + pl_n % PL_BLOCK_SIZE];
    }
    if (pl_m < 0) {
      for (int pl_c = 0; pl_c < 2; pl_c++) pl_inc_double(&dat_res[pl_c * stride_res + pl_target], sum_res[pl_c]);
    } else {
      for (int pl_c = 0; pl_c < 2; pl_c++) dat_res[pl_c * stride_res + pl_target] += sum_res[pl_c];
    }
  }
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    double pl_v = sum_sum[pl_c];
    for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
      const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
      pl_v += pl_other;
    }
    if (pl_t % 32 == 0) block_sum[pl_t / 32] = pl_v;
    __syncthreads();
    if (pl_t < 32) {
      pl_v = -0.0;
      if (pl_t < PL_BLOCK_SIZE / 32) pl_v = block_sum[pl_t];
      for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
        const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
        pl_v += pl_other;
      }
    }
    if (pl_t == 0) result_sum[1 * pl_b + pl_c] = pl_v;
    __syncthreads();
  }
}

#define PL_FINISH_SIZE 512
/* The results of all blocks enter the globals. */
extern "C" __global__ void pl_finish(const int pl_nblocks, const int pl_from_zero,
    const double *PL_RESTRICT result_sum,
    double *global_sum)
{
  PL_WAIT
  __shared__ double block_sum[PL_FINISH_SIZE];
  const int pl_t = (int)threadIdx.x;
  double first_sum = -0.0;
  if (pl_t < pl_nblocks) first_sum = result_sum[1 * pl_t];
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    double pl_v = -0.0;
    if (pl_c == 0) pl_v = first_sum;
    for (int pl_i = pl_c == 0 ? pl_t + PL_FINISH_SIZE : pl_t; pl_i < pl_nblocks; pl_i += PL_FINISH_SIZE) {
      pl_v += result_sum[1 * pl_i + pl_c];
    }
    for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
      const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
      pl_v += pl_other;
    }
    if (pl_t % 32 == 0) block_sum[pl_t / 32] = pl_v;
    __syncthreads();
    if (pl_t < 32) {
      pl_v = -0.0;
      if (pl_t < PL_FINISH_SIZE / 32) pl_v = block_sum[pl_t];
      for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
        const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
        pl_v += pl_other;
      }
    }
    if (pl_t == 0) {
      if (!(pl_from_zero >> 3 & 1)) {
        pl_v += global_sum[pl_c];
      }
      global_sum[pl_c] = pl_v;
    }
    __syncthreads();
  }
}
