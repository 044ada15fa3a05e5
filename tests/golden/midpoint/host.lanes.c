
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
    double *restrict dat_middle,
    const double *restrict dat_x,
    const int *restrict map0)
{
  int pl_n = pl_begin;
  for (; pl_n + 8 <= pl_end; pl_n += 8) {
    PL_LANES
    for (int pl_l = 0; pl_l < PL_COUNT(8); pl_l++) {
      const int pl_e = pl_n + pl_l;
      (void)pl_e;
      const int target0_0 = map0[4 * pl_e + 0];
      const int target0_1 = map0[4 * pl_e + 1];
      const int target0_2 = map0[4 * pl_e + 2];
      const int target0_3 = map0[4 * pl_e + 3];
      double middle[4];
      middle[0] = 0;
      middle[1] = 0;
      middle[2] = 0;
      middle[3] = 0;
      double x[4][2];
      x[0][0] = dat_x[2 * target0_0 + 0];
      x[0][1] = dat_x[2 * target0_0 + 1];
      x[1][0] = dat_x[2 * target0_1 + 0];
      x[1][1] = dat_x[2 * target0_1 + 1];
      x[2][0] = dat_x[2 * target0_2 + 0];
      x[2][1] = dat_x[2 * target0_2 + 1];
      x[3][0] = dat_x[2 * target0_3 + 0];
      x[3][1] = dat_x[2 * target0_3 + 1];
      midpoint((double *)middle, (const double (*)[2])x);
      dat_middle[4 * pl_e + 0] = middle[0];
      dat_middle[4 * pl_e + 1] = middle[1];
      dat_middle[4 * pl_e + 2] = middle[2];
      dat_middle[4 * pl_e + 3] = middle[3];
    }
  }
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_n;
    const int target0_0 = map0[4 * pl_e + 0];
    const int target0_1 = map0[4 * pl_e + 1];
    const int target0_2 = map0[4 * pl_e + 2];
    const int target0_3 = map0[4 * pl_e + 3];
    double middle[4];
    middle[0] = 0;
    middle[1] = 0;
    middle[2] = 0;
    middle[3] = 0;
    double x[4][2];
    x[0][0] = dat_x[2 * target0_0 + 0];
    x[0][1] = dat_x[2 * target0_0 + 1];
    x[1][0] = dat_x[2 * target0_1 + 0];
    x[1][1] = dat_x[2 * target0_1 + 1];
    x[2][0] = dat_x[2 * target0_2 + 0];
    x[2][1] = dat_x[2 * target0_2 + 1];
    x[3][0] = dat_x[2 * target0_3 + 0];
    x[3][1] = dat_x[2 * target0_3 + 1];
    midpoint((double *)middle, (const double (*)[2])x);
    dat_middle[4 * pl_e + 0] = middle[0];
    dat_middle[4 * pl_e + 1] = middle[1];
    dat_middle[4 * pl_e + 2] = middle[2];
    dat_middle[4 * pl_e + 3] = middle[3];
  }
}

/* Elements list[begin] to list[end - 1]. */
static __attribute__((noinline)) void pl_some(const int pl_begin, const int pl_end, const int *restrict pl_list,
    double *restrict dat_middle,
    const double *restrict dat_x,
    const int *restrict map0)
{
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_list[pl_n];
    const int target0_0 = map0[4 * pl_e + 0];
    const int target0_1 = map0[4 * pl_e + 1];
    const int target0_2 = map0[4 * pl_e + 2];
    const int target0_3 = map0[4 * pl_e + 3];
    double middle[4];
    middle[0] = 0;
    middle[1] = 0;
    middle[2] = 0;
    middle[3] = 0;
    double x[4][2];
    x[0][0] = dat_x[2 * target0_0 + 0];
    x[0][1] = dat_x[2 * target0_0 + 1];
    x[1][0] = dat_x[2 * target0_1 + 0];
    x[1][1] = dat_x[2 * target0_1 + 1];
    x[2][0] = dat_x[2 * target0_2 + 0];
    x[2][1] = dat_x[2 * target0_2 + 1];
    x[3][0] = dat_x[2 * target0_3 + 0];
    x[3][1] = dat_x[2 * target0_3 + 1];
    midpoint((double *)middle, (const double (*)[2])x);
    dat_middle[4 * pl_e + 0] = middle[0];
    dat_middle[4 * pl_e + 1] = middle[1];
    dat_middle[4 * pl_e + 2] = middle[2];
    dat_middle[4 * pl_e + 3] = middle[3];
  }
}

void pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)
{
  (void)pl_args;
  if (pl_list)
    pl_some(pl_begin, pl_end, pl_list, (double *)pl_args[0], (double *)pl_args[1], (int *)pl_args[2]);
  else
    pl_range(pl_begin, pl_end, (double *)pl_args[0], (double *)pl_args[1], (int *)pl_args[2]);
}
