/* SPDX-License-Identifier: BSD-2-Clause
 * Reference values of airfoil and the comparison with them. See report.h.
 *
 * A mesh is known by its four counts, in any numbering. Most values were published with a few digits: a
 * result fits if it rounds to what was published (for a range: lies in it, ends rounded alike).
 */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reference {
  int i, j; /* size of the mesh */
  const char *precision;
  int iteration;
  double low, high;
  double margin;      /* relative to the value */
  const char *digits; /* the value and the margin in words */
} reference;

/* Half a unit of the last of n digits of a value printed as d.ddde-xx, relative to a value with mantissa m.
 */
#define HALF_UNIT(n_minus_1, mantissa) (0.5 * 1e-##n_minus_1 / (mantissa))
#define ROUNDED(value, n_minus_1, mantissa)                                                                  \
  value, value, HALF_UNIT(n_minus_1, mantissa), #value " in all its digits"

static const reference references[] = {
  {40, 60, "double", 100, ROUNDED(4.25406e-04, 5, 4.25406)},
  {40, 60, "double", 200, ROUNDED(1.79346e-04, 5, 1.79346)},
  {40, 60, "double", 500, ROUNDED(3.94607e-05, 5, 3.94607)},
  {40, 60, "double", 1000, ROUNDED(1.87631e-06, 5, 1.87631)},
  {400, 600, "double", 100, ROUNDED(5.02186e-04, 5, 5.02186)},
  {400, 600, "double", 200, ROUNDED(3.41746e-04, 5, 3.41746)},
  {400, 600, "double", 1000, 1.060114637578e-04, 1.060114637578e-04, 1e-7,
   "1.060114637578e-04 within 1e-5 %"},
  {1600, 2400, "double", 1000, ROUNDED(1.32505e-04, 5, 1.32505)},
  /* Published single-precision runs add 720,000 squares one by one in float and lose digits: 3.4173e-04
   * to 3.4174e-04. The same squares added in several partial sums come to what double precision gives. */
  {400, 600, "single", 200, 3.4173e-04, 3.41746e-04, HALF_UNIT(5, 3.41746),
   "3.4173e-04 (published, added in float) to 3.41746e-04 (double precision)"},
};

static bool mesh_is(const airfoil_report *report, int i, int j)
{
  return report->nnode == (3 * i + 1) * (j + 1) && report->ncell == 3 * i * j &&
         report->nedge == (3 * i - 1) * j + 3 * i * (j - 1) + i && report->nbedge == 4 * i + 2 * j;
}

static bool applies(const reference *ref, const airfoil_report *report, const report_rms *point)
{
  return ref->iteration == point->iteration && strcmp(ref->precision, report->precision) == 0 &&
         mesh_is(report, ref->i, ref->j);
}

static bool compare(const reference *ref, const report_rms *point)
{
  const bool good =
    point->rms >= ref->low * (1.0 - ref->margin) && point->rms <= ref->high * (1.0 + ref->margin);
  printf("check: iteration %d: rms %.12e, reference %s: %s\n", point->iteration, point->rms, ref->digits,
         good ? "ok" : "WRONG");
  return good;
}

bool report_check(const airfoil_report *report)
{
  const int n = (int)(sizeof references / sizeof *references);
  int compared = 0, wrong = 0;
  for (int p = 0; p < report->nrms; p++)
    for (int k = 0; k < n; k++) {
      if (!applies(&references[k], report, &report->rms[p])) continue;
      compared++;
      wrong += !compare(&references[k], &report->rms[p]);
    }
  if (compared == 0)
    printf(
      "check: nothing compared: no reference value is known for a mesh of %d cells in %s precision at these "
      "iterations\n",
      report->ncell, report->precision);
  return compared > 0 && wrong == 0;
}
