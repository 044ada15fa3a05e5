
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

/* Stores past the caches, of aligned vectors; gcc has one for each width, for others they are plain. */
#define PL_STREAM_TYPES(T) \
  typedef T pl_half_##T __attribute__((vector_size(16), may_alias)); \
  typedef T pl_whole_##T __attribute__((vector_size(32), may_alias));
#ifdef __clang__
#define PL_STREAM_32(T, p, v) __builtin_nontemporal_store(v, (pl_whole_##T *)(p))
#define PL_STREAM_16(T, p, v) __builtin_nontemporal_store(v, (pl_half_##T *)(p))
#elif defined(__AVX__)
#define PL_STREAM_32(T, p, v) __builtin_ia32_movntps256((float *)(p), (pl_f8)(v))
#else
#define PL_STREAM_32(T, p, v) (*(pl_whole_##T *)(p) = (v))
#endif
#if !defined(__clang__) && defined(__SSE__)
#define PL_STREAM_16(T, p, v) __builtin_ia32_movntps((float *)(p), (pl_f4)(v))
#elif !defined(__clang__)
#define PL_STREAM_16(T, p, v) (*(pl_half_##T *)(p) = (v))
#endif
#ifdef __SSE__
#define PL_STREAM_END __builtin_ia32_sfence()
#else
#define PL_STREAM_END (void)0
#endif
typedef float pl_f4 __attribute__((vector_size(16))), pl_f8 __attribute__((vector_size(32)));
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
typedef double pl_lanes_double __attribute__((vector_size(32), may_alias));
PL_VECTORS_8X4(double)
PL_STREAM_TYPES(double)

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
  double lanes_rms[1][4];
  for (int pl_c = 0; pl_c < 1; pl_c++)
    for (int pl_l = 0; pl_l < 4; pl_l++) lanes_rms[pl_c][pl_l] = -0.0;
  for (; pl_n + 4 <= pl_end; pl_n += 4) {
    const ptrdiff_t pl_g = pl_n; /* places are computed in the width of pointers */
    for (int pl_b = 0; pl_b < 128; pl_b += 64) __builtin_prefetch((const char *)&dat_qold[4 * (pl_g + 0) + 0] + 2048 + pl_b);
    for (int pl_b = 0; pl_b < 128; pl_b += 64) __builtin_prefetch((const char *)&dat_res[4 * (pl_g + 0) + 0] + 2048 + pl_b);
    double lanes_qold[4][4] __attribute__((aligned(32)));
    PL_IN_8_4X4(double, &dat_qold[4 * (pl_g + 0) + 0], &dat_qold[4 * (pl_g + 1) + 0], &dat_qold[4 * (pl_g + 2) + 0], &dat_qold[4 * (pl_g + 3) + 0], lanes_qold[0], lanes_qold[1], lanes_qold[2], lanes_qold[3]);
    double lanes_q[4][4] __attribute__((aligned(32)));
    double lanes_res[4][4] __attribute__((aligned(32)));
    PL_IN_8_4X4(double, &dat_res[4 * (pl_g + 0) + 0], &dat_res[4 * (pl_g + 1) + 0], &dat_res[4 * (pl_g + 2) + 0], &dat_res[4 * (pl_g + 3) + 0], lanes_res[0], lanes_res[1], lanes_res[2], lanes_res[3]);
    PL_LANES
    for (int pl_l = 0; pl_l < PL_COUNT(4); pl_l++) {
      const int pl_e = pl_n + pl_l;
      (void)pl_e;
      double qold[4];
      qold[0] = lanes_qold[0][pl_l];
      qold[1] = lanes_qold[1][pl_l];
      qold[2] = lanes_qold[2][pl_l];
      qold[3] = lanes_qold[3][pl_l];
      double q[4];
      q[0] = 0;
      q[1] = 0;
      q[2] = 0;
      q[3] = 0;
      double res[4];
      res[0] = lanes_res[0][pl_l];
      res[1] = lanes_res[1][pl_l];
      res[2] = lanes_res[2][pl_l];
      res[3] = lanes_res[3][pl_l];
      double adt[1];
      adt[0] = dat_adt[pl_e];
      double rms[1];
      rms[0] = -0.0;
      update((const double *)qold, (double *)q, (double *)res, (const double *)adt, (double *)rms);
      lanes_q[0][pl_l] = q[0];
      lanes_q[1][pl_l] = q[1];
      lanes_q[2][pl_l] = q[2];
      lanes_q[3][pl_l] = q[3];
      lanes_res[0][pl_l] = res[0];
      lanes_res[1][pl_l] = res[1];
      lanes_res[2][pl_l] = res[2];
      lanes_res[3][pl_l] = res[3];
      lanes_rms[0][pl_l] += rms[0];
    }
    PL_OUT_8_4X4(double, out_q_0, lanes_q[0], lanes_q[1], lanes_q[2], lanes_q[3]);
    PL_OUT_8_4X4(double, out_res_0, lanes_res[0], lanes_res[1], lanes_res[2], lanes_res[3]);
    {
      double *const pl_to = &dat_q[4 * (pl_g + 0) + 0];
      PL_STREAM_32(double, &pl_to[0], __builtin_shufflevector(out_q_0_0, out_q_0_0, 0, 1, 2, 3));
    }
    {
      double *const pl_to = &dat_res[4 * (pl_g + 0) + 0];
      *(pl_p4_double *)&pl_to[0] = __builtin_shufflevector(out_res_0_0, out_res_0_0, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_q[4 * (pl_g + 1) + 0];
      PL_STREAM_32(double, &pl_to[0], __builtin_shufflevector(out_q_0_1, out_q_0_1, 0, 1, 2, 3));
    }
    {
      double *const pl_to = &dat_res[4 * (pl_g + 1) + 0];
      *(pl_p4_double *)&pl_to[0] = __builtin_shufflevector(out_res_0_1, out_res_0_1, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_q[4 * (pl_g + 2) + 0];
      PL_STREAM_32(double, &pl_to[0], __builtin_shufflevector(out_q_0_2, out_q_0_2, 0, 1, 2, 3));
    }
    {
      double *const pl_to = &dat_res[4 * (pl_g + 2) + 0];
      *(pl_p4_double *)&pl_to[0] = __builtin_shufflevector(out_res_0_2, out_res_0_2, 0, 1, 2, 3);
    }
    {
      double *const pl_to = &dat_q[4 * (pl_g + 3) + 0];
      PL_STREAM_32(double, &pl_to[0], __builtin_shufflevector(out_q_0_3, out_q_0_3, 0, 1, 2, 3));
    }
    {
      double *const pl_to = &dat_res[4 * (pl_g + 3) + 0];
      *(pl_p4_double *)&pl_to[0] = __builtin_shufflevector(out_res_0_3, out_res_0_3, 0, 1, 2, 3);
    }
  }
  for (int pl_c = 0; pl_c < 1; pl_c++)
    for (int pl_l = 0; pl_l < 4; pl_l++) {
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
  PL_STREAM_END;
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
