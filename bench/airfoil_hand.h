/* SPDX-License-Identifier: BSD-2-Clause
 * The hand-written airfoil solver, once for each precision: airfoil_hand_solver.c compiled with REAL=double
 * and REAL=float. They are airfoil_solver functions; see apps/airfoil/job.h.
 */
#ifndef BENCH_AIRFOIL_HAND_H
#define BENCH_AIRFOIL_HAND_H

#include "../apps/airfoil/job.h"

bool hand_solve_double(const airfoil_job *job, const airfoil_mesh *mesh, airfoil_report *report);
bool hand_solve_float(const airfoil_job *job, const airfoil_mesh *mesh, airfoil_report *report);

#endif
