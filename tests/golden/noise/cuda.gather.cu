
/* One target a work item: the kernel is called for each element that reaches it. Entries of its row hold
 * the targets that the element reads and the slot of 1. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const int *PL_RESTRICT pl_row,
    const int pl_rows,
    const double *PL_RESTRICT dat_q,
    const int stride_q,
    const int *PL_RESTRICT map0,
    double *PL_RESTRICT dat_res,
    const int stride_res,
    const uint32_t *PL_RESTRICT value_own,
    const uint32_t *PL_RESTRICT value_other)
{
  PL_WAIT
  const int pl_target = pl_begin + (int)blockIdx.x * (int)blockDim.x + (int)threadIdx.x;
  if (pl_target >= pl_end || pl_row[pl_target] < 0) return;
  double sum_res[4];
  for (int pl_c = 0; pl_c < 4; pl_c++) sum_res[pl_c] = -0.0;
  int pl_words[8];
#pragma unroll
  for (int pl_i = 0; pl_i < 8; pl_i++)
    pl_words[pl_i] = pl_row[(int64_t)pl_i * pl_rows + pl_target];
#pragma unroll 4
  for (int pl_j = 0; pl_j < 4; pl_j++) {
    const int pl_first = pl_words[2 * pl_j + 0];
    const int target0_0 = pl_words[2 * pl_j + 1];
    const int pl_e = pl_first / 2, pl_s = pl_first % 2;
    const int target0_1 = pl_target;
    double q[4];
    q[0] = dat_q[0 * stride_q + target0_0];
    q[1] = dat_q[1 * stride_q + target0_0];
    q[2] = dat_q[2 * stride_q + target0_0];
    q[3] = dat_q[3 * stride_q + target0_0];
    double res[4];
    res[0] = -0.0;
    res[1] = -0.0;
    res[2] = -0.0;
    res[3] = -0.0;
    const int64_t number_own = pl_e;
    const uint32_t own[5] = {value_own[0], value_own[1], (uint32_t)number_own, (uint32_t)((uint64_t)number_own >> 32), value_own[4]};
    const int64_t number_other = target0_1;
    const uint32_t other[5] = {value_other[0], value_other[1], (uint32_t)number_other, (uint32_t)((uint64_t)number_other >> 32), value_other[4]};
    noise((const double *)q, (double *)res, own, other);
    if (pl_s == 0) {
      sum_res[0] += res[0];
      sum_res[1] += res[1];
      sum_res[2] += res[2];
      sum_res[3] += res[3];
    }
  }
  for (int pl_c = 0; pl_c < 4; pl_c++) dat_res[pl_c * stride_res + pl_target] += sum_res[pl_c];
}

