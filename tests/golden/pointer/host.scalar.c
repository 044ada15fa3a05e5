
/* Elements begin to end - 1. */
static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end,
    double *restrict dat_adt,
    void *table)
{
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_n;
    double *const adt = &dat_adt[pl_e];
    pointer((double *)adt, table);
  }
}

/* Elements list[begin] to list[end - 1]. */
static __attribute__((noinline)) void pl_some(const int pl_begin, const int pl_end, const int *restrict pl_list,
    double *restrict dat_adt,
    void *table)
{
  int pl_n = pl_begin;
  for (; pl_n < pl_end; pl_n++) {
    const int pl_e = pl_list[pl_n];
    double *const adt = &dat_adt[pl_e];
    pointer((double *)adt, table);
  }
}

void pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)
{
  (void)pl_args;
  if (pl_list)
    pl_some(pl_begin, pl_end, pl_list, (double *)pl_args[0], (void *)pl_args[1]);
  else
    pl_range(pl_begin, pl_end, (double *)pl_args[0], (void *)pl_args[1]);
}
