
#define PL_BLOCK_SIZE 128 /* elements of a block */

/* One element a work item. */
__kernel void pl_run(const int pl_begin, const int pl_end,
    __global const double *restrict dat_qold,
    const int stride_qold,
    __global double *restrict dat_q,
    const int stride_q,
    __global double *restrict dat_res,
    const int stride_res,
    __global const double *restrict dat_adt,
    __global double *restrict result_rms)
{
  __local double block_rms[PL_BLOCK_SIZE];
  const int pl_t = (int)get_local_id(0), pl_b = (int)get_group_id(0);
  double sum_rms[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) sum_rms[pl_c] = -0.0;
  for (int pl_p = pl_b * (int)get_local_size(0) + pl_t; pl_p < pl_end - pl_begin; pl_p += (int)get_num_groups(0) * (int)get_local_size(0)) {
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
    block_rms[pl_t] = sum_rms[pl_c];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int pl_size = PL_BLOCK_SIZE; pl_size > 1; pl_size = (pl_size + 1) / 2) {
      const int pl_half = (pl_size + 1) / 2;
      if (pl_t + pl_half < pl_size) {
        block_rms[pl_t] += block_rms[pl_t + pl_half];
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (pl_t == 0) result_rms[1 * pl_b + pl_c] = block_rms[0];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}

#define PL_FINISH_SIZE 512
/* The results of all blocks enter the globals. */
__kernel void pl_finish(const int pl_nblocks, const int pl_from_zero,
    __global const double *restrict result_rms,
    __global double *global_rms)
{
  __local double block_rms[PL_FINISH_SIZE];
  const int pl_t = (int)get_local_id(0);
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    double pl_v = -0.0;
    for (int pl_i = pl_t; pl_i < pl_nblocks; pl_i += PL_FINISH_SIZE) {
      pl_v += result_rms[1 * pl_i + pl_c];
    }
    block_rms[pl_t] = pl_v;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int pl_size = PL_FINISH_SIZE; pl_size > 1; pl_size = (pl_size + 1) / 2) {
      const int pl_half = (pl_size + 1) / 2;
      if (pl_t + pl_half < pl_size) {
        block_rms[pl_t] += block_rms[pl_t + pl_half];
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    pl_v = block_rms[0];
    if (pl_t == 0) {
      if (!(pl_from_zero >> 4 & 1)) {
        pl_v += global_rms[pl_c];
      }
      global_rms[pl_c] = pl_v;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
