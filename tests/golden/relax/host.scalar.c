
/* Elements begin to end - 1. */
static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end,
    double *restrict dat_q,
    const int *restrict map0,
    double *restrict dat_adt)
{
  const volatile double pl_limit_adt = INFINITY;
  const double limit_adt = pl_limit_adt;
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_n;
    const int target0_0 = map0[2 * pl_e + 0];
    const int target0_1 = map0[2 * pl_e + 1];
    double q[2][4];
    q[0][0] = dat_q[4 * target0_0 + 0];
    q[0][1] = dat_q[4 * target0_0 + 1];
    q[0][2] = dat_q[4 * target0_0 + 2];
    q[0][3] = dat_q[4 * target0_0 + 3];
    q[1][0] = dat_q[4 * target0_1 + 0];
    q[1][1] = dat_q[4 * target0_1 + 1];
    q[1][2] = dat_q[4 * target0_1 + 2];
    q[1][3] = dat_q[4 * target0_1 + 3];
    double adt[1];
    adt[0] = limit_adt;
    double *pointers_q[2];
    pointers_q[0] = (double *)q[0];
    pointers_q[1] = (double *)q[1];
    relax((double **)pointers_q, (double *)adt);
    dat_q[4 * target0_0 + 0] = q[0][0];
    dat_q[4 * target0_0 + 1] = q[0][1];
    dat_q[4 * target0_0 + 2] = q[0][2];
    dat_q[4 * target0_0 + 3] = q[0][3];
    dat_q[4 * target0_1 + 0] = q[1][0];
    dat_q[4 * target0_1 + 1] = q[1][1];
    dat_q[4 * target0_1 + 2] = q[1][2];
    dat_q[4 * target0_1 + 3] = q[1][3];
    { const double pl_was = dat_adt[target0_0]; dat_adt[target0_0] = adt[0] < pl_was ? adt[0] : pl_was; }
  }
}

/* Elements list[begin] to list[end - 1]. */
static __attribute__((noinline)) void pl_some(const int pl_begin, const int pl_end, const int *restrict pl_list,
    double *restrict dat_q,
    const int *restrict map0,
    double *restrict dat_adt)
{
  const volatile double pl_limit_adt = INFINITY;
  const double limit_adt = pl_limit_adt;
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_list[pl_n];
    const int target0_0 = map0[2 * pl_e + 0];
    const int target0_1 = map0[2 * pl_e + 1];
    double q[2][4];
    q[0][0] = dat_q[4 * target0_0 + 0];
    q[0][1] = dat_q[4 * target0_0 + 1];
    q[0][2] = dat_q[4 * target0_0 + 2];
    q[0][3] = dat_q[4 * target0_0 + 3];
    q[1][0] = dat_q[4 * target0_1 + 0];
    q[1][1] = dat_q[4 * target0_1 + 1];
    q[1][2] = dat_q[4 * target0_1 + 2];
    q[1][3] = dat_q[4 * target0_1 + 3];
    double adt[1];
    adt[0] = limit_adt;
    double *pointers_q[2];
    pointers_q[0] = (double *)q[0];
    pointers_q[1] = (double *)q[1];
    relax((double **)pointers_q, (double *)adt);
    dat_q[4 * target0_0 + 0] = q[0][0];
    dat_q[4 * target0_0 + 1] = q[0][1];
    dat_q[4 * target0_0 + 2] = q[0][2];
    dat_q[4 * target0_0 + 3] = q[0][3];
    dat_q[4 * target0_1 + 0] = q[1][0];
    dat_q[4 * target0_1 + 1] = q[1][1];
    dat_q[4 * target0_1 + 2] = q[1][2];
    dat_q[4 * target0_1 + 3] = q[1][3];
    { const double pl_was = dat_adt[target0_0]; dat_adt[target0_0] = adt[0] < pl_was ? adt[0] : pl_was; }
  }
}

void pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)
{
  (void)pl_args;
  if (pl_list)
    pl_some(pl_begin, pl_end, pl_list, (double *)pl_args[0], (int *)pl_args[1], (double *)pl_args[2]);
  else
    pl_range(pl_begin, pl_end, (double *)pl_args[0], (int *)pl_args[1], (double *)pl_args[2]);
}
