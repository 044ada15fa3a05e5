

/* One element a work item; blocks pl_first onwards of the list pl_blocks. */
extern "C" __global__ void pl_run(const int pl_begin, const int pl_end,
    const int pl_first,
    const int *pl_blocks,
    const int *pl_colours,
    const int *pl_element_colour,
    double *PL_RESTRICT dat_q,
    const int stride_q,
    const int *PL_RESTRICT map0,
    double *PL_RESTRICT dat_adt)
{
  PL_WAIT
  const int pl_t = (int)threadIdx.x, pl_b = pl_blocks[pl_first + (int)blockIdx.x];
  const int pl_p = pl_b * (int)blockDim.x + pl_t;
  const int pl_active = pl_p < pl_end - pl_begin;
  const int pl_e = pl_active ? pl_begin + pl_p : pl_begin;
  const int2 row0_0 = *(const int2 *)&map0[2 * pl_e + 0];
  const int target0_0 = row0_0.x;
  const int target0_1 = row0_0.y;
  for (int pl_colour = 0; pl_colour < pl_colours[pl_b]; pl_colour++) {
    if (pl_active && pl_colour == pl_element_colour[pl_p]) {
      double q[2][4];
      q[0][0] = dat_q[0 * stride_q + target0_0];
      q[0][1] = dat_q[1 * stride_q + target0_0];
      q[0][2] = dat_q[2 * stride_q + target0_0];
      q[0][3] = dat_q[3 * stride_q + target0_0];
      q[1][0] = dat_q[0 * stride_q + target0_1];
      q[1][1] = dat_q[1 * stride_q + target0_1];
      q[1][2] = dat_q[2 * stride_q + target0_1];
      q[1][3] = dat_q[3 * stride_q + target0_1];
      double adt[1];
      adt[0] = INFINITY;
      double *pointers_q[2];
      pointers_q[0] = (double *)q[0];
      pointers_q[1] = (double *)q[1];
      relax((double **)pointers_q, (double *)adt);
      dat_q[0 * stride_q + target0_0] = q[0][0];
      dat_q[1 * stride_q + target0_0] = q[0][1];
      dat_q[2 * stride_q + target0_0] = q[0][2];
      dat_q[3 * stride_q + target0_0] = q[0][3];
      dat_q[0 * stride_q + target0_1] = q[1][0];
      dat_q[1 * stride_q + target0_1] = q[1][1];
      dat_q[2 * stride_q + target0_1] = q[1][2];
      dat_q[3 * stride_q + target0_1] = q[1][3];
      dat_adt[target0_0] = adt[0] < dat_adt[target0_0] ? adt[0] : dat_adt[target0_0];
    }
    __syncthreads();
  }
}

