
#define PL_BLOCK_SIZE 128 /* elements of a block */

/* One element a work item; blocks pl_first onwards of the list pl_blocks. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const int pl_first,
    const int *pl_blocks,
    const int *pl_colours,
    const int *pl_element_colour,
    const int *PL_RESTRICT pl_from0,
    const int *PL_RESTRICT pl_to0,
    const int16_t *PL_RESTRICT pl_local0,
    const int start0_q,
    const int start0_res,
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
  const int pl_t = (int)threadIdx.x, pl_b = pl_blocks[pl_first + (int)blockIdx.x];
  const int pl_p = pl_b * (int)blockDim.x + pl_t;
  double sum_sum[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) sum_sum[pl_c] = -0.0;
  const int pl_f0 = pl_from0[pl_b], pl_n0 = pl_from0[pl_b + 1] - pl_f0;
  double *block0_q = (double *)((char *)pl_shared + start0_q);
  for (int pl_i = pl_t; pl_i < pl_n0; pl_i += (int)blockDim.x) {
    const int pl_target = pl_to0[pl_f0 + pl_i];
    for (int pl_c = 0; pl_c < 2; pl_c++) {
      block0_q[pl_c * pl_n0 + pl_i] = dat_q[pl_c * stride_q + pl_target];
    }
  }
  double *block0_res = (double *)((char *)pl_shared + start0_res);
  for (int pl_i = pl_t; pl_i < pl_n0; pl_i += (int)blockDim.x) {
    for (int pl_c = 0; pl_c < 2; pl_c++) {
      block0_res[pl_c * pl_n0 + pl_i] = -0.0;
    }
  }
  __syncthreads();
  const int pl_active = pl_p < pl_end - pl_begin;
  const int pl_e = pl_active ? pl_begin + pl_p : pl_begin;
  const int local0_0 = pl_active ? pl_local0[4 * pl_p + 0] : 0;
  const int local0_1 = pl_active ? pl_local0[4 * pl_p + 1] : 0;
  const int local0_2 = pl_active ? pl_local0[4 * pl_p + 2] : 0;
  const int local0_3 = pl_active ? pl_local0[4 * pl_p + 3] : 0;
  double q[4][2];
  q[0][0] = block0_q[0 * pl_n0 + local0_0];
  q[0][1] = block0_q[1 * pl_n0 + local0_0];
  q[1][0] = block0_q[0 * pl_n0 + local0_1];
  q[1][1] = block0_q[1 * pl_n0 + local0_1];
  q[2][0] = block0_q[0 * pl_n0 + local0_2];
  q[2][1] = block0_q[1 * pl_n0 + local0_2];
  q[3][0] = block0_q[0 * pl_n0 + local0_3];
  q[3][1] = block0_q[1 * pl_n0 + local0_3];
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
  for (int pl_colour = 0; pl_colour < pl_colours[pl_b]; pl_colour++) {
    if (pl_active && pl_colour == pl_element_colour[pl_p]) {
      block0_res[0 * pl_n0 + local0_0] += res[0][0];
      block0_res[1 * pl_n0 + local0_0] += res[0][1];
      block0_res[0 * pl_n0 + local0_1] += res[1][0];
      block0_res[1 * pl_n0 + local0_1] += res[1][1];
      block0_res[0 * pl_n0 + local0_2] += res[2][0];
      block0_res[1 * pl_n0 + local0_2] += res[2][1];
      block0_res[0 * pl_n0 + local0_3] += res[3][0];
      block0_res[1 * pl_n0 + local0_3] += res[3][1];
      dat_adt[pl_e] = adt[0];
    }
    __syncthreads();
  }
  if (pl_active) {
    sum_sum[0] += sum[0];
  }
  for (int pl_i = pl_t; pl_i < pl_n0; pl_i += (int)blockDim.x) {
    const int pl_target = pl_to0[pl_f0 + pl_i];
    for (int pl_c = 0; pl_c < 2; pl_c++) {
      dat_res[pl_c * stride_res + pl_target] += block0_res[pl_c * pl_n0 + pl_i];
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
