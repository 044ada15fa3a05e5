
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
#ifdef __AVX512F__
typedef double pl_lanes_double __attribute__((vector_size(64), may_alias));
PL_VECTORS_8X8(double)
#define PL_RECORDS(pl_of, pl_to) \
  double pl_to##0[8] __attribute__((aligned(64))); double pl_to##1[8] __attribute__((aligned(64))); { \
    PL_IN_8_2X8(double, pl_record + 2 * (ptrdiff_t)pl_of[0], pl_record + 2 * (ptrdiff_t)pl_of[1], pl_record + 2 * (ptrdiff_t)pl_of[2], pl_record + 2 * (ptrdiff_t)pl_of[3], pl_record + 2 * (ptrdiff_t)pl_of[4], pl_record + 2 * (ptrdiff_t)pl_of[5], pl_record + 2 * (ptrdiff_t)pl_of[6], pl_record + 2 * (ptrdiff_t)pl_of[7], pl_to##0 + 0, pl_to##1 + 0); }
#else
typedef double pl_lanes_double __attribute__((vector_size(32), may_alias));
PL_VECTORS_8X4(double)
#define PL_RECORDS(pl_of, pl_to) \
  double pl_to##0[8] __attribute__((aligned(64))); double pl_to##1[8] __attribute__((aligned(64))); { \
    PL_IN_8_2X4(double, pl_record + 2 * (ptrdiff_t)pl_of[0], pl_record + 2 * (ptrdiff_t)pl_of[1], pl_record + 2 * (ptrdiff_t)pl_of[2], pl_record + 2 * (ptrdiff_t)pl_of[3], pl_to##0 + 0, pl_to##1 + 0); \
    PL_IN_8_2X4(double, pl_record + 2 * (ptrdiff_t)pl_of[4], pl_record + 2 * (ptrdiff_t)pl_of[5], pl_record + 2 * (ptrdiff_t)pl_of[6], pl_record + 2 * (ptrdiff_t)pl_of[7], pl_to##0 + 4, pl_to##1 + 4); }
#endif

/* The rows of particles begin to end - 1. */
static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end,
    double *restrict dat_f,
    double *restrict result_energy,
    const int64_t *restrict pl_offset,
    const int *restrict pl_entry,
    const double *restrict pl_record,
    const double *restrict pl_cutoff,
    const int *restrict pl_owner,
    const int *restrict pl_count)
{
  double sum_energy[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) sum_energy[pl_c] = -0.0;
  double lanes_energy[1][8];
  for (int pl_c = 0; pl_c < 1; pl_c++)
    for (int pl_l = 0; pl_l < 8; pl_l++) lanes_energy[pl_c][pl_l] = -0.0;
  for (int pl_n = (pl_begin + 7) / 8 * 8; pl_n < pl_end; pl_n += 8) {
    const int pl_live = pl_count[1] - pl_n < 8 ? pl_count[1] - pl_n : 8;
    int pl_particle[8];
    for (int pl_l = 0; pl_l < 8; pl_l++) pl_particle[pl_l] = pl_n + (pl_l < pl_live ? pl_l : pl_live - 1);
    PL_RECORDS(pl_particle, pl_x)
    for (int pl_l = pl_live; pl_l < 8; pl_l++) pl_x0[pl_l] = -1e150;
    double lanes_f[2][8];
    for (int pl_c = 0; pl_c < 2; pl_c++)
      for (int pl_l = 0; pl_l < 8; pl_l++) lanes_f[pl_c][pl_l] = 0;
    const int64_t pl_first = pl_offset[pl_n], pl_last = pl_first + 8 * (pl_offset[pl_n + 1] - pl_first);
    for (int64_t pl_j = pl_first; pl_j < pl_last; pl_j += 8) {
      const int *const pl_row = pl_entry + pl_j;
      __builtin_prefetch(pl_row + 1024);
      PL_RECORDS(pl_row, pl_q)
      PL_LANES
      for (int pl_l = 0; pl_l < PL_COUNT(8); pl_l++) {
        const int pl_e = pl_particle[pl_l];
        (void)pl_e;
        const int pl_p = pl_row[pl_l];
        const int pl_o = pl_owner[pl_p];
        (void)pl_o;
        const double pl_d0 = pl_x0[pl_l] - pl_q0[pl_l];
        const double pl_d1 = pl_x1[pl_l] - pl_q1[pl_l];
        const double pl_r2 = pl_d0 * pl_d0 + pl_d1 * pl_d1;
        double part_f[2] = {0};
        double part_energy[1] = {0};
        if (pl_r2 < pl_cutoff[0]) {
          double d[2];
          d[0] = pl_d0;
          d[1] = pl_d1;
          double r2[1];
          r2[0] = pl_r2;
          double f[2];
          f[0] = -0.0;
          f[1] = -0.0;
          double energy[1];
          energy[0] = -0.0;
          force((const double *)d, (const double *)r2, (double *)f, (double *)energy);
          part_f[0] = f[0];
          part_f[1] = f[1];
          part_energy[0] = energy[0];
        }
        lanes_f[0][pl_l] += part_f[0];
        lanes_f[1][pl_l] += part_f[1];
        lanes_energy[0][pl_l] += part_energy[0];
      }
    }
    for (int pl_l = 0; pl_l < pl_live; pl_l++)
      for (int pl_c = 0; pl_c < 2; pl_c++) dat_f[2 * pl_particle[pl_l] + pl_c] += lanes_f[pl_c][pl_l];
  }
  for (int pl_c = 0; pl_c < 1; pl_c++)
    for (int pl_l = 0; pl_l < 8; pl_l++) {
      sum_energy[pl_c] += lanes_energy[pl_c][pl_l];
    }
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    result_energy[pl_c] += 0.5 * sum_energy[pl_c];
  }
}

void pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)
{
  (void)pl_args;
  (void)pl_list;
  pl_range(pl_begin, pl_end, (double *)pl_args[0], (double *)pl_args[1], (int64_t *)pl_args[2], (int *)pl_args[3], (double *)pl_args[4], (double *)pl_args[5], (int *)pl_args[6], (int *)pl_args[7]);
}
