
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
  const int pl_from = 9 * pl_offset[pl_first], pl_n = 9 * pl_offset[pl_last] - pl_from;
  for (int pl_i = pl_t; pl_i < pl_n; pl_i += (int)blockDim.x) pl_values[pl_i] = 0;
  __syncthreads();
  if (pl_target < pl_end) {
    const int pl_own = 9 * pl_offset[pl_target] - pl_from;
    const int pl_slice = pl_target / 32, pl_lane = pl_target % 32;
#pragma unroll 1
    for (int pl_j = pl_cut[2 * pl_slice + 0]; pl_j < pl_cut[2 * pl_slice + 0 + 1]; pl_j++) {
      const int2 pl_v0 = *(const int2 *)&pl_row[(int64_t)pl_j * 64 + 0 + 2 * pl_lane];
      const int pl_w0 = pl_v0.x;
      const int pl_f0 = pl_v0.y;
      if (pl_f0 != -1) {
        const int pl_s = 0;
        const int target0_0 = pl_s == 0 ? pl_target : pl_w0;
        const int target0_1 = pl_s == 1 ? pl_target : pl_w0;
        double x[2][2];
        x[0][0] = dat_x[0 * stride_x + target0_0];
        x[0][1] = dat_x[1 * stride_x + target0_0];
        x[1][0] = dat_x[0 * stride_x + target0_1];
        x[1][1] = dat_x[1 * stride_x + target0_1];
        double A[36][1];
        A[0][0] = -0.0;
        A[1][0] = -0.0;
        A[2][0] = -0.0;
        A[3][0] = -0.0;
        A[4][0] = -0.0;
        A[5][0] = -0.0;
        A[6][0] = -0.0;
        A[7][0] = -0.0;
        A[8][0] = -0.0;
        A[9][0] = -0.0;
        A[10][0] = -0.0;
        A[11][0] = -0.0;
        A[12][0] = -0.0;
        A[13][0] = -0.0;
        A[14][0] = -0.0;
        A[15][0] = -0.0;
        A[16][0] = -0.0;
        A[17][0] = -0.0;
        A[18][0] = -0.0;
        A[19][0] = -0.0;
        A[20][0] = -0.0;
        A[21][0] = -0.0;
        A[22][0] = -0.0;
        A[23][0] = -0.0;
        A[24][0] = -0.0;
        A[25][0] = -0.0;
        A[26][0] = -0.0;
        A[27][0] = -0.0;
        A[28][0] = -0.0;
        A[29][0] = -0.0;
        A[30][0] = -0.0;
        A[31][0] = -0.0;
        A[32][0] = -0.0;
        A[33][0] = -0.0;
        A[34][0] = -0.0;
        A[35][0] = -0.0;
        tensor_blocks((const double (*)[2])x, (double *)A);
        const int pl_o0 = (int)((uint32_t)pl_f0 >> 0 & 65535);
        pl_values[pl_own + 9 * pl_o0 + 0] += A[0][0];
        pl_values[pl_own + 9 * pl_o0 + 1] += A[1][0];
        pl_values[pl_own + 9 * pl_o0 + 2] += A[2][0];
        pl_values[pl_own + 9 * pl_o0 + 3] += A[6][0];
        pl_values[pl_own + 9 * pl_o0 + 4] += A[7][0];
        pl_values[pl_own + 9 * pl_o0 + 5] += A[8][0];
        pl_values[pl_own + 9 * pl_o0 + 6] += A[12][0];
        pl_values[pl_own + 9 * pl_o0 + 7] += A[13][0];
        pl_values[pl_own + 9 * pl_o0 + 8] += A[14][0];
        const int pl_o1 = (int)((uint32_t)pl_f0 >> 16 & 65535);
        pl_values[pl_own + 9 * pl_o1 + 0] += A[3][0];
        pl_values[pl_own + 9 * pl_o1 + 1] += A[4][0];
        pl_values[pl_own + 9 * pl_o1 + 2] += A[5][0];
        pl_values[pl_own + 9 * pl_o1 + 3] += A[9][0];
        pl_values[pl_own + 9 * pl_o1 + 4] += A[10][0];
        pl_values[pl_own + 9 * pl_o1 + 5] += A[11][0];
        pl_values[pl_own + 9 * pl_o1 + 6] += A[15][0];
        pl_values[pl_own + 9 * pl_o1 + 7] += A[16][0];
        pl_values[pl_own + 9 * pl_o1 + 8] += A[17][0];
      }
    }
#pragma unroll 1
    for (int pl_j = pl_cut[2 * pl_slice + 1]; pl_j < pl_cut[2 * pl_slice + 1 + 1]; pl_j++) {
      const int2 pl_v0 = *(const int2 *)&pl_row[(int64_t)pl_j * 64 + 0 + 2 * pl_lane];
      const int pl_w0 = pl_v0.x;
      const int pl_f0 = pl_v0.y;
      if (pl_f0 != -1) {
        const int pl_s = 1;
        const int target0_0 = pl_s == 0 ? pl_target : pl_w0;
        const int target0_1 = pl_s == 1 ? pl_target : pl_w0;
        double x[2][2];
        x[0][0] = dat_x[0 * stride_x + target0_0];
        x[0][1] = dat_x[1 * stride_x + target0_0];
        x[1][0] = dat_x[0 * stride_x + target0_1];
        x[1][1] = dat_x[1 * stride_x + target0_1];
        double A[36][1];
        A[0][0] = -0.0;
        A[1][0] = -0.0;
        A[2][0] = -0.0;
        A[3][0] = -0.0;
        A[4][0] = -0.0;
        A[5][0] = -0.0;
        A[6][0] = -0.0;
        A[7][0] = -0.0;
        A[8][0] = -0.0;
        A[9][0] = -0.0;
        A[10][0] = -0.0;
        A[11][0] = -0.0;
        A[12][0] = -0.0;
        A[13][0] = -0.0;
        A[14][0] = -0.0;
        A[15][0] = -0.0;
        A[16][0] = -0.0;
        A[17][0] = -0.0;
        A[18][0] = -0.0;
        A[19][0] = -0.0;
        A[20][0] = -0.0;
        A[21][0] = -0.0;
        A[22][0] = -0.0;
        A[23][0] = -0.0;
        A[24][0] = -0.0;
        A[25][0] = -0.0;
        A[26][0] = -0.0;
        A[27][0] = -0.0;
        A[28][0] = -0.0;
        A[29][0] = -0.0;
        A[30][0] = -0.0;
        A[31][0] = -0.0;
        A[32][0] = -0.0;
        A[33][0] = -0.0;
        A[34][0] = -0.0;
        A[35][0] = -0.0;
        tensor_blocks((const double (*)[2])x, (double *)A);
        const int pl_o0 = (int)((uint32_t)pl_f0 >> 0 & 65535);
        pl_values[pl_own + 9 * pl_o0 + 0] += A[18][0];
        pl_values[pl_own + 9 * pl_o0 + 1] += A[19][0];
        pl_values[pl_own + 9 * pl_o0 + 2] += A[20][0];
        pl_values[pl_own + 9 * pl_o0 + 3] += A[24][0];
        pl_values[pl_own + 9 * pl_o0 + 4] += A[25][0];
        pl_values[pl_own + 9 * pl_o0 + 5] += A[26][0];
        pl_values[pl_own + 9 * pl_o0 + 6] += A[30][0];
        pl_values[pl_own + 9 * pl_o0 + 7] += A[31][0];
        pl_values[pl_own + 9 * pl_o0 + 8] += A[32][0];
        const int pl_o1 = (int)((uint32_t)pl_f0 >> 16 & 65535);
        pl_values[pl_own + 9 * pl_o1 + 0] += A[21][0];
        pl_values[pl_own + 9 * pl_o1 + 1] += A[22][0];
        pl_values[pl_own + 9 * pl_o1 + 2] += A[23][0];
        pl_values[pl_own + 9 * pl_o1 + 3] += A[27][0];
        pl_values[pl_own + 9 * pl_o1 + 4] += A[28][0];
        pl_values[pl_own + 9 * pl_o1 + 5] += A[29][0];
        pl_values[pl_own + 9 * pl_o1 + 6] += A[33][0];
        pl_values[pl_own + 9 * pl_o1 + 7] += A[34][0];
        pl_values[pl_own + 9 * pl_o1 + 8] += A[35][0];
      }
    }
  }
  __syncthreads();
  for (int pl_i = pl_t; pl_i < pl_n; pl_i += (int)blockDim.x) dat_A[pl_from + pl_i] = pl_values[pl_i];
}

