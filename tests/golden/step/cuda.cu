
#define PL_BLOCK_SIZE 128 /* elements of a block */

/* A slice of particles a block, a team of work items each. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    double *PL_RESTRICT dat_f,
    const int stride_f,
    double *PL_RESTRICT dat_d,
    const int stride_d,
    double *PL_RESTRICT dat_v,
    const int stride_v,
    const int64_t *PL_RESTRICT pl_offset,
    const int *PL_RESTRICT pl_entry,
    const double *PL_RESTRICT pl_record,
    const int pl_stride,
    const double *PL_RESTRICT pl_cutoff,
    const int *PL_RESTRICT pl_owner,
    const int *PL_RESTRICT pl_stale,
    const struct pl_consts pl_consts)
{
  PL_WAIT
  const int pl_t = (int)threadIdx.x, pl_b = (int)blockIdx.x;
  #define pl_k pl_consts
  double sum_f[3];
  for (int pl_c = 0; pl_c < 3; pl_c++) sum_f[pl_c] = 0;
  const int pl_member = pl_t % 4, pl_i = pl_b * 32 + pl_t / 4;
  const int pl_active = pl_i < pl_end && pl_stale[0] == 0, pl_s = pl_i < pl_end ? pl_i : 0;
  const int pl_e = pl_owner[pl_s];
  /* Reports to the host whether the list is stale. */
  if (pl_b + pl_t == 0 && pl_stale[7])
    **(volatile int64_t *const *)(pl_stale + 8) = (int64_t)pl_stale[0] << 32 | pl_stale[7];
  const double pl_x0 = pl_record[0 * (int64_t)pl_stride + pl_s];
  const double pl_x1 = pl_record[1 * (int64_t)pl_stride + pl_s];
  const double pl_x2 = pl_record[2 * (int64_t)pl_stride + pl_s];
  const int64_t pl_first = pl_offset[2 * pl_b];
  const int *pl_row = pl_entry + pl_first + pl_t;
  int pl_left = (int)(pl_offset[2 * pl_b + 1] - pl_first), pl_next[4] = {0};
  if (pl_left) /* also of a stale list, so that these loads need not wait for its state */
    for (int pl_j = 0; pl_j < 4; pl_j++) pl_next[pl_j] = pl_row[pl_j * PL_BLOCK_SIZE];
  if (!pl_active) pl_left = 0;
  while (pl_left) {
    int pl_record_of[4];
#pragma unroll
    for (int pl_j = 0; pl_j < 4; pl_j++) pl_record_of[pl_j] = pl_next[pl_j];
    double pl_batch[4][3];
#pragma unroll
    for (int pl_j = 0; pl_j < 4; pl_j++)
#pragma unroll
      for (int pl_m = 0; pl_m < 3; pl_m++)
        pl_batch[pl_j][pl_m] = pl_record[pl_m * (int64_t)pl_stride + pl_record_of[pl_j]];
    pl_row += 4 * PL_BLOCK_SIZE;
    pl_left -= 4 * PL_BLOCK_SIZE;
    if (pl_left)
      for (int pl_j = 0; pl_j < 4; pl_j++) pl_next[pl_j] = pl_row[pl_j * PL_BLOCK_SIZE];
#pragma unroll
    for (int pl_j = 0; pl_j < 4; pl_j++) {
      const int pl_p = pl_record_of[pl_j], pl_o = pl_owner[pl_p];
      const double *const pl_v = pl_batch[pl_j];
      (void)pl_p;
      (void)pl_o;
      const double pl_d0 = pl_x0 - pl_v[0];
      const double pl_d1 = pl_x1 - pl_v[1];
      const double pl_d2 = pl_x2 - pl_v[2];
      const double pl_r2 = pl_d0 * pl_d0 + pl_d1 * pl_d1 + pl_d2 * pl_d2;
      if (pl_r2 < pl_cutoff[0]) {
        double d[3];
        d[0] = pl_d0;
        d[1] = pl_d1;
        d[2] = pl_d2;
        double r2[1];
        r2[0] = pl_r2;
        double f[3];
        f[0] = -0.0;
        f[1] = -0.0;
        f[2] = -0.0;
        force_then_move_d4841d3e_f54d15ad(&pl_k, (const double *)d, (const double *)r2, (double *)f, 0, 0, 0);
        sum_f[0] += f[0];
        sum_f[1] += f[1];
        sum_f[2] += f[2];
      }
    }
  }
  for (int pl_c = 0; pl_c < 3; pl_c++) {
    sum_f[pl_c] += __shfl_xor_sync(~0u, sum_f[pl_c], 1);
    sum_f[pl_c] += __shfl_xor_sync(~0u, sum_f[pl_c], 2);
    if (pl_active && pl_member == 0) dat_f[pl_c * stride_f + pl_e] = sum_f[pl_c];
  }
  double f_2[3];
  f_2[0] = sum_f[0];
  f_2[1] = sum_f[1];
  f_2[2] = sum_f[2];
  double x[3];
  {
    const double pl_value = pl_member < 3 ? dat_d[pl_member * stride_d + pl_e] : 0;
    x[0] = __shfl_xor_sync(~0u, pl_value, 0);
    x[1] = __shfl_xor_sync(~0u, pl_value, 1);
    x[2] = __shfl_xor_sync(~0u, pl_value, 2);
  }
  double v[3];
  {
    const double pl_value = pl_member < 3 ? dat_v[pl_member * stride_v + pl_e] : 0;
    v[0] = __shfl_xor_sync(~0u, pl_value, 0);
    v[1] = __shfl_xor_sync(~0u, pl_value, 1);
    v[2] = __shfl_xor_sync(~0u, pl_value, 2);
  }
  if (pl_active && pl_member == 0) {
    force_then_move_d4841d3e_f54d15ad(&pl_k, 0, 0, 0, (const double *)f_2, (double *)x, (double *)v);
  }
  {
    double pl_value = 0, pl_other;
    pl_other = __shfl_xor_sync(~0u, x[0], 0), pl_value = pl_member == 0 ? pl_other : pl_value;
    pl_other = __shfl_xor_sync(~0u, x[1], 1), pl_value = pl_member == 1 ? pl_other : pl_value;
    pl_other = __shfl_xor_sync(~0u, x[2], 2), pl_value = pl_member == 2 ? pl_other : pl_value;
    if (pl_active && pl_member < 3) dat_d[pl_member * stride_d + pl_e] = pl_value;
  }
  {
    double pl_value = 0, pl_other;
    pl_other = __shfl_xor_sync(~0u, v[0], 0), pl_value = pl_member == 0 ? pl_other : pl_value;
    pl_other = __shfl_xor_sync(~0u, v[1], 1), pl_value = pl_member == 1 ? pl_other : pl_value;
    pl_other = __shfl_xor_sync(~0u, v[2], 2), pl_value = pl_member == 2 ? pl_other : pl_value;
    if (pl_active && pl_member < 3) dat_v[pl_member * stride_v + pl_e] = pl_value;
  }
}

