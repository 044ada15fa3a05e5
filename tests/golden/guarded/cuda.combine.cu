
#define PL_BLOCK_SIZE 128 /* elements of a block */
static __device__ inline void pl_inc_double(double *p, double v)
{
  atomicAdd(p, v);
}

/* One element a work item. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const int *PL_RESTRICT pl_from,
    const int *PL_RESTRICT pl_to,
    const uint16_t *PL_RESTRICT pl_row,
    const uint16_t *PL_RESTRICT pl_entry,
    const double *PL_RESTRICT dat_q,
    const int stride_q,
    const int *PL_RESTRICT map0,
    double *PL_RESTRICT dat_res,
    const int stride_res,
    const double *PL_RESTRICT value_scale)
{
  PL_WAIT
  extern __shared__ double2 pl_shared[];
  const int pl_t = (int)threadIdx.x, pl_b = (int)blockIdx.x;
  const int pl_p = pl_b * (int)blockDim.x + pl_t;
  double scale[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) scale[pl_c] = value_scale[pl_c];
  double *inc_res = (double *)((char *)pl_shared + 0);
  const int pl_active = pl_p < pl_end - pl_begin;
  const int pl_e = pl_active ? pl_begin + pl_p : pl_begin;
  const int target0_0 = map0[2 * pl_e + 0];
  double q[1];
  q[0] = target0_0 < 0 ? 0 : dat_q[2 * stride_q + target0_0];
  double res[4];
  res[0] = -0.0;
  res[1] = -0.0;
  res[2] = -0.0;
  res[3] = -0.0;
  guarded((const double *)q, 0, (double *)res, (const double *)scale);
  if (pl_active) {
    inc_res[0 * PL_BLOCK_SIZE + pl_t] = res[0];
    inc_res[1 * PL_BLOCK_SIZE + pl_t] = res[1];
    inc_res[2 * PL_BLOCK_SIZE + pl_t] = res[2];
    inc_res[3 * PL_BLOCK_SIZE + pl_t] = res[3];
  }
  __syncthreads();
  for (int pl_i = pl_from[pl_b] + pl_t; pl_i < pl_from[pl_b + 1]; pl_i += (int)blockDim.x) {
    const int pl_m = pl_to[pl_i], pl_target = pl_m < 0 ? ~pl_m : pl_m;
    double sum_res[4];
    for (int pl_c = 0; pl_c < 4; pl_c++) sum_res[pl_c] = -0.0;
    for (int pl_j = pl_row[pl_i + pl_b]; pl_j < pl_row[pl_i + pl_b + 1]; pl_j++) {
      const int pl_n = pl_entry[pl_b * (1 * PL_BLOCK_SIZE) + pl_j];
      for (int pl_c = 0; pl_c < 4; pl_c++) sum_res[pl_c] += inc_res[(4 * (pl_n / PL_BLOCK_SIZE) + pl_c) * PL_BLOCK_SIZE + pl_n % PL_BLOCK_SIZE];
    }
    if (pl_m < 0) {
      for (int pl_c = 0; pl_c < 4; pl_c++) pl_inc_double(&dat_res[pl_c * stride_res + pl_target], sum_res[pl_c]);
    } else {
      for (int pl_c = 0; pl_c < 4; pl_c++) dat_res[pl_c * stride_res + pl_target] += sum_res[pl_c];
    }
  }
}

