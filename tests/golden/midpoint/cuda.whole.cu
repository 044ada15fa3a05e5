

/* One element a work item. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    double *PL_RESTRICT dat_middle,
    const int stride_middle,
    const double *PL_RESTRICT dat_x,
    const int stride_x,
    const int *PL_RESTRICT map0)
{
  PL_WAIT
  const int pl_t = (int)threadIdx.x, pl_b = (int)blockIdx.x;
  const int pl_p = pl_b * (int)blockDim.x + pl_t;
  const int pl_e = pl_begin + pl_p;
  const int4 row0_0 = *(const int4 *)&map0[4 * pl_e + 0];
  const int target0_0 = row0_0.x;
  const int target0_1 = row0_0.y;
  const int target0_2 = row0_0.z;
  const int target0_3 = row0_0.w;
  double middle[4];
  middle[0] = 0;
  middle[1] = 0;
  middle[2] = 0;
  middle[3] = 0;
  double x[4][2];
  x[0][0] = dat_x[0 * stride_x + target0_0];
  x[0][1] = dat_x[1 * stride_x + target0_0];
  x[1][0] = dat_x[0 * stride_x + target0_1];
  x[1][1] = dat_x[1 * stride_x + target0_1];
  x[2][0] = dat_x[0 * stride_x + target0_2];
  x[2][1] = dat_x[1 * stride_x + target0_2];
  x[3][0] = dat_x[0 * stride_x + target0_3];
  x[3][1] = dat_x[1 * stride_x + target0_3];
  midpoint((double *)middle, (const double (*)[2])x);
  dat_middle[0 * stride_middle + pl_e] = middle[0];
  dat_middle[1 * stride_middle + pl_e] = middle[1];
  dat_middle[2 * stride_middle + pl_e] = middle[2];
  dat_middle[3 * stride_middle + pl_e] = middle[3];
}

