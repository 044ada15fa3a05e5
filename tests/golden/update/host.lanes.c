
/* A lane loop must reach the vectoriser as a loop and be replaced there. gcc would unroll it before without "unroll 1". clang
 * would do so too, but cannot see the number of lanes until then: __builtin_constant_p of an expression that is not constant
 * is decided after vectorisation. A loop with a pragma against unrolling stays, and with it the lane buffers in memory. */
#ifdef __clang__
#define PL_LANES _Pragma("clang loop vectorize(assume_safety)")
#define PL_COUNT(n) (__builtin_constant_p(pl_n) ? pl_end : (n))
#else
#define PL_LANES _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#define PL_COUNT(n) (n)
#endif

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
  double lanes_rms[1][8];
  for (int pl_c = 0; pl_c < 1; pl_c++)
    for (int pl_l = 0; pl_l < 8; pl_l++) lanes_rms[pl_c][pl_l] = -0.0;
  for (; pl_n + 8 <= pl_end; pl_n += 8) {
    PL_LANES
    for (int pl_l = 0; pl_l < PL_COUNT(8); pl_l++) {
      const int pl_e = pl_n + pl_l;
      (void)pl_e;
      double qold[4];
      qold[0] = dat_qold[4 * pl_e + 0];
      qold[1] = dat_qold[4 * pl_e + 1];
      qold[2] = dat_qold[4 * pl_e + 2];
      qold[3] = dat_qold[4 * pl_e + 3];
      double q[4];
      q[0] = 0;
      q[1] = 0;
      q[2] = 0;
      q[3] = 0;
      double res[4];
      res[0] = dat_res[4 * pl_e + 0];
      res[1] = dat_res[4 * pl_e + 1];
      res[2] = dat_res[4 * pl_e + 2];
      res[3] = dat_res[4 * pl_e + 3];
      double adt[1];
      adt[0] = dat_adt[pl_e];
      double rms[1];
      rms[0] = -0.0;
      update((const double *)qold, (double *)q, (double *)res, (const double *)adt, (double *)rms);
      dat_q[4 * pl_e + 0] = q[0];
      dat_q[4 * pl_e + 1] = q[1];
      dat_q[4 * pl_e + 2] = q[2];
      dat_q[4 * pl_e + 3] = q[3];
      dat_res[4 * pl_e + 0] = res[0];
      dat_res[4 * pl_e + 1] = res[1];
      dat_res[4 * pl_e + 2] = res[2];
      dat_res[4 * pl_e + 3] = res[3];
      lanes_rms[0][pl_l] += rms[0];
    }
  }
  for (int pl_c = 0; pl_c < 1; pl_c++)
    for (int pl_l = 0; pl_l < 8; pl_l++) {
      sum_rms[pl_c] += lanes_rms[pl_c][pl_l];
    }
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_n;
    double qold[4];
    qold[0] = dat_qold[4 * pl_e + 0];
    qold[1] = dat_qold[4 * pl_e + 1];
    qold[2] = dat_qold[4 * pl_e + 2];
    qold[3] = dat_qold[4 * pl_e + 3];
    double q[4];
    q[0] = 0;
    q[1] = 0;
    q[2] = 0;
    q[3] = 0;
    double res[4];
    res[0] = dat_res[4 * pl_e + 0];
    res[1] = dat_res[4 * pl_e + 1];
    res[2] = dat_res[4 * pl_e + 2];
    res[3] = dat_res[4 * pl_e + 3];
    double adt[1];
    adt[0] = dat_adt[pl_e];
    double rms[1];
    rms[0] = -0.0;
    update((const double *)qold, (double *)q, (double *)res, (const double *)adt, (double *)rms);
    dat_q[4 * pl_e + 0] = q[0];
    dat_q[4 * pl_e + 1] = q[1];
    dat_q[4 * pl_e + 2] = q[2];
    dat_q[4 * pl_e + 3] = q[3];
    dat_res[4 * pl_e + 0] = res[0];
    dat_res[4 * pl_e + 1] = res[1];
    dat_res[4 * pl_e + 2] = res[2];
    dat_res[4 * pl_e + 3] = res[3];
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
    double qold[4];
    qold[0] = dat_qold[4 * pl_e + 0];
    qold[1] = dat_qold[4 * pl_e + 1];
    qold[2] = dat_qold[4 * pl_e + 2];
    qold[3] = dat_qold[4 * pl_e + 3];
    double q[4];
    q[0] = 0;
    q[1] = 0;
    q[2] = 0;
    q[3] = 0;
    double res[4];
    res[0] = dat_res[4 * pl_e + 0];
    res[1] = dat_res[4 * pl_e + 1];
    res[2] = dat_res[4 * pl_e + 2];
    res[3] = dat_res[4 * pl_e + 3];
    double adt[1];
    adt[0] = dat_adt[pl_e];
    double rms[1];
    rms[0] = -0.0;
    update((const double *)qold, (double *)q, (double *)res, (const double *)adt, (double *)rms);
    dat_q[4 * pl_e + 0] = q[0];
    dat_q[4 * pl_e + 1] = q[1];
    dat_q[4 * pl_e + 2] = q[2];
    dat_q[4 * pl_e + 3] = q[3];
    dat_res[4 * pl_e + 0] = res[0];
    dat_res[4 * pl_e + 1] = res[1];
    dat_res[4 * pl_e + 2] = res[2];
    dat_res[4 * pl_e + 3] = res[3];
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
