
#define PL_BLOCK_SIZE 128 /* elements of a block */

/* A slice of particles a block, a team of work items each. */
__kernel void pl_run(const int pl_begin, const int pl_end,
    __global double *restrict dat_f,
    const int stride_f,
    __global double *restrict dat_d,
    const int stride_d,
    __global double *restrict dat_v,
    const int stride_v,
    __global const int64_t *restrict pl_offset,
    __global const int *restrict pl_entry,
    __global const double *restrict pl_record,
    const int pl_stride,
    __global const double *restrict pl_cutoff,
    __global const int *restrict pl_owner,
    __global const int *restrict pl_stale,
    __global const struct pl_consts *restrict pl_consts)
{
  __local double pl_team_double[PL_BLOCK_SIZE];
  const int pl_t = (int)get_local_id(0), pl_b = (int)get_group_id(0);
  #define pl_k (*pl_consts)
  double sum_f[3];
  for (int pl_c = 0; pl_c < 3; pl_c++) sum_f[pl_c] = 0;
  const int pl_member = pl_t % 4, pl_i = pl_b * 32 + pl_t / 4;
  const int pl_active = pl_i < pl_end && pl_stale[0] == 0, pl_s = pl_i < pl_end ? pl_i : 0;
  const int pl_e = pl_owner[pl_s];
  const double pl_x0 = pl_record[0 * (int64_t)pl_stride + pl_s];
  const double pl_x1 = pl_record[1 * (int64_t)pl_stride + pl_s];
  const double pl_x2 = pl_record[2 * (int64_t)pl_stride + pl_s];
  const int64_t pl_first = pl_offset[2 * pl_b];
  __global const int *pl_row = pl_entry + pl_first + pl_t;
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
    pl_team_double[pl_t] = sum_f[pl_c];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (pl_active && pl_member == 0) {
      sum_f[pl_c] += pl_team_double[pl_t + 1];
      sum_f[pl_c] += pl_team_double[pl_t + 2];
      sum_f[pl_c] += pl_team_double[pl_t + 3];
      dat_f[pl_c * stride_f + pl_e] = sum_f[pl_c];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
  double f_2[3];
  f_2[0] = sum_f[0];
  f_2[1] = sum_f[1];
  f_2[2] = sum_f[2];
  double x[3];
  x[0] = dat_d[0 * stride_d + pl_e];
  x[1] = dat_d[1 * stride_d + pl_e];
  x[2] = dat_d[2 * stride_d + pl_e];
  double v[3];
  v[0] = dat_v[0 * stride_v + pl_e];
  v[1] = dat_v[1 * stride_v + pl_e];
  v[2] = dat_v[2 * stride_v + pl_e];
  if (pl_active && pl_member == 0) {
    force_then_move_d4841d3e_f54d15ad(&pl_k, 0, 0, 0, (const double *)f_2, (double *)x, (double *)v);
  }
  if (pl_active && pl_member == 0) {
    dat_d[0 * stride_d + pl_e] = x[0];
    dat_d[1 * stride_d + pl_e] = x[1];
    dat_d[2 * stride_d + pl_e] = x[2];
  }
  if (pl_active && pl_member == 0) {
    dat_v[0 * stride_v + pl_e] = v[0];
    dat_v[1 * stride_v + pl_e] = v[1];
    dat_v[2 * stride_v + pl_e] = v[2];
  }
}

