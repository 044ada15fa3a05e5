/* SPDX-License-Identifier: BSD-2-Clause
 * Algorithms over whole dats: what is checked here and handed to the backend.
 */
#ifndef PLAIT_CORE_ALGORITHM_H
#define PLAIT_CORE_ALGORITHM_H

#include "objects.h"

/* A reduction (into `result`) or a scan (result NULL) over the owned elements of `set`, checked but for what
 * the expressions' text says. Each argument is a dat or global as a whole array. */
struct pl_scan_call {
  const pl_algorithm *algorithm;
  pl_set *set;
  pl_global *result;
  int nargs;
  const pl_arg *args;
  bool local; /* over this rank alone */
};

/* Elements that an algorithm goes over: what this rank owns. */
int pl_algorithm_size(const pl_set *set);

/* Entries of an order are elements of `from`; brings it home. */
pl_err pl_order_check(pl_dat *order, int n, const pl_set *from, const char *what);

/* Dats become what their elements order[0 .. n) were; what was behind is lost. The order itself may be among
 * them. Nothing is checked. */
pl_err pl_order_apply(pl_dat *order, int n, int ndats, pl_dat *const *dats);

/* The same for all dats of a set but one (or NULL). */
pl_err pl_set_apply(pl_set *set, pl_dat *order, int n, const pl_dat *but);

/* What pl_set_resize does once it has checked. */
pl_err pl_set_resize_raw(pl_set *set, int n);

/* whole.c: the dat's values where work is done, valid if it `reads` them, in the order that users see; and
 * back to that of storage, whether or not they were `written`. Nothing may fail between them but the work. */
pl_err pl_whole_begin(pl_dat *dat, bool reads);
pl_err pl_whole_end(pl_dat *dat, bool written);
void pl_view_orders_free(pl_set *set);

/* A flag that pl_select takes. */
pl_err pl_flag_check(pl_dat *flag, const char *what);

#endif
