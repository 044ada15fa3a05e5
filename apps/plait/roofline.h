/* SPDX-License-Identifier: BSD-2-Clause
 * plait roofline: the rates of the machine, and the loops of a profile beside them.
 */
#pragma once

/* `plait roofline ...`: the exit status. */
int roofline_command(int argc, char **argv);
