
#define PL_BLOCK_SIZE 128 /* elements of a block */

/* One element a work item. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const double *PL_RESTRICT dat_q,
    const int stride_q,
    double *PL_RESTRICT result_least,
    int64_t *PL_RESTRICT holder_least,
    int64_t *PL_RESTRICT result_where,
    double *PL_RESTRICT result_values,
    double *PL_RESTRICT result_most)
{
  PL_WAIT
  __shared__ double block_least[PL_BLOCK_SIZE];
  __shared__ int64_t winners_least[PL_BLOCK_SIZE];
  __shared__ double block_most[PL_BLOCK_SIZE];
  const int pl_t = (int)threadIdx.x, pl_b = (int)blockIdx.x;
  double min_least[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) min_least[pl_c] = INFINITY;
  int64_t winner_least = -1;
  int64_t best_where[1];
  double best_values[2];
  double max_most[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) max_most[pl_c] = -INFINITY;
  for (int pl_p = pl_b * (int)blockDim.x + pl_t; pl_p < pl_end - pl_begin; pl_p += (int)gridDim.x * (int)blockDim.x) {
    const int pl_e = pl_begin + pl_p;
    double q[4];
    q[0] = dat_q[0 * stride_q + pl_e];
    q[1] = dat_q[1 * stride_q + pl_e];
    q[2] = dat_q[2 * stride_q + pl_e];
    q[3] = dat_q[3 * stride_q + pl_e];
    const int64_t cell[1] = {pl_e};
    double least[1];
    least[0] = INFINITY;
    int64_t where[1];
    where[0] = 0;
    double values[2];
    values[0] = 0;
    values[1] = 0;
    double most[1];
    most[0] = -INFINITY;
    extreme((const double *)q, cell, (double *)least, (int64_t *)where, (double *)values, (double *)most);
    if (least[0] < min_least[0] || (least[0] == min_least[0] && pl_e < winner_least)) {
      min_least[0] = least[0];
      winner_least = pl_e;
      best_where[0] = where[0];
      best_values[0] = values[0];
      best_values[1] = values[1];
    }
    max_most[0] = most[0] > max_most[0] ? most[0] : max_most[0];
  }
  block_least[pl_t] = min_least[0];
  winners_least[pl_t] = winner_least;
  __syncthreads();
  for (int pl_size = PL_BLOCK_SIZE; pl_size > 1; pl_size = (pl_size + 1) / 2) {
    const int pl_half = (pl_size + 1) / 2;
    if (pl_t + pl_half < pl_size)
    if (winners_least[pl_t + pl_half] >= 0 && (winners_least[pl_t] < 0 || block_least[pl_t + pl_half] < block_least[pl_t] || (block_least[pl_t + pl_half] == block_least[pl_t] && winners_least[pl_t + pl_half] < winners_least[pl_t]))) {
      block_least[pl_t] = block_least[pl_t + pl_half];
      winners_least[pl_t] = winners_least[pl_t + pl_half];
    }
    __syncthreads();
  }
  if (winners_least[0] < 0 ? pl_t == 0 : winner_least == winners_least[0]) {
    result_least[pl_b] = min_least[0];
    holder_least[pl_b] = winner_least;
    for (int pl_c = 0; pl_c < 1; pl_c++) result_where[1 * pl_b + pl_c] = best_where[pl_c];
    for (int pl_c = 0; pl_c < 2; pl_c++) result_values[2 * pl_b + pl_c] = best_values[pl_c];
  }
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    double pl_v = max_most[pl_c];
    for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
      const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
      pl_v = pl_other > pl_v ? pl_other : pl_v;
    }
    if (pl_t % 32 == 0) block_most[pl_t / 32] = pl_v;
    __syncthreads();
    if (pl_t < 32) {
      pl_v = -INFINITY;
      if (pl_t < PL_BLOCK_SIZE / 32) pl_v = block_most[pl_t];
      for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
        const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
        pl_v = pl_other > pl_v ? pl_other : pl_v;
      }
    }
    if (pl_t == 0) result_most[1 * pl_b + pl_c] = pl_v;
    __syncthreads();
  }
}

#define PL_FINISH_SIZE 512
/* The results of all blocks enter the globals. */
extern "C" __global__ void pl_finish(const int pl_nblocks, const int pl_from_zero,
    const double *PL_RESTRICT result_least,
    double *global_least,
    const int64_t *PL_RESTRICT holder_least,
    int64_t *keeper_least,
    const int64_t *PL_RESTRICT result_where,
    int64_t *global_where,
    const double *PL_RESTRICT result_values,
    double *global_values,
    const double *PL_RESTRICT result_most,
    double *global_most)
{
  PL_WAIT
  __shared__ double block_least[PL_FINISH_SIZE];
  __shared__ int64_t winners_least[PL_FINISH_SIZE];
  __shared__ int source_least[PL_FINISH_SIZE];
  __shared__ double block_most[PL_FINISH_SIZE];
  const int pl_t = (int)threadIdx.x;
  double first_most = -INFINITY;
  if (pl_t < pl_nblocks) first_most = result_most[1 * pl_t];
  {
    double pl_v = INFINITY;
    int64_t pl_winner = -1;
    int pl_source = 0;
    for (int pl_i = pl_t; pl_i < pl_nblocks; pl_i += PL_FINISH_SIZE)
    if (holder_least[pl_i] >= 0 && (pl_winner < 0 || result_least[pl_i] < pl_v || (result_least[pl_i] == pl_v && holder_least[pl_i] < pl_winner))) {
      pl_v = result_least[pl_i];
      pl_winner = holder_least[pl_i];
      pl_source = pl_i;
    }
    block_least[pl_t] = pl_v;
    winners_least[pl_t] = pl_winner;
    source_least[pl_t] = pl_source;
    __syncthreads();
    for (int pl_size = PL_FINISH_SIZE; pl_size > 1; pl_size = (pl_size + 1) / 2) {
      const int pl_half = (pl_size + 1) / 2;
      if (pl_t + pl_half < pl_size)
      if (winners_least[pl_t + pl_half] >= 0 && (winners_least[pl_t] < 0 || block_least[pl_t + pl_half] < block_least[pl_t] || (block_least[pl_t + pl_half] == block_least[pl_t] && winners_least[pl_t + pl_half] < winners_least[pl_t]))) {
        block_least[pl_t] = block_least[pl_t + pl_half];
        winners_least[pl_t] = winners_least[pl_t + pl_half];
        source_least[pl_t] = source_least[pl_t + pl_half];
      }
      __syncthreads();
    }
    if (pl_t == 0 && pl_from_zero < 0) keeper_least[0] = -1;
    if (pl_t == 0 && winners_least[0] >= 0 && (block_least[0] < global_least[0] ||
        (block_least[0] == global_least[0] && winners_least[0] < keeper_least[0]))) {
      global_least[0] = block_least[0];
      keeper_least[0] = winners_least[0];
      for (int pl_c = 0; pl_c < 1; pl_c++) global_where[pl_c] = result_where[1 * source_least[0] + pl_c];
      for (int pl_c = 0; pl_c < 2; pl_c++) global_values[pl_c] = result_values[2 * source_least[0] + pl_c];
    }
  }
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    double pl_v = -INFINITY;
    if (pl_c == 0) pl_v = first_most;
    for (int pl_i = pl_c == 0 ? pl_t + PL_FINISH_SIZE : pl_t; pl_i < pl_nblocks; pl_i += PL_FINISH_SIZE) {
      pl_v = result_most[1 * pl_i + pl_c] > pl_v ? result_most[1 * pl_i + pl_c] : pl_v;
    }
    for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
      const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
      pl_v = pl_other > pl_v ? pl_other : pl_v;
    }
    if (pl_t % 32 == 0) block_most[pl_t / 32] = pl_v;
    __syncthreads();
    if (pl_t < 32) {
      pl_v = -INFINITY;
      if (pl_t < PL_FINISH_SIZE / 32) pl_v = block_most[pl_t];
      for (int pl_d = 16; pl_d > 0; pl_d /= 2) {
        const double pl_other = __shfl_xor_sync(~0u, pl_v, pl_d);
        pl_v = pl_other > pl_v ? pl_other : pl_v;
      }
    }
    if (pl_t == 0) {
      global_most[pl_c] = pl_v > global_most[pl_c] ? pl_v : global_most[pl_c];
    }
    __syncthreads();
  }
}
