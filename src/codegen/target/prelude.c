/* SPDX-License-Identifier: BSD-2-Clause
 * Preludes: the words of device programs and of fixed device code.
 */
#include "prelude.h"
#include <string.h>

extern const char pl_template_complex_functions_device[];

void pl_print_prelude(pl_string *text, const pl_dialect *d, bool uses_double)
{
  pl_string_add(text, "%s%s", d->prelude, uses_double ? d->prelude_double : "");
}

void pl_print_words(pl_string *text, const pl_dialect *d)
{
  pl_string_add(text, "#define KERNEL %s\n#define DEVICE %s\n#define CONSTANT %sconst\n", d->entry_qualifier,
                d->device_qualifier, d->data_qualifier);
  pl_string_add(text, "#define LOCAL %s\n#define LOCAL_ARG %s\n#define GLOBAL %s\n#define RESTRICT %s\n",
                d->local, d->local_pointer, d->global, d->restrict_word);
  pl_string_add(text, "#define LOCAL_ID (%s)\n#define LOCAL_SIZE (%s)\n", d->local_id, d->local_size);
  pl_string_add(text, "#define GROUP_ID (%s)\n#define NUM_GROUPS (%s)\n", d->block_id, d->blocks);
  pl_string_add(text, "#define GLOBAL_ID (GROUP_ID * LOCAL_SIZE + LOCAL_ID)\n"
                      "#define GLOBAL_SIZE (NUM_GROUPS * LOCAL_SIZE)\n");
  pl_string_add(text, "#define SYNC_THREADS %s\n#define SYNC_WARPS %s\n#define MEM_FENCE %s\n", d->barrier,
                d->warp_barrier, d->block_fence);
}

void pl_print_device_words(pl_string *text, const pl_dialect *d)
{
  pl_print_words(text, d);
  pl_string_add(text, "#define WARPS %d\n#define COUNT_BITS %s\n", pl_block_warps(d), d->count_bits);
  pl_string_add(text, "#define ATOMIC_ADD %s\n#define ATOMIC_OR %s\n#define ATOMIC_MAX %s\n", d->atomic_add,
                d->atomic_or, d->atomic_max);
  if (d->lanes) pl_string_add_bytes(text, d->lanes, strlen(d->lanes));
  if (d->shift_up) pl_string_add(text, "#define SHIFT_UP(x, d) %s\n", d->shift_up);
  if (d->from_lane) pl_string_add(text, "#define FROM_LANE(x, lane) %s\n", d->from_lane);
  if (d->ballot) pl_string_add(text, "#define BALLOT(x) %s\n", d->ballot);
  if (d->fence) pl_string_add(text, "#define FENCE %s\n#define SYSTEM_FENCE %s\n", d->fence, d->system_fence);
}

int pl_block_warps(const pl_dialect *d)
{
  return d->warps ? 8 : 1;
}

void pl_print_complex_functions(pl_string *text, const char *qualifier)
{
  static const struct {
    const char *type, *make, *function;
  } sets[] = {{"float", "CMPLXF", "name##f"}, {"double", "CMPLX", "name"}};
  for (int k = 0; k < 2; k++) {
    pl_string_add(text, "%s#define PL_C pl_complex_%s\n#define PL_R %s\n#define PL_MAKE %s\n",
                  k ? "#ifdef PL_COMPLEX_DOUBLE\n" : "", sets[k].type, sets[k].type, sets[k].make);
    pl_string_add(text, "#define PL_F(name) %s\n#define PL_OVER %s __attribute__((unused))\n%s",
                  sets[k].function, qualifier, pl_template_complex_functions_device);
    pl_string_add(text, "#undef PL_C\n#undef PL_R\n#undef PL_MAKE\n#undef PL_F\n#undef PL_OVER\n%s",
                  k ? "#endif\n" : "");
  }
}
