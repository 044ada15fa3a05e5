
/* One target a work item: the kernel is called for each element that reaches it. Entries of its row hold
 * the targets that the element reads and the slot of 4. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const int *PL_RESTRICT pl_offset,
    const int *PL_RESTRICT pl_row,
    const int pl_rows,
    const double *PL_RESTRICT dat_q,
    const int stride_q,
    const int *PL_RESTRICT map0,
    double *PL_RESTRICT dat_res,
    const double *PL_RESTRICT dat_adt)
{
  PL_WAIT
  const int pl_target = pl_begin + (int)blockIdx.x * (int)blockDim.x + (int)threadIdx.x;
  if (pl_target >= pl_end || pl_offset[pl_target] == pl_offset[pl_target + 1]) return;
  double sum_res[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) sum_res[pl_c] = -0.0;
#pragma unroll 4
  for (int pl_j = pl_offset[pl_target]; pl_j < pl_offset[pl_target + 1]; pl_j++) {
    const int pl_first = pl_row[(int64_t)0 * pl_rows + pl_j];
    const int pl_w1 = pl_row[(int64_t)1 * pl_rows + pl_j];
    const int pl_w2 = pl_row[(int64_t)2 * pl_rows + pl_j];
    const int pl_w3 = pl_row[(int64_t)3 * pl_rows + pl_j];
    const int pl_e = pl_first / 4, pl_s = pl_first % 4;
    const int target0_0 = pl_s == 0 ? pl_target : pl_w1;
    const int target0_1 = pl_s == 1 ? pl_target : pl_s < 1 ? pl_w1 : pl_w2;
    const int target0_2 = pl_s == 2 ? pl_target : pl_s < 2 ? pl_w2 : pl_w3;
    const int target0_3 = pl_s == 3 ? pl_target : pl_w3;
    double q[4][2];
    q[0][0] = dat_q[0 * stride_q + target0_0];
    q[0][1] = dat_q[1 * stride_q + target0_0];
    q[1][0] = dat_q[0 * stride_q + target0_1];
    q[1][1] = dat_q[1 * stride_q + target0_1];
    q[2][0] = dat_q[0 * stride_q + target0_2];
    q[2][1] = dat_q[1 * stride_q + target0_2];
    q[3][0] = dat_q[0 * stride_q + target0_3];
    q[3][1] = dat_q[1 * stride_q + target0_3];
    double res[4][1];
    res[0][0] = -0.0;
    res[1][0] = -0.0;
    res[2][0] = -0.0;
    res[3][0] = -0.0;
    double adt[1];
    adt[0] = dat_adt[pl_e];
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
    average((const double **)pointers_q, (double **)pointers_res, (const double *)adt);
    if (pl_s == 0) {
      sum_res[0] += res[0][0];
    }
    if (pl_s == 1) {
      sum_res[0] += res[1][0];
    }
    if (pl_s == 2) {
      sum_res[0] += res[2][0];
    }
    if (pl_s == 3) {
      sum_res[0] += res[3][0];
    }
  }
  for (int pl_c = 0; pl_c < 1; pl_c++) dat_res[pl_target] += sum_res[pl_c];
}

