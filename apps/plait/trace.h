/* SPDX-License-Identifier: BSD-2-Clause
 * plait trace: a summary of a file that the option trace has written.
 */
#pragma once

/* `plait trace ...`: the exit status. */
int trace_command(int argc, char **argv);
