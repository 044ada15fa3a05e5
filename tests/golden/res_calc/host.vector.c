
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

/* Moves of 8-byte values of 4 lanes. IN: the records r0, r1, ... become the lane buffers b0, b1, ...; two records enter as
 * halves of a longer vector, so that one half is loaded in place (gcc needs the builtin). OUT: the way back, into vectors s_0,
 * s_1, ... that each hold the pieces of one lane or more, as the table all_moves says. */
#define PL_VECTORS_8X4(T) \
  typedef T pl_p2_##T __attribute__((vector_size(16), aligned(8), may_alias)); \
  typedef T pl_p4_##T __attribute__((vector_size(32), aligned(8), may_alias));
#if defined(__AVX__) && !defined(__clang__)
typedef double pl_d2 __attribute__((vector_size(16), aligned(8), may_alias));
#define PL_PAIRS(T, r, s) ((pl_p4_##T)__builtin_ia32_vinsertf128_pd256(__builtin_ia32_pd256_pd(*(const pl_d2 *)(r)), *(const pl_d2 *)(s), 1))
#else
#define PL_PAIRS(T, r, s) __builtin_shufflevector(*(const pl_p2_##T *)(r), *(const pl_p2_##T *)(s), 0, 1, 2, 3)
#endif
#define PL_IN_8_2X4(T, r0, r1, r2, r3, b0, b1) do { \
  const pl_lanes_##T p = PL_PAIRS(T, r0, r2), q = PL_PAIRS(T, r1, r3); \
  *(pl_lanes_##T *)(b0) = __builtin_shufflevector(p, q, 0, 4, 2, 6); \
  *(pl_lanes_##T *)(b1) = __builtin_shufflevector(p, q, 1, 5, 3, 7); } while (0)
#define PL_IN_8_4X4(T, r0, r1, r2, r3, b0, b1, b2, b3) do { \
  const pl_p4_##T p = *(const pl_p4_##T *)(r0), q = *(const pl_p4_##T *)(r1), r = *(const pl_p4_##T *)(r2), \
    s = *(const pl_p4_##T *)(r3); \
  const pl_p4_##T t = __builtin_shufflevector(p, q, 0, 4, 2, 6), u = __builtin_shufflevector(r, s, 0, 4, 2, 6), \
    v = __builtin_shufflevector(p, q, 1, 5, 3, 7), w = __builtin_shufflevector(r, s, 1, 5, 3, 7); \
  *(pl_lanes_##T *)(b0) = __builtin_shufflevector(t, u, 0, 1, 4, 5); \
  *(pl_lanes_##T *)(b1) = __builtin_shufflevector(v, w, 0, 1, 4, 5); \
  *(pl_lanes_##T *)(b2) = __builtin_shufflevector(t, u, 2, 3, 6, 7); \
  *(pl_lanes_##T *)(b3) = __builtin_shufflevector(v, w, 2, 3, 6, 7); } while (0)
#define PL_OUT_8_2X4(T, s, b0, b1) \
  const pl_lanes_##T s##_0 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 0, 4, 2, 6); \
  const pl_lanes_##T s##_1 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 1, 5, 3, 7)
#define PL_OUT_8_4X4(T, s, b0, b1, b2, b3) \
  PL_OUT_8_2X4(T, s##_l, b0, b1); PL_OUT_8_2X4(T, s##_h, b2, b3); \
  const pl_lanes_##T s##_0 = __builtin_shufflevector(s##_l_0, s##_h_0, 0, 1, 4, 5), \
    s##_1 = __builtin_shufflevector(s##_l_1, s##_h_1, 0, 1, 4, 5), \
    s##_2 = __builtin_shufflevector(s##_l_0, s##_h_0, 2, 3, 6, 7), \
    s##_3 = __builtin_shufflevector(s##_l_1, s##_h_1, 2, 3, 6, 7)
/* Moves of 8-byte values of 8 lanes. p and q hold 16-byte pieces of the records r0, r2, r4, r6 and r1, r3, r5, r7, or
 * 32-byte pieces of half of them. */
#define PL_VECTORS_8X8(T) PL_VECTORS_8X4(T)
#define PL_JOIN_8(v, w) __builtin_shufflevector(v, w, 0, 1, 2, 3, 4, 5, 6, 7)
#define PL_EVEN_8(v, w) __builtin_shufflevector(v, w, 0, 8, 2, 10, 4, 12, 6, 14)
#define PL_ODD_8(v, w) __builtin_shufflevector(v, w, 1, 9, 3, 11, 5, 13, 7, 15)
#define PL_LOW_8(v, w) __builtin_shufflevector(v, w, 0, 1, 4, 5, 8, 9, 12, 13)
#define PL_HIGH_8(v, w) __builtin_shufflevector(v, w, 2, 3, 6, 7, 10, 11, 14, 15)
#define PL_FIRST_8(v, w) __builtin_shufflevector(v, w, 0, 1, 8, 9, 4, 5, 12, 13)
#define PL_LAST_8(v, w) __builtin_shufflevector(v, w, 2, 3, 10, 11, 6, 7, 14, 15)
#define PL_FOURS(T, r, s) PL_JOIN_8(*(const pl_p4_##T *)(r), *(const pl_p4_##T *)(s))
#define PL_IN_8_2X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1) do { \
  const pl_lanes_##T p = PL_JOIN_8(PL_PAIRS(T, r0, r2), PL_PAIRS(T, r4, r6)); \
  const pl_lanes_##T q = PL_JOIN_8(PL_PAIRS(T, r1, r3), PL_PAIRS(T, r5, r7)); \
  *(pl_lanes_##T *)(b0) = PL_EVEN_8(p, q); *(pl_lanes_##T *)(b1) = PL_ODD_8(p, q); } while (0)
#define PL_IN_8_4X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1, b2, b3) do { \
  const pl_lanes_##T p = PL_FOURS(T, r0, r2), q = PL_FOURS(T, r1, r3), r = PL_FOURS(T, r4, r6), s = PL_FOURS(T, r5, r7); \
  const pl_lanes_##T t = PL_EVEN_8(p, q), u = PL_EVEN_8(r, s), v = PL_ODD_8(p, q), w = PL_ODD_8(r, s); \
  *(pl_lanes_##T *)(b0) = PL_LOW_8(t, u); *(pl_lanes_##T *)(b1) = PL_LOW_8(v, w); \
  *(pl_lanes_##T *)(b2) = PL_HIGH_8(t, u); *(pl_lanes_##T *)(b3) = PL_HIGH_8(v, w); } while (0)
#define PL_OUT_8_2X8(T, s, b0, b1) \
  const pl_lanes_##T s##_0 = PL_EVEN_8(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1)), \
    s##_1 = PL_ODD_8(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1))
#define PL_OUT_8_4X8(T, s, b0, b1, b2, b3) \
  PL_OUT_8_2X8(T, s##_l, b0, b1); PL_OUT_8_2X8(T, s##_h, b2, b3); \
  const pl_lanes_##T s##_0 = PL_FIRST_8(s##_l_0, s##_h_0), s##_1 = PL_FIRST_8(s##_l_1, s##_h_1), \
    s##_2 = PL_LAST_8(s##_l_0, s##_h_0), s##_3 = PL_LAST_8(s##_l_1, s##_h_1)
typedef double pl_lanes_double __attribute__((vector_size(64), may_alias));
PL_VECTORS_8X8(double)

/* Elements begin to end - 1. */
static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end,
    const double *restrict dat_x,
    const int *restrict map0,
    const double *restrict dat_q,
    const int *restrict map1,
    const double *restrict dat_adt,
    double *restrict dat_res,
    const struct pl_consts *restrict pl_consts)
{
  const struct pl_consts pl_k = *pl_consts;
  int pl_n = pl_begin;
  for (; pl_n + 8 <= pl_end; pl_n += 8) {
    const ptrdiff_t pl_g = pl_n; /* places are computed in the width of pointers */
    const ptrdiff_t target0_0[8] = {map0[2 * (pl_g + 0) + 0], map0[2 * (pl_g + 1) + 0], map0[2 * (pl_g + 2) + 0], map0[2 * (pl_g + 3) + 0], map0[2 * (pl_g + 4) + 0], map0[2 * (pl_g + 5) + 0], map0[2 * (pl_g + 6) + 0], map0[2 * (pl_g + 7) + 0]};
    const ptrdiff_t target0_1[8] = {map0[2 * (pl_g + 0) + 1], map0[2 * (pl_g + 1) + 1], map0[2 * (pl_g + 2) + 1], map0[2 * (pl_g + 3) + 1], map0[2 * (pl_g + 4) + 1], map0[2 * (pl_g + 5) + 1], map0[2 * (pl_g + 6) + 1], map0[2 * (pl_g + 7) + 1]};
    const ptrdiff_t target1_0[8] = {map1[2 * (pl_g + 0) + 0], map1[2 * (pl_g + 1) + 0], map1[2 * (pl_g + 2) + 0], map1[2 * (pl_g + 3) + 0], map1[2 * (pl_g + 4) + 0], map1[2 * (pl_g + 5) + 0], map1[2 * (pl_g + 6) + 0], map1[2 * (pl_g + 7) + 0]};
    const ptrdiff_t target1_1[8] = {map1[2 * (pl_g + 0) + 1], map1[2 * (pl_g + 1) + 1], map1[2 * (pl_g + 2) + 1], map1[2 * (pl_g + 3) + 1], map1[2 * (pl_g + 4) + 1], map1[2 * (pl_g + 5) + 1], map1[2 * (pl_g + 6) + 1], map1[2 * (pl_g + 7) + 1]};
    pl_vector x1[2];
    pl_vector x2[2];
    pl_vector q1[4];
    pl_vector q2[4];
    pl_vector adt1[1];
    pl_vector adt2[1];
    pl_vector res1[4];
    for (int pl_c = 0; pl_c < 4; pl_c++) ((pl_vector *)res1)[pl_c] = -(pl_vector){0};
    pl_vector res2[4];
    for (int pl_c = 0; pl_c < 4; pl_c++) ((pl_vector *)res2)[pl_c] = -(pl_vector){0};
    double (*const lanes_x1)[8] = (double (*)[8])x1;
    PL_IN_8_2X8(double, &dat_x[2 * target0_0[0] + 0], &dat_x[2 * target0_0[1] + 0], &dat_x[2 * target0_0[2] + 0], &dat_x[2 * target0_0[3] + 0], &dat_x[2 * target0_0[4] + 0], &dat_x[2 * target0_0[5] + 0], &dat_x[2 * target0_0[6] + 0], &dat_x[2 * target0_0[7] + 0], lanes_x1[0], lanes_x1[1]);
    double (*const lanes_x2)[8] = (double (*)[8])x2;
    PL_IN_8_2X8(double, &dat_x[2 * target0_1[0] + 0], &dat_x[2 * target0_1[1] + 0], &dat_x[2 * target0_1[2] + 0], &dat_x[2 * target0_1[3] + 0], &dat_x[2 * target0_1[4] + 0], &dat_x[2 * target0_1[5] + 0], &dat_x[2 * target0_1[6] + 0], &dat_x[2 * target0_1[7] + 0], lanes_x2[0], lanes_x2[1]);
    double (*const lanes_q1)[8] = (double (*)[8])q1;
    PL_IN_8_4X8(double, &dat_q[4 * target1_0[0] + 0], &dat_q[4 * target1_0[1] + 0], &dat_q[4 * target1_0[2] + 0], &dat_q[4 * target1_0[3] + 0], &dat_q[4 * target1_0[4] + 0], &dat_q[4 * target1_0[5] + 0], &dat_q[4 * target1_0[6] + 0], &dat_q[4 * target1_0[7] + 0], lanes_q1[0], lanes_q1[1], lanes_q1[2], lanes_q1[3]);
    double (*const lanes_q2)[8] = (double (*)[8])q2;
    PL_IN_8_4X8(double, &dat_q[4 * target1_1[0] + 0], &dat_q[4 * target1_1[1] + 0], &dat_q[4 * target1_1[2] + 0], &dat_q[4 * target1_1[3] + 0], &dat_q[4 * target1_1[4] + 0], &dat_q[4 * target1_1[5] + 0], &dat_q[4 * target1_1[6] + 0], &dat_q[4 * target1_1[7] + 0], lanes_q2[0], lanes_q2[1], lanes_q2[2], lanes_q2[3]);
    double (*const lanes_adt1)[8] = (double (*)[8])adt1;
    *(pl_lanes_double *)lanes_adt1[0] = (pl_lanes_double){dat_adt[target1_0[0]], dat_adt[target1_0[1]], dat_adt[target1_0[2]], dat_adt[target1_0[3]], dat_adt[target1_0[4]], dat_adt[target1_0[5]], dat_adt[target1_0[6]], dat_adt[target1_0[7]]};
    double (*const lanes_adt2)[8] = (double (*)[8])adt2;
    *(pl_lanes_double *)lanes_adt2[0] = (pl_lanes_double){dat_adt[target1_1[0]], dat_adt[target1_1[1]], dat_adt[target1_1[2]], dat_adt[target1_1[3]], dat_adt[target1_1[4]], dat_adt[target1_1[5]], dat_adt[target1_1[6]], dat_adt[target1_1[7]]};
    double (*const lanes_res1)[8] = (double (*)[8])res1;
    double (*const lanes_res2)[8] = (double (*)[8])res2;
    pl_vector_res_calc(&pl_k, (const pl_vector *)x1, (const pl_vector *)x2, (const pl_vector *)q1, (const pl_vector *)q2, (const pl_vector *)adt1, (const pl_vector *)adt2, (pl_vector *)res1, (pl_vector *)res2);
    PL_OUT_8_4X8(double, out_res1_0, lanes_res1[0], lanes_res1[1], lanes_res1[2], lanes_res1[3]);
    (void)lanes_res2;
    {
      double *const pl_to = &dat_res[4 * target1_0[0] + 0];
      *(pl_p4_double *)&pl_to[0] += __builtin_shufflevector(out_res1_0_0, out_res1_0_0, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_res[4 * target1_1[0] + 0];
      *(pl_p4_double *)&pl_to[0] -= __builtin_shufflevector(out_res1_0_0, out_res1_0_0, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_res[4 * target1_0[1] + 0];
      *(pl_p4_double *)&pl_to[0] += __builtin_shufflevector(out_res1_0_1, out_res1_0_1, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_res[4 * target1_1[1] + 0];
      *(pl_p4_double *)&pl_to[0] -= __builtin_shufflevector(out_res1_0_1, out_res1_0_1, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_res[4 * target1_0[2] + 0];
      *(pl_p4_double *)&pl_to[0] += __builtin_shufflevector(out_res1_0_2, out_res1_0_2, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_res[4 * target1_1[2] + 0];
      *(pl_p4_double *)&pl_to[0] -= __builtin_shufflevector(out_res1_0_2, out_res1_0_2, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_res[4 * target1_0[3] + 0];
      *(pl_p4_double *)&pl_to[0] += __builtin_shufflevector(out_res1_0_3, out_res1_0_3, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_res[4 * target1_1[3] + 0];
      *(pl_p4_double *)&pl_to[0] -= __builtin_shufflevector(out_res1_0_3, out_res1_0_3, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_res[4 * target1_0[4] + 0];
      *(pl_p4_double *)&pl_to[0] += __builtin_shufflevector(out_res1_0_0, out_res1_0_0, 4, 5, 6, 7);
    }
    {
      double *const pl_to = &dat_res[4 * target1_1[4] + 0];
      *(pl_p4_double *)&pl_to[0] -= __builtin_shufflevector(out_res1_0_0, out_res1_0_0, 4, 5, 6, 7);
    }
    {
      double *const pl_to = &dat_res[4 * target1_0[5] + 0];
      *(pl_p4_double *)&pl_to[0] += __builtin_shufflevector(out_res1_0_1, out_res1_0_1, 4, 5, 6, 7);
    }
    {
      double *const pl_to = &dat_res[4 * target1_1[5] + 0];
      *(pl_p4_double *)&pl_to[0] -= __builtin_shufflevector(out_res1_0_1, out_res1_0_1, 4, 5, 6, 7);
    }
    {
      double *const pl_to = &dat_res[4 * target1_0[6] + 0];
      *(pl_p4_double *)&pl_to[0] += __builtin_shufflevector(out_res1_0_2, out_res1_0_2, 4, 5, 6, 7);
    }
    {
      double *const pl_to = &dat_res[4 * target1_1[6] + 0];
      *(pl_p4_double *)&pl_to[0] -= __builtin_shufflevector(out_res1_0_2, out_res1_0_2, 4, 5, 6, 7);
    }
    {
      double *const pl_to = &dat_res[4 * target1_0[7] + 0];
      *(pl_p4_double *)&pl_to[0] += __builtin_shufflevector(out_res1_0_3, out_res1_0_3, 4, 5, 6, 7);
    }
    {
      double *const pl_to = &dat_res[4 * target1_1[7] + 0];
      *(pl_p4_double *)&pl_to[0] -= __builtin_shufflevector(out_res1_0_3, out_res1_0_3, 4, 5, 6, 7);
    }
  }
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_n;
    const int target0_0 = map0[2 * pl_e + 0];
    const int target0_1 = map0[2 * pl_e + 1];
    const int target1_0 = map1[2 * pl_e + 0];
    const int target1_1 = map1[2 * pl_e + 1];
    double x1[2];
    x1[0] = dat_x[2 * target0_0 + 0];
    x1[1] = dat_x[2 * target0_0 + 1];
    double x2[2];
    x2[0] = dat_x[2 * target0_1 + 0];
    x2[1] = dat_x[2 * target0_1 + 1];
    double q1[4];
    q1[0] = dat_q[4 * target1_0 + 0];
    q1[1] = dat_q[4 * target1_0 + 1];
    q1[2] = dat_q[4 * target1_0 + 2];
    q1[3] = dat_q[4 * target1_0 + 3];
    double q2[4];
    q2[0] = dat_q[4 * target1_1 + 0];
    q2[1] = dat_q[4 * target1_1 + 1];
    q2[2] = dat_q[4 * target1_1 + 2];
    q2[3] = dat_q[4 * target1_1 + 3];
    double adt1[1];
    adt1[0] = dat_adt[target1_0];
    double adt2[1];
    adt2[0] = dat_adt[target1_1];
    double res1[4];
    res1[0] = -0.0;
    res1[1] = -0.0;
    res1[2] = -0.0;
    res1[3] = -0.0;
    double res2[4];
    res2[0] = -0.0;
    res2[1] = -0.0;
    res2[2] = -0.0;
    res2[3] = -0.0;
    res_calc(&pl_k, (const double *)x1, (const double *)x2, (const double *)q1, (const double *)q2, (const double *)adt1, (const double *)adt2, (double *)res1, (double *)res2);
    dat_res[4 * target1_0 + 0] += res1[0];
    dat_res[4 * target1_0 + 1] += res1[1];
    dat_res[4 * target1_0 + 2] += res1[2];
    dat_res[4 * target1_0 + 3] += res1[3];
    dat_res[4 * target1_1 + 0] += res2[0];
    dat_res[4 * target1_1 + 1] += res2[1];
    dat_res[4 * target1_1 + 2] += res2[2];
    dat_res[4 * target1_1 + 3] += res2[3];
  }
}

/* Elements list[begin] to list[end - 1]. */
static __attribute__((noinline)) void pl_some(const int pl_begin, const int pl_end, const int *restrict pl_list,
    const double *restrict dat_x,
    const int *restrict map0,
    const double *restrict dat_q,
    const int *restrict map1,
    const double *restrict dat_adt,
    double *restrict dat_res,
    const struct pl_consts *restrict pl_consts)
{
  const struct pl_consts pl_k = *pl_consts;
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_list[pl_n];
    const int target0_0 = map0[2 * pl_e + 0];
    const int target0_1 = map0[2 * pl_e + 1];
    const int target1_0 = map1[2 * pl_e + 0];
    const int target1_1 = map1[2 * pl_e + 1];
    double x1[2];
    x1[0] = dat_x[2 * target0_0 + 0];
    x1[1] = dat_x[2 * target0_0 + 1];
    double x2[2];
    x2[0] = dat_x[2 * target0_1 + 0];
    x2[1] = dat_x[2 * target0_1 + 1];
    double q1[4];
    q1[0] = dat_q[4 * target1_0 + 0];
    q1[1] = dat_q[4 * target1_0 + 1];
    q1[2] = dat_q[4 * target1_0 + 2];
    q1[3] = dat_q[4 * target1_0 + 3];
    double q2[4];
    q2[0] = dat_q[4 * target1_1 + 0];
    q2[1] = dat_q[4 * target1_1 + 1];
    q2[2] = dat_q[4 * target1_1 + 2];
    q2[3] = dat_q[4 * target1_1 + 3];
    double adt1[1];
    adt1[0] = dat_adt[target1_0];
    double adt2[1];
    adt2[0] = dat_adt[target1_1];
    double res1[4];
    res1[0] = -0.0;
    res1[1] = -0.0;
    res1[2] = -0.0;
    res1[3] = -0.0;
    double res2[4];
    res2[0] = -0.0;
    res2[1] = -0.0;
    res2[2] = -0.0;
    res2[3] = -0.0;
    res_calc(&pl_k, (const double *)x1, (const double *)x2, (const double *)q1, (const double *)q2, (const double *)adt1, (const double *)adt2, (double *)res1, (double *)res2);
    dat_res[4 * target1_0 + 0] += res1[0];
    dat_res[4 * target1_0 + 1] += res1[1];
    dat_res[4 * target1_0 + 2] += res1[2];
    dat_res[4 * target1_0 + 3] += res1[3];
    dat_res[4 * target1_1 + 0] += res2[0];
    dat_res[4 * target1_1 + 1] += res2[1];
    dat_res[4 * target1_1 + 2] += res2[2];
    dat_res[4 * target1_1 + 3] += res2[3];
  }
}

void pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)
{
  (void)pl_args;
  if (pl_list)
    pl_some(pl_begin, pl_end, pl_list, (double *)pl_args[0], (int *)pl_args[1], (double *)pl_args[2], (int *)pl_args[3], (double *)pl_args[4], (double *)pl_args[5], (struct pl_consts *)pl_args[6]);
  else
    pl_range(pl_begin, pl_end, (double *)pl_args[0], (int *)pl_args[1], (double *)pl_args[2], (int *)pl_args[3], (double *)pl_args[4], (double *)pl_args[5], (struct pl_consts *)pl_args[6]);
}
