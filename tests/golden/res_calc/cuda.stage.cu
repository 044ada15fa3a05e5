

/* One element a work item; blocks pl_first onwards of the list pl_blocks. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const int pl_first,
    const int *pl_blocks,
    const int *pl_colours,
    const int *pl_element_colour,
    const int *PL_RESTRICT pl_from0,
    const int *PL_RESTRICT pl_to0,
    const int16_t *PL_RESTRICT pl_local0,
    const int *PL_RESTRICT pl_from1,
    const int *PL_RESTRICT pl_to1,
    const int16_t *PL_RESTRICT pl_local1,
    const int start0_x,
    const int start1_q,
    const int start1_adt,
    const int start1_res,
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
  extern __shared__ double2 pl_shared[];
  const int pl_t = (int)threadIdx.x, pl_b = pl_blocks[pl_first + (int)blockIdx.x];
  const int pl_p = pl_b * (int)blockDim.x + pl_t;
  #define pl_k pl_consts
  const int pl_f0 = pl_from0[pl_b], pl_n0 = pl_from0[pl_b + 1] - pl_f0;
  const int pl_f1 = pl_from1[pl_b], pl_n1 = pl_from1[pl_b + 1] - pl_f1;
  double *block0_x = (double *)((char *)pl_shared + start0_x);
  for (int pl_i = pl_t; pl_i < pl_n0; pl_i += (int)blockDim.x) {
    const int pl_target = pl_to0[pl_f0 + pl_i];
    for (int pl_c = 0; pl_c < 2; pl_c++) {
      block0_x[pl_c * pl_n0 + pl_i] = dat_x[pl_c * stride_x + pl_target];
    }
  }
  double *block1_q = (double *)((char *)pl_shared + start1_q);
  for (int pl_i = pl_t; pl_i < pl_n1; pl_i += (int)blockDim.x) {
    const int pl_target = pl_to1[pl_f1 + pl_i];
    for (int pl_c = 0; pl_c < 4; pl_c++) {
      block1_q[pl_c * pl_n1 + pl_i] = dat_q[pl_c * stride_q + pl_target];
    }
  }
  double *block1_adt = (double *)((char *)pl_shared + start1_adt);
  for (int pl_i = pl_t; pl_i < pl_n1; pl_i += (int)blockDim.x) {
    const int pl_target = pl_to1[pl_f1 + pl_i];
    for (int pl_c = 0; pl_c < 1; pl_c++) {
      block1_adt[pl_i] = dat_adt[pl_target];
    }
  }
  double *block1_res = (double *)((char *)pl_shared + start1_res);
  for (int pl_i = pl_t; pl_i < pl_n1; pl_i += (int)blockDim.x) {
    for (int pl_c = 0; pl_c < 4; pl_c++) {
      block1_res[pl_c * pl_n1 + pl_i] = -0.0;
    }
  }
  __syncthreads();
  const int pl_active = pl_p < pl_end - pl_begin;
  const int local0_0 = pl_active ? pl_local0[2 * pl_p + 0] : 0;
  const int local0_1 = pl_active ? pl_local0[2 * pl_p + 1] : 0;
  const int local1_0 = pl_active ? pl_local1[2 * pl_p + 0] : 0;
  const int local1_1 = pl_active ? pl_local1[2 * pl_p + 1] : 0;
  double x1[2];
  x1[0] = block0_x[0 * pl_n0 + local0_0];
  x1[1] = block0_x[1 * pl_n0 + local0_0];
  double x2[2];
  x2[0] = block0_x[0 * pl_n0 + local0_1];
  x2[1] = block0_x[1 * pl_n0 + local0_1];
  double q1[4];
  q1[0] = block1_q[0 * pl_n1 + local1_0];
  q1[1] = block1_q[1 * pl_n1 + local1_0];
  q1[2] = block1_q[2 * pl_n1 + local1_0];
  q1[3] = block1_q[3 * pl_n1 + local1_0];
  double q2[4];
  q2[0] = block1_q[0 * pl_n1 + local1_1];
  q2[1] = block1_q[1 * pl_n1 + local1_1];
  q2[2] = block1_q[2 * pl_n1 + local1_1];
  q2[3] = block1_q[3 * pl_n1 + local1_1];
  double adt1[1];
  adt1[0] = block1_adt[local1_0];
  double adt2[1];
  adt2[0] = block1_adt[local1_1];
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
  for (int pl_colour = 0; pl_colour < pl_colours[pl_b]; pl_colour++) {
    if (pl_active && pl_colour == pl_element_colour[pl_p]) {
      block1_res[0 * pl_n1 + local1_0] += res1[0];
      block1_res[1 * pl_n1 + local1_0] += res1[1];
      block1_res[2 * pl_n1 + local1_0] += res1[2];
      block1_res[3 * pl_n1 + local1_0] += res1[3];
      block1_res[0 * pl_n1 + local1_1] += res2[0];
      block1_res[1 * pl_n1 + local1_1] += res2[1];
      block1_res[2 * pl_n1 + local1_1] += res2[2];
      block1_res[3 * pl_n1 + local1_1] += res2[3];
    }
    __syncthreads();
  }
  for (int pl_i = pl_t; pl_i < pl_n1; pl_i += (int)blockDim.x) {
    const int pl_target = pl_to1[pl_f1 + pl_i];
    for (int pl_c = 0; pl_c < 4; pl_c++) {
      dat_res[pl_c * stride_res + pl_target] += block1_res[pl_c * pl_n1 + pl_i];
    }
  }
}

