
/* Elements begin to end - 1. */
static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end,
    const double *restrict dat_q,
    double *restrict result_least,
    int64_t *restrict holder_least,
    int64_t *restrict result_where,
    double *restrict result_values,
    double *restrict result_most)
{
  const volatile double pl_limit_least = INFINITY;
  const double limit_least = pl_limit_least;
  const volatile double pl_limit_most = -INFINITY;
  const double limit_most = pl_limit_most;
  double min_least[1];
  min_least[0] = result_least[0];
  int64_t winner_least = *holder_least;
  int64_t best_where[1];
  best_where[0] = result_where[0];
  double best_values[2];
  best_values[0] = result_values[0];
  best_values[1] = result_values[1];
  double max_most[1];
  max_most[0] = result_most[0];
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_n;
    const double *const q = &dat_q[4 * pl_e + 0];
    const int64_t cell[1] = {pl_e};
    double least[1];
    least[0] = limit_least;
    int64_t where[1];
    where[0] = 0;
    double values[2];
    values[0] = 0;
    values[1] = 0;
    double most[1];
    most[0] = limit_most;
    extreme((const double *)q, cell, (double *)least, (int64_t *)where, (double *)values, (double *)most);
    if (least[0] < min_least[0] || (least[0] == min_least[0] && pl_e < winner_least)) {
      min_least[0] = least[0];
      winner_least = pl_e;
      best_where[0] = where[0];
      best_values[0] = values[0];
      best_values[1] = values[1];
    }
    { const double pl_was = max_most[0]; max_most[0] = most[0] > pl_was ? most[0] : pl_was; }
  }
  result_least[0] = min_least[0];
  *holder_least = winner_least;
  result_where[0] = best_where[0];
  result_values[0] = best_values[0];
  result_values[1] = best_values[1];
  result_most[0] = max_most[0];
}

/* Elements list[begin] to list[end - 1]. */
static __attribute__((noinline)) void pl_some(const int pl_begin, const int pl_end, const int *restrict pl_list,
    const double *restrict dat_q,
    double *restrict result_least,
    int64_t *restrict holder_least,
    int64_t *restrict result_where,
    double *restrict result_values,
    double *restrict result_most)
{
  const volatile double pl_limit_least = INFINITY;
  const double limit_least = pl_limit_least;
  const volatile double pl_limit_most = -INFINITY;
  const double limit_most = pl_limit_most;
  double min_least[1];
  min_least[0] = result_least[0];
  int64_t winner_least = *holder_least;
  int64_t best_where[1];
  best_where[0] = result_where[0];
  double best_values[2];
  best_values[0] = result_values[0];
  best_values[1] = result_values[1];
  double max_most[1];
  max_most[0] = result_most[0];
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_list[pl_n];
    const double *const q = &dat_q[4 * pl_e + 0];
    const int64_t cell[1] = {pl_e};
    double least[1];
    least[0] = limit_least;
    int64_t where[1];
    where[0] = 0;
    double values[2];
    values[0] = 0;
    values[1] = 0;
    double most[1];
    most[0] = limit_most;
    extreme((const double *)q, cell, (double *)least, (int64_t *)where, (double *)values, (double *)most);
    if (least[0] < min_least[0] || (least[0] == min_least[0] && pl_e < winner_least)) {
      min_least[0] = least[0];
      winner_least = pl_e;
      best_where[0] = where[0];
      best_values[0] = values[0];
      best_values[1] = values[1];
    }
    { const double pl_was = max_most[0]; max_most[0] = most[0] > pl_was ? most[0] : pl_was; }
  }
  result_least[0] = min_least[0];
  *holder_least = winner_least;
  result_where[0] = best_where[0];
  result_values[0] = best_values[0];
  result_values[1] = best_values[1];
  result_most[0] = max_most[0];
}

void pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)
{
  (void)pl_args;
  if (pl_list)
    pl_some(pl_begin, pl_end, pl_list, (double *)pl_args[0], (double *)pl_args[1], (int64_t *)pl_args[2], (int64_t *)pl_args[3], (double *)pl_args[4], (double *)pl_args[5]);
  else
    pl_range(pl_begin, pl_end, (double *)pl_args[0], (double *)pl_args[1], (int64_t *)pl_args[2], (int64_t *)pl_args[3], (double *)pl_args[4], (double *)pl_args[5]);
}
