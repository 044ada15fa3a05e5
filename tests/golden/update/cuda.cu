
#define PL_BLOCK_SIZE 128 /* elements of a block */

/* One element a work item. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const double *PL_RESTRICT dat_qold,
    const int stride_qold,
    double *PL_RESTRICT dat_q,
    const int stride_q,
    double *PL_RESTRICT dat_res,
    const int stride_res,
    const double *PL_RESTRICT dat_adt,
    double *PL_RESTRICT result_rms)
{
  PL_WAIT
  __shared__ double block_rms[PL_BLOCK_SIZE];
  const int pl_t = (int)threadIdx.x, pl_b = (int)blockIdx.x;
  double sum_rms[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) sum_rms[pl_c] = -0.0;
  for (int pl_p = pl_b * (int)blockDim.x + pl_t; pl_p < pl_end - pl_begin; pl_p += (int)gridDim.x * (int)blockDim.x) {
    const int pl_e = pl_begin + pl_p;
    double qold[4];
    qold[0] = dat_qold[0 * stride_qold + pl_e];
    qold[1] = dat_qold[1 * stride_qold + pl_e];
    qold[2] = dat_qold[2 * stride_qold + pl_e];
    qold[3] = dat_qold[3 * stride_qold + pl_e];
    double q[4];
    q[0] = 0;
    q[1] = 0;
    q[2] = 0;
    q[3] = 0;
    double res[4];
    res[0] = dat_res[0 * stride_res + pl_e];
    res[1] = dat_res[1 * stride_res + pl_e];
    res[2] = dat_res[2 * stride_res + pl_e];
    res[3] = dat_res[3 * stride_res + pl_e];
    double adt[1];
    adt[0] = dat_adt[pl_e];
    double rms[1];
    rms[0] = -0.0;
    update((const double *)qold, (double *)q, (double *)res, (const double *)adt, (double *)rms);
    dat_q[0 * stride_q + pl_e] = q[0];
    dat_q[1 * stride_q + pl_e] = q[1];
    dat_q[2 * stride_q + pl_e] = q[2];
    dat_q[3 * stride_q + pl_e] = q[3];
    dat_res[0 * stride_res + pl_e] = res[0];
    dat_res[1 * stride_res + pl_e] = res[1];
    dat_res[2 * stride_res + pl_e] = res[2];
    dat_res[3 * stride_res + pl_e] = res[3];
    sum_rms[0] += rms[0];
  }
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    double pl_v = sum_rms[pl_c];
    for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
      const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
      pl_v += pl_other;
    }
    if (pl_t % 32 == 0) block_rms[pl_t / 32] = pl_v;
    __syncthreads();
    if (pl_t < 32) {
      pl_v = -0.0;
      if (pl_t < PL_BLOCK_SIZE / 32) pl_v = block_rms[pl_t];
      for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
        const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
        pl_v += pl_other;
      }
    }
    if (pl_t == 0) result_rms[1 * pl_b + pl_c] = pl_v;
    __syncthreads();
  }
}

#define PL_FINISH_SIZE 512
/* The results of all blocks enter the globals. */
extern "C" __global__ void pl_finish(const int pl_nblocks, const int pl_from_zero,
    const double *PL_RESTRICT result_rms,
    double *global_rms)
{
  PL_WAIT
  __shared__ double block_rms[PL_FINISH_SIZE];
  const int pl_t = (int)threadIdx.x;
  double first_rms = -0.0;
  if (pl_t < pl_nblocks) first_rms = result_rms[1 * pl_t];
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    double pl_v = -0.0;
    if (pl_c == 0) pl_v = first_rms;
    for (int pl_i = pl_c == 0 ? pl_t + PL_FINISH_SIZE : pl_t; pl_i < pl_nblocks; pl_i += PL_FINISH_SIZE) {
      pl_v += result_rms[1 * pl_i + pl_c];
    }
    for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
      const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
      pl_v += pl_other;
    }
    if (pl_t % 32 == 0) block_rms[pl_t / 32] = pl_v;
    __syncthreads();
    if (pl_t < 32) {
      pl_v = -0.0;
      if (pl_t < PL_FINISH_SIZE / 32) pl_v = block_rms[pl_t];
      for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
        const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
        pl_v += pl_other;
      }
    }
    if (pl_t == 0) {
      if (!(pl_from_zero >> 4 & 1)) {
        pl_v += global_rms[pl_c];
      }
      global_rms[pl_c] = pl_v;
    }
    __syncthreads();
  }
}
