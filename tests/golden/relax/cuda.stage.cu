

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
    const int start0_q,
    const int start1_adt,
    double *PL_RESTRICT dat_q,
    const int stride_q,
    const int *PL_RESTRICT map0,
    double *PL_RESTRICT dat_adt)
{
  PL_WAIT
  extern __shared__ double2 pl_shared[];
  const int pl_t = (int)threadIdx.x, pl_b = pl_blocks[pl_first + (int)blockIdx.x];
  const int pl_p = pl_b * (int)blockDim.x + pl_t;
  const int pl_f0 = pl_from0[pl_b], pl_n0 = pl_from0[pl_b + 1] - pl_f0;
  const int pl_f1 = pl_from1[pl_b], pl_n1 = pl_from1[pl_b + 1] - pl_f1;
  double *block0_q = (double *)((char *)pl_shared + start0_q);
  for (int pl_i = pl_t; pl_i < pl_n0; pl_i += (int)blockDim.x) {
    const int pl_target = pl_to0[pl_f0 + pl_i];
    for (int pl_c = 0; pl_c < 4; pl_c++) {
      block0_q[pl_c * pl_n0 + pl_i] = dat_q[pl_c * stride_q + pl_target];
    }
  }
  double *block1_adt = (double *)((char *)pl_shared + start1_adt);
  for (int pl_i = pl_t; pl_i < pl_n1; pl_i += (int)blockDim.x) {
    for (int pl_c = 0; pl_c < 1; pl_c++) {
      block1_adt[pl_i] = INFINITY;
    }
  }
  __syncthreads();
  const int pl_active = pl_p < pl_end - pl_begin;
  const int local0_0 = pl_active ? pl_local0[2 * pl_p + 0] : 0;
  const int local0_1 = pl_active ? pl_local0[2 * pl_p + 1] : 0;
  const int local1_0 = pl_active ? pl_local1[1 * pl_p + 0] : 0;
  for (int pl_colour = 0; pl_colour < pl_colours[pl_b]; pl_colour++) {
    if (pl_active && pl_colour == pl_element_colour[pl_p]) {
      double q[2][4];
      q[0][0] = block0_q[0 * pl_n0 + local0_0];
      q[0][1] = block0_q[1 * pl_n0 + local0_0];
      q[0][2] = block0_q[2 * pl_n0 + local0_0];
      q[0][3] = block0_q[3 * pl_n0 + local0_0];
      q[1][0] = block0_q[0 * pl_n0 + local0_1];
      q[1][1] = block0_q[1 * pl_n0 + local0_1];
      q[1][2] = block0_q[2 * pl_n0 + local0_1];
      q[1][3] = block0_q[3 * pl_n0 + local0_1];
      double adt[1];
      adt[0] = INFINITY;
      double *pointers_q[2];
      pointers_q[0] = (double *)q[0];
      pointers_q[1] = (double *)q[1];
      relax((double **)pointers_q, (double *)adt);
      block0_q[0 * pl_n0 + local0_0] = q[0][0];
      block0_q[1 * pl_n0 + local0_0] = q[0][1];
      block0_q[2 * pl_n0 + local0_0] = q[0][2];
      block0_q[3 * pl_n0 + local0_0] = q[0][3];
      block0_q[0 * pl_n0 + local0_1] = q[1][0];
      block0_q[1 * pl_n0 + local0_1] = q[1][1];
      block0_q[2 * pl_n0 + local0_1] = q[1][2];
      block0_q[3 * pl_n0 + local0_1] = q[1][3];
      block1_adt[local1_0] = adt[0] < block1_adt[local1_0] ? adt[0] : block1_adt[local1_0];
    }
    __syncthreads();
  }
  for (int pl_i = pl_t; pl_i < pl_n0; pl_i += (int)blockDim.x) {
    const int pl_target = pl_to0[pl_f0 + pl_i];
    for (int pl_c = 0; pl_c < 4; pl_c++) {
      dat_q[pl_c * stride_q + pl_target] = block0_q[pl_c * pl_n0 + pl_i];
    }
  }
  for (int pl_i = pl_t; pl_i < pl_n1; pl_i += (int)blockDim.x) {
    const int pl_target = pl_to1[pl_f1 + pl_i];
    for (int pl_c = 0; pl_c < 1; pl_c++) {
      dat_adt[pl_target] = block1_adt[pl_i] < dat_adt[pl_target] ? block1_adt[pl_i] : dat_adt[pl_target];
    }
  }
}

