
/* One target a work item: the kernel is called for each element that reaches it. Entries of its row hold
 * the targets that the element reads and the slot of 2. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const int *PL_RESTRICT pl_row,
    const int pl_rows,
    const double *PL_RESTRICT dat_x,
    const int stride_x,
    const int *PL_RESTRICT map0,
    const double *PL_RESTRICT dat_q,
    const int stride_q,
    const int *PL_RESTRICT map1,
    const double *PL_RESTRICT dat_adt,
    double *PL_RESTRICT dat_res,
    const int stride_res,
    const struct pl_consts pl_consts)
{
  PL_WAIT
  const int pl_target = pl_begin + (int)blockIdx.x * (int)blockDim.x + (int)threadIdx.x;
  if (pl_target >= pl_end || pl_row[pl_target] < 0) return;
  #define pl_k pl_consts
  double sum_res[4];
  for (int pl_c = 0; pl_c < 4; pl_c++) sum_res[pl_c] = -0.0;
  int pl_words[12];
#pragma unroll
  for (int pl_i = 0; pl_i < 12; pl_i++)
    pl_words[pl_i] = pl_row[(int64_t)pl_i * pl_rows + pl_target];
#pragma unroll 4
  for (int pl_j = 0; pl_j < 4; pl_j++) {
    const int pl_first = pl_words[3 * pl_j + 0];
    const int target0_1 = pl_words[3 * pl_j + 1];
    const int pl_w2 = pl_words[3 * pl_j + 2];
    const int target0_0 = pl_first / 4, pl_s = pl_first % 4;
    const int pl_o = pl_s < 2 ? pl_s : pl_s - 2;
    const int target1_0 = pl_o == 0 ? pl_target : pl_w2;
    const int target1_1 = pl_o == 1 ? pl_target : pl_w2;
    double x1[2];
    x1[0] = dat_x[0 * stride_x + target0_0];
    x1[1] = dat_x[1 * stride_x + target0_0];
    double x2[2];
    x2[0] = dat_x[0 * stride_x + target0_1];
    x2[1] = dat_x[1 * stride_x + target0_1];
    double q1[4];
    q1[0] = dat_q[0 * stride_q + target1_0];
    q1[1] = dat_q[1 * stride_q + target1_0];
    q1[2] = dat_q[2 * stride_q + target1_0];
    q1[3] = dat_q[3 * stride_q + target1_0];
    double q2[4];
    q2[0] = dat_q[0 * stride_q + target1_1];
    q2[1] = dat_q[1 * stride_q + target1_1];
    q2[2] = dat_q[2 * stride_q + target1_1];
    q2[3] = dat_q[3 * stride_q + target1_1];
    double adt1[1];
    adt1[0] = dat_adt[target1_0];
    double adt2[1];
    adt2[0] = dat_adt[target1_1];
    double res1[4];
    res1[0] = -0.0;
    res1[1] = -0.0;
    res1[2] = -0.0;
    res1[3] = -0.0;
    double res2[4];
    res2[0] = -0.0;
    res2[1] = -0.0;
    res2[2] = -0.0;
    res2[3] = -0.0;
    res_calc(&pl_k, (const double *)x1, (const double *)x2, (const double *)q1, (const double *)q2, (const double *)adt1, (const double *)adt2, (double *)res1, (double *)res2);
    if (pl_s == 0) {
      sum_res[0] += res1[0];
      sum_res[1] += res1[1];
      sum_res[2] += res1[2];
      sum_res[3] += res1[3];
    }
    if (pl_s == 1) {
      sum_res[0] += res2[0];
      sum_res[1] += res2[1];
      sum_res[2] += res2[2];
      sum_res[3] += res2[3];
    }
  }
  for (int pl_c = 0; pl_c < 4; pl_c++) dat_res[pl_c * stride_res + pl_target] += sum_res[pl_c];
}

