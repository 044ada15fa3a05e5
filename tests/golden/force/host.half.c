
/* The rows of particles begin to end - 1. */
static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end,
    double *restrict dat_f,
    double *restrict result_energy,
    const int64_t *restrict pl_offset,
    const int *restrict pl_entry,
    const double *restrict pl_record,
    const double *restrict pl_cutoff,
    const int *restrict pl_owner)
{
  double sum_energy[1];
  for (int pl_c = 0; pl_c < 1; pl_c++) sum_energy[pl_c] = -0.0;
  for (int pl_e = pl_begin; pl_e < pl_end; pl_e++) {
    const double pl_x0 = pl_record[2 * (int64_t)pl_e + 0];
    const double pl_x1 = pl_record[2 * (int64_t)pl_e + 1];
    double sum_f[2];
    for (int pl_c = 0; pl_c < 2; pl_c++) sum_f[pl_c] = 0;
    const int64_t pl_row = pl_offset[pl_e & ~7], pl_end_row = pl_offset[(pl_e & ~7) + 1];
    const int64_t pl_first = pl_row + (pl_e & 7), pl_last = pl_row + 8 * (pl_end_row - pl_row);
    for (int64_t pl_j = pl_first; pl_j < pl_last; pl_j += 8) {
      const int pl_p = pl_entry[pl_j];
      const int pl_o = pl_owner[pl_p];
      (void)pl_o;
      const double pl_d0 = pl_x0 - pl_record[2 * (int64_t)pl_p + 0];
      const double pl_d1 = pl_x1 - pl_record[2 * (int64_t)pl_p + 1];
      const double pl_r2 = pl_d0 * pl_d0 + pl_d1 * pl_d1;
      if (pl_r2 < pl_cutoff[0] && pl_o > pl_e) {
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
        sum_f[0] += f[0];
        sum_f[1] += f[1];
        dat_f[2 * pl_o + 0] += -f[0];
        dat_f[2 * pl_o + 1] += -f[1];
        sum_energy[0] += energy[0];
      }
    }
    for (int pl_c = 0; pl_c < 2; pl_c++) dat_f[2 * pl_e + pl_c] += sum_f[pl_c];
  }
  for (int pl_c = 0; pl_c < 1; pl_c++) {
    result_energy[pl_c] += sum_energy[pl_c];
  }
}

void pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)
{
  (void)pl_args;
  (void)pl_list;
  pl_range(pl_begin, pl_end, (double *)pl_args[0], (double *)pl_args[1], (int64_t *)pl_args[2], (int *)pl_args[3], (double *)pl_args[4], (double *)pl_args[5], (int *)pl_args[6]);
}
