
#define PL_BLOCK_SIZE 128 /* elements of a block */

/* A slice of particles a block, a team of work items each. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    double *PL_RESTRICT dat_f,
    const int stride_f,
    double *PL_RESTRICT result_energy,
    const int64_t *PL_RESTRICT pl_offset,
    const int *PL_RESTRICT pl_entry,
    const double *PL_RESTRICT pl_record,
    const double *PL_RESTRICT pl_cutoff,
    const int *PL_RESTRICT pl_owner,
    const int *PL_RESTRICT pl_stale)
{
  PL_WAIT
  __shared__ double block_energy[PL_BLOCK_SIZE];
  const int pl_t = (int)threadIdx.x, pl_b = (int)blockIdx.x;
  double sum_energy[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) sum_energy[pl_c] = -0.0;
  double sum_f[2];
  for (int pl_c = 0; pl_c < 2; pl_c++) sum_f[pl_c] = 0;
  const int pl_member = pl_t % 4, pl_i = pl_b * 32 + pl_t / 4;
  const int pl_active = pl_i < pl_end && pl_stale[0] == 0, pl_s = pl_i < pl_end ? pl_i : 0;
  const int pl_e = pl_owner[pl_s];
  /* Reports to the host whether the list is stale. */
  if (pl_b + pl_t == 0 && pl_stale[7])
    **(volatile int64_t *const *)(pl_stale + 8) = (int64_t)pl_stale[0] << 32 | pl_stale[7];
  const double pl_x0 = pl_record[2 * (int64_t)pl_s + 0];
  const double pl_x1 = pl_record[2 * (int64_t)pl_s + 1];
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
    double2 pl_batch[4][1];
#pragma unroll
    for (int pl_j = 0; pl_j < 4; pl_j++)
#pragma unroll
      for (int pl_m = 0; pl_m < 1; pl_m++)
        pl_batch[pl_j][pl_m] = ((const double2 *)pl_record)[pl_record_of[pl_j]];
    pl_row += 4 * PL_BLOCK_SIZE;
    pl_left -= 4 * PL_BLOCK_SIZE;
    if (pl_left)
      for (int pl_j = 0; pl_j < 4; pl_j++) pl_next[pl_j] = pl_row[pl_j * PL_BLOCK_SIZE];
#pragma unroll
    for (int pl_j = 0; pl_j < 4; pl_j++) {
      const int pl_p = pl_record_of[pl_j], pl_o = pl_owner[pl_p];
      const double2 *const pl_v = pl_batch[pl_j];
      (void)pl_p;
      (void)pl_o;
      const double pl_d0 = pl_x0 - pl_v[0].x;
      const double pl_d1 = pl_x1 - pl_v[0].y;
      const double pl_r2 = pl_d0 * pl_d0 + pl_d1 * pl_d1;
      if (pl_r2 < pl_cutoff[0]) {
        double d[2];
        d[0] = pl_d0;
        d[1] = pl_d1;
        double r2[1];
        r2[0] = pl_r2;
        double f[2];
        f[0] = -0.0;
        f[1] = -0.0;
        double energy[1];
        energy[0] = -0.0;
        force((const double *)d, (const double *)r2, (double *)f, (double *)energy);
        sum_f[0] += f[0];
        sum_f[1] += f[1];
        sum_energy[0] += energy[0];
      }
    }
  }
  for (int pl_c = 0; pl_c < 2; pl_c++) {
    sum_f[pl_c] += __shfl_xor_sync(~0u, sum_f[pl_c], 1);
    sum_f[pl_c] += __shfl_xor_sync(~0u, sum_f[pl_c], 2);
    if (pl_active && pl_member == 0) dat_f[pl_c * stride_f + pl_e] += sum_f[pl_c];
  }
  for (int pl_c = 0; pl_c < 1; pl_c++) sum_energy[pl_c] *= 0.5;
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    double pl_v = sum_energy[pl_c];
    for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
      const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
      pl_v += pl_other;
    }
    if (pl_t % 32 == 0) block_energy[pl_t / 32] = pl_v;
    __syncthreads();
    if (pl_t < 32) {
      pl_v = -0.0;
      if (pl_t < PL_BLOCK_SIZE / 32) pl_v = block_energy[pl_t];
      for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
        const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
        pl_v += pl_other;
      }
    }
    if (pl_t == 0) result_energy[1 * pl_b + pl_c] = pl_v;
    __syncthreads();
  }
}

#define PL_FINISH_SIZE 512
/* The results of all blocks enter the globals. */
extern "C" __global__ void pl_finish(const int pl_nblocks, const int pl_from_zero,
    const double *PL_RESTRICT result_energy,
    double *global_energy)
{
  PL_WAIT
  __shared__ double block_energy[PL_FINISH_SIZE];
  const int pl_t = (int)threadIdx.x;
  double first_energy = -0.0;
  if (pl_t < pl_nblocks) first_energy = result_energy[1 * pl_t];
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    double pl_v = -0.0;
    if (pl_c == 0) pl_v = first_energy;
    for (int pl_i = pl_c == 0 ? pl_t + PL_FINISH_SIZE : pl_t; pl_i < pl_nblocks; pl_i += PL_FINISH_SIZE) {
      pl_v += result_energy[1 * pl_i + pl_c];
    }
    for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
      const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
      pl_v += pl_other;
    }
    if (pl_t % 32 == 0) block_energy[pl_t / 32] = pl_v;
    __syncthreads();
    if (pl_t < 32) {
      pl_v = -0.0;
      if (pl_t < PL_FINISH_SIZE / 32) pl_v = block_energy[pl_t];
      for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
        const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
        pl_v += pl_other;
      }
    }
    if (pl_t == 0) {
      if (!(pl_from_zero >> 3 & 1)) {
        pl_v += global_energy[pl_c];
      }
      global_energy[pl_c] = pl_v;
    }
    __syncthreads();
  }
}
