
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

/* Moves of 4-byte values of 8 lanes. */
#define PL_VECTORS_4X8(T) \
  typedef T pl_p2_##T __attribute__((vector_size(8), aligned(4), may_alias)); \
  typedef T pl_p4_##T __attribute__((vector_size(16), aligned(4), may_alias)); \
  typedef T pl_p8_##T __attribute__((vector_size(32), may_alias));
#if defined(__AVX__) && !defined(__clang__)
typedef float pl_s4 __attribute__((vector_size(16), aligned(4), may_alias));
#define PL_JOIN_4(T, r, s) ((pl_p8_##T)__builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps(*(const pl_s4 *)(r)), *(const pl_s4 *)(s), 1))
#else
#define PL_JOIN_4(T, r, s) __builtin_shufflevector(*(const pl_p4_##T *)(r), *(const pl_p4_##T *)(s), 0, 1, 2, 3, 4, 5, 6, 7)
#endif
#define PL_JOIN_2(T, r, s) __builtin_shufflevector(*(const pl_p2_##T *)(r), *(const pl_p2_##T *)(s), 0, 1, 2, 3)
#define PL_LOW(v, w) __builtin_shufflevector(v, w, 0, 8, 1, 9, 4, 12, 5, 13)
#define PL_HIGH(v, w) __builtin_shufflevector(v, w, 2, 10, 3, 11, 6, 14, 7, 15)
#define PL_EVEN(v, w) __builtin_shufflevector(v, w, 0, 1, 8, 9, 4, 5, 12, 13)
#define PL_ODD(v, w) __builtin_shufflevector(v, w, 2, 3, 10, 11, 6, 7, 14, 15)
#define PL_IN_4_4X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1, b2, b3) do { \
  const pl_lanes_##T p = PL_JOIN_4(T, r0, r4), q = PL_JOIN_4(T, r1, r5), r = PL_JOIN_4(T, r2, r6), s = PL_JOIN_4(T, r3, r7); \
  const pl_lanes_##T t = PL_LOW(p, q), u = PL_LOW(r, s), v = PL_HIGH(p, q), w = PL_HIGH(r, s); \
  *(pl_lanes_##T *)(b0) = PL_EVEN(t, u); *(pl_lanes_##T *)(b1) = PL_ODD(t, u); \
  *(pl_lanes_##T *)(b2) = PL_EVEN(v, w); *(pl_lanes_##T *)(b3) = PL_ODD(v, w); } while (0)
#define PL_IN_4_3X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1, b2) do { \
  pl_lanes_##T dropped; PL_IN_4_4X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1, b2, &dropped); } while (0)
#define PL_OUT_4_4X8(T, s, b0, b1, b2, b3) \
  const pl_lanes_##T s##_t = PL_LOW(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1)), s##_u = PL_LOW(*(pl_lanes_##T *)(b2), *(pl_lanes_##T *)(b3)), \
    s##_v = PL_HIGH(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1)), s##_w = PL_HIGH(*(pl_lanes_##T *)(b2), *(pl_lanes_##T *)(b3)), \
    s##_0 = PL_EVEN(s##_t, s##_u), s##_1 = PL_ODD(s##_t, s##_u), s##_2 = PL_EVEN(s##_v, s##_w), s##_3 = PL_ODD(s##_v, s##_w)
#define PL_IN_4_2X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1) do { \
  const pl_lanes_##T p = __builtin_shufflevector(PL_JOIN_2(T, r0, r1), PL_JOIN_2(T, r2, r3), 0, 1, 2, 3, 4, 5, 6, 7); \
  const pl_lanes_##T q = __builtin_shufflevector(PL_JOIN_2(T, r4, r5), PL_JOIN_2(T, r6, r7), 0, 1, 2, 3, 4, 5, 6, 7); \
  *(pl_lanes_##T *)(b0) = __builtin_shufflevector(p, q, 0, 2, 4, 6, 8, 10, 12, 14); \
  *(pl_lanes_##T *)(b1) = __builtin_shufflevector(p, q, 1, 3, 5, 7, 9, 11, 13, 15); } while (0)
#define PL_OUT_4_2X8(T, s, b0, b1) \
  const pl_lanes_##T s##_0 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 0, 8, 1, 9, 2, 10, 3, 11); \
  const pl_lanes_##T s##_1 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 4, 12, 5, 13, 6, 14, 7, 15)
typedef float pl_lanes_float __attribute__((vector_size(32), may_alias));
PL_VECTORS_4X8(float)

/* Elements begin to end - 1. */
static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end,
    const float *restrict dat_qold,
    float *restrict dat_q,
    float *restrict dat_res,
    const float *restrict dat_adt,
    float *restrict result_rms)
{
  float sum_rms[1];
  sum_rms[0] = result_rms[0];
  int pl_n = pl_begin;
  float lanes_rms[1][8];
  for (int pl_c = 0; pl_c < 1; pl_c++)
    for (int pl_l = 0; pl_l < 8; pl_l++) lanes_rms[pl_c][pl_l] = -0.0f;
  for (; pl_n + 8 <= pl_end; pl_n += 8) {
    const ptrdiff_t pl_g = pl_n; /* places are computed in the width of pointers */
    float lanes_qold[4][8] __attribute__((aligned(32)));
    PL_IN_4_4X8(float, &dat_qold[4 * (pl_g + 0) + 0], &dat_qold[4 * (pl_g + 1) + 0], &dat_qold[4 * (pl_g + 2) + 0], &dat_qold[4 * (pl_g + 3) + 0], &dat_qold[4 * (pl_g + 4) + 0], &dat_qold[4 * (pl_g + 5) + 0], &dat_qold[4 * (pl_g + 6) + 0], &dat_qold[4 * (pl_g + 7) + 0], lanes_qold[0], lanes_qold[1], lanes_qold[2], lanes_qold[3]);
    float lanes_q[4][8] __attribute__((aligned(32)));
    float lanes_res[4][8] __attribute__((aligned(32)));
    PL_IN_4_4X8(float, &dat_res[4 * (pl_g + 0) + 0], &dat_res[4 * (pl_g + 1) + 0], &dat_res[4 * (pl_g + 2) + 0], &dat_res[4 * (pl_g + 3) + 0], &dat_res[4 * (pl_g + 4) + 0], &dat_res[4 * (pl_g + 5) + 0], &dat_res[4 * (pl_g + 6) + 0], &dat_res[4 * (pl_g + 7) + 0], lanes_res[0], lanes_res[1], lanes_res[2], lanes_res[3]);
    PL_LANES
    for (int pl_l = 0; pl_l < PL_COUNT(8); pl_l++) {
      const int pl_e = pl_n + pl_l;
      (void)pl_e;
      float qold[4];
      qold[0] = lanes_qold[0][pl_l];
      qold[1] = lanes_qold[1][pl_l];
      qold[2] = lanes_qold[2][pl_l];
      qold[3] = lanes_qold[3][pl_l];
      float q[4];
      q[0] = 0;
      q[1] = 0;
      q[2] = 0;
      q[3] = 0;
      float res[4];
      res[0] = lanes_res[0][pl_l];
      res[1] = lanes_res[1][pl_l];
      res[2] = lanes_res[2][pl_l];
      res[3] = lanes_res[3][pl_l];
      float adt[1];
      adt[0] = dat_adt[pl_e];
      float rms[1];
      rms[0] = -0.0f;
      update((const float *)qold, (float *)q, (float *)res, (const float *)adt, (float *)rms);
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
    PL_OUT_4_4X8(float, out_q_0, lanes_q[0], lanes_q[1], lanes_q[2], lanes_q[3]);
    PL_OUT_4_4X8(float, out_res_0, lanes_res[0], lanes_res[1], lanes_res[2], lanes_res[3]);
    {
      float *const pl_to = &dat_q[4 * (pl_g + 0) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_q_0_0, out_q_0_0, 0, 1, 2, 3);
    }
    {
      float *const pl_to = &dat_res[4 * (pl_g + 0) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_res_0_0, out_res_0_0, 0, 1, 2, 3);
    }
    {
      float *const pl_to = &dat_q[4 * (pl_g + 1) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_q_0_1, out_q_0_1, 0, 1, 2, 3);
    }
    {
      float *const pl_to = &dat_res[4 * (pl_g + 1) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_res_0_1, out_res_0_1, 0, 1, 2, 3);
    }
    {
      float *const pl_to = &dat_q[4 * (pl_g + 2) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_q_0_2, out_q_0_2, 0, 1, 2, 3);
    }
    {
      float *const pl_to = &dat_res[4 * (pl_g + 2) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_res_0_2, out_res_0_2, 0, 1, 2, 3);
    }
    {
      float *const pl_to = &dat_q[4 * (pl_g + 3) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_q_0_3, out_q_0_3, 0, 1, 2, 3);
    }
    {
      float *const pl_to = &dat_res[4 * (pl_g + 3) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_res_0_3, out_res_0_3, 0, 1, 2, 3);
    }
    {
      float *const pl_to = &dat_q[4 * (pl_g + 4) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_q_0_0, out_q_0_0, 4, 5, 6, 7);
    }
    {
      float *const pl_to = &dat_res[4 * (pl_g + 4) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_res_0_0, out_res_0_0, 4, 5, 6, 7);
    }
    {
      float *const pl_to = &dat_q[4 * (pl_g + 5) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_q_0_1, out_q_0_1, 4, 5, 6, 7);
    }
    {
      float *const pl_to = &dat_res[4 * (pl_g + 5) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_res_0_1, out_res_0_1, 4, 5, 6, 7);
    }
    {
      float *const pl_to = &dat_q[4 * (pl_g + 6) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_q_0_2, out_q_0_2, 4, 5, 6, 7);
    }
    {
      float *const pl_to = &dat_res[4 * (pl_g + 6) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_res_0_2, out_res_0_2, 4, 5, 6, 7);
    }
    {
      float *const pl_to = &dat_q[4 * (pl_g + 7) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_q_0_3, out_q_0_3, 4, 5, 6, 7);
    }
    {
      float *const pl_to = &dat_res[4 * (pl_g + 7) + 0];
      *(pl_p4_float *)&pl_to[0] = __builtin_shufflevector(out_res_0_3, out_res_0_3, 4, 5, 6, 7);
    }
  }
  for (int pl_c = 0; pl_c < 1; pl_c++)
    for (int pl_l = 0; pl_l < 8; pl_l++) {
      sum_rms[pl_c] += lanes_rms[pl_c][pl_l];
    }
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_n;
    float qold[4];
    qold[0] = dat_qold[4 * pl_e + 0];
    qold[1] = dat_qold[4 * pl_e + 1];
    qold[2] = dat_qold[4 * pl_e + 2];
    qold[3] = dat_qold[4 * pl_e + 3];
    float q[4];
    q[0] = 0;
    q[1] = 0;
    q[2] = 0;
    q[3] = 0;
    float res[4];
    res[0] = dat_res[4 * pl_e + 0];
    res[1] = dat_res[4 * pl_e + 1];
    res[2] = dat_res[4 * pl_e + 2];
    res[3] = dat_res[4 * pl_e + 3];
    float adt[1];
    adt[0] = dat_adt[pl_e];
    float rms[1];
    rms[0] = -0.0f;
    update((const float *)qold, (float *)q, (float *)res, (const float *)adt, (float *)rms);
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
    const float *restrict dat_qold,
    float *restrict dat_q,
    float *restrict dat_res,
    const float *restrict dat_adt,
    float *restrict result_rms)
{
  float sum_rms[1];
  sum_rms[0] = result_rms[0];
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_list[pl_n];
    float qold[4];
    qold[0] = dat_qold[4 * pl_e + 0];
    qold[1] = dat_qold[4 * pl_e + 1];
    qold[2] = dat_qold[4 * pl_e + 2];
    qold[3] = dat_qold[4 * pl_e + 3];
    float q[4];
    q[0] = 0;
    q[1] = 0;
    q[2] = 0;
    q[3] = 0;
    float res[4];
    res[0] = dat_res[4 * pl_e + 0];
    res[1] = dat_res[4 * pl_e + 1];
    res[2] = dat_res[4 * pl_e + 2];
    res[3] = dat_res[4 * pl_e + 3];
    float adt[1];
    adt[0] = dat_adt[pl_e];
    float rms[1];
    rms[0] = -0.0f;
    update((const float *)qold, (float *)q, (float *)res, (const float *)adt, (float *)rms);
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
    pl_some(pl_begin, pl_end, pl_list, (float *)pl_args[0], (float *)pl_args[1], (float *)pl_args[2], (float *)pl_args[3], (float *)pl_args[4]);
  else
    pl_range(pl_begin, pl_end, (float *)pl_args[0], (float *)pl_args[1], (float *)pl_args[2], (float *)pl_args[3], (float *)pl_args[4]);
}
