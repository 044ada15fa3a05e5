
/* Elements begin to end - 1. */
static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end,
    const double *restrict dat_q,
    const int *restrict map0,
    double *restrict dat_res,
    const uint32_t *restrict value_own,
    const uint32_t *restrict value_other)
{
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_n;
    const int target0_0 = map0[2 * pl_e + 0];
    const int target0_1 = map0[2 * pl_e + 1];
    const double *const q = &dat_q[4 * target0_0 + 0];
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
    dat_res[4 * target0_1 + 0] += res[0];
    dat_res[4 * target0_1 + 1] += res[1];
    dat_res[4 * target0_1 + 2] += res[2];
    dat_res[4 * target0_1 + 3] += res[3];
  }
}

/* Elements list[begin] to list[end - 1]. */
static __attribute__((noinline)) void pl_some(const int pl_begin, const int pl_end, const int *restrict pl_list,
    const double *restrict dat_q,
    const int *restrict map0,
    double *restrict dat_res,
    const uint32_t *restrict value_own,
    const uint32_t *restrict value_other)
{
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_list[pl_n];
    const int target0_0 = map0[2 * pl_e + 0];
    const int target0_1 = map0[2 * pl_e + 1];
    const double *const q = &dat_q[4 * target0_0 + 0];
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
    dat_res[4 * target0_1 + 0] += res[0];
    dat_res[4 * target0_1 + 1] += res[1];
    dat_res[4 * target0_1 + 2] += res[2];
    dat_res[4 * target0_1 + 3] += res[3];
  }
}

void pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)
{
  (void)pl_args;
  if (pl_list)
    pl_some(pl_begin, pl_end, pl_list, (double *)pl_args[0], (int *)pl_args[1], (double *)pl_args[2], (uint32_t *)pl_args[3], (uint32_t *)pl_args[4]);
  else
    pl_range(pl_begin, pl_end, (double *)pl_args[0], (int *)pl_args[1], (double *)pl_args[2], (uint32_t *)pl_args[3], (uint32_t *)pl_args[4]);
}
