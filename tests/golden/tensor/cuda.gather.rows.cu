
/* One row of the matrix a work item: the kernel is called for each element that has a part of it. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const int *PL_RESTRICT pl_offset,
    const int *PL_RESTRICT pl_row,
    const int *PL_RESTRICT pl_cut,
    const double *PL_RESTRICT dat_x,
    const int stride_x,
    const int *PL_RESTRICT map0,
    double *PL_RESTRICT dat_A,
    const int *PL_RESTRICT map1)
{
  PL_WAIT
  extern __shared__ double2 pl_shared[];
  double *pl_values = (double *)pl_shared;
  const int pl_t = (int)threadIdx.x, pl_first = pl_begin + (int)blockIdx.x * (int)blockDim.x, pl_target = pl_first + pl_t;
  const int pl_last = pl_first + (int)blockDim.x < pl_end ? pl_first + (int)blockDim.x : pl_end;
  const int pl_from = 1 * pl_offset[pl_first], pl_n = 1 * pl_offset[pl_last] - pl_from;
  for (int pl_i = pl_t; pl_i < pl_n; pl_i += (int)blockDim.x) pl_values[pl_i] = -0.0;
  __syncthreads();
  if (pl_target < pl_end) {
    const int pl_own = 1 * pl_offset[pl_target] - pl_from;
    const int pl_slice = pl_target / 32, pl_lane = pl_target % 32;
#pragma unroll 2
    for (int pl_j = pl_cut[1 * pl_slice + 0]; pl_j < pl_cut[1 * pl_slice + 0 + 1]; pl_j++) {
      const int2 pl_v0 = *(const int2 *)&pl_row[(int64_t)pl_j * 64 + 0 + 2 * pl_lane];
      const int pl_w0 = pl_v0.x;
      const int pl_f0 = pl_v0.y;
      if (pl_f0 != -1) {
        const int pl_s = (int)((uint32_t)pl_f0 >> 16 & 255);
        const int target0_0 = pl_s == 0 ? pl_target : pl_w0;
        const int target0_1 = pl_s == 1 ? pl_target : pl_w0;
        double x[2][2];
        x[0][0] = dat_x[0 * stride_x + target0_0];
        x[0][1] = dat_x[1 * stride_x + target0_0];
        x[1][0] = dat_x[0 * stride_x + target0_1];
        x[1][1] = dat_x[1 * stride_x + target0_1];
        double A[4][1];
        A[0][0] = -0.0;
        A[1][0] = -0.0;
        A[2][0] = -0.0;
        A[3][0] = -0.0;
        tensor((const double (*)[2])x, (double (*)[2])A);
        const int pl_o0 = (int)((uint32_t)pl_f0 >> 0 & 255);
        pl_values[pl_own + pl_o0] += pl_s == 0 ? A[0][0] : A[2][0];
        const int pl_o1 = (int)((uint32_t)pl_f0 >> 8 & 255);
        pl_values[pl_own + pl_o1] += pl_s == 0 ? A[1][0] : A[3][0];
      }
    }
  }
  __syncthreads();
  for (int pl_i = pl_t; pl_i < pl_n; pl_i += (int)blockDim.x) dat_A[pl_from + pl_i] += pl_values[pl_i];
}

