
/* Elements begin to end - 1. */
static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end,
    const double *restrict dat_qold,
    double *restrict dat_q,
    double *restrict dat_res,
    const double *restrict dat_adt,
    double *restrict result_rms)
{
  double sum_rms[1];
  sum_rms[0] = result_rms[0];
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_n;
    const double *const qold = &dat_qold[4 * pl_e + 0];
    double *const q = &dat_q[4 * pl_e + 0];
    double *const res = &dat_res[4 * pl_e + 0];
    const double *const adt = &dat_adt[pl_e];
    double rms[1];
    rms[0] = -0.0;
    update((const double *)qold, (double *)q, (double *)res, (const double *)adt, (double *)rms);
    sum_rms[0] += rms[0];
  }
  result_rms[0] = sum_rms[0];
}

/* Elements list[begin] to list[end - 1]. */
static __attribute__((noinline)) void pl_some(const int pl_begin, const int pl_end, const int *restrict pl_list,
    const double *restrict dat_qold,
    double *restrict dat_q,
    double *restrict dat_res,
    const double *restrict dat_adt,
    double *restrict result_rms)
{
  double sum_rms[1];
  sum_rms[0] = result_rms[0];
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_list[pl_n];
    const double *const qold = &dat_qold[4 * pl_e + 0];
    double *const q = &dat_q[4 * pl_e + 0];
    double *const res = &dat_res[4 * pl_e + 0];
    const double *const adt = &dat_adt[pl_e];
    double rms[1];
    rms[0] = -0.0;
    update((const double *)qold, (double *)q, (double *)res, (const double *)adt, (double *)rms);
    sum_rms[0] += rms[0];
  }
  result_rms[0] = sum_rms[0];
}

void pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)
{
  (void)pl_args;
  if (pl_list)
    pl_some(pl_begin, pl_end, pl_list, (double *)pl_args[0], (double *)pl_args[1], (double *)pl_args[2], (double *)pl_args[3], (double *)pl_args[4]);
  else
    pl_range(pl_begin, pl_end, (double *)pl_args[0], (double *)pl_args[1], (double *)pl_args[2], (double *)pl_args[3], (double *)pl_args[4]);
}
