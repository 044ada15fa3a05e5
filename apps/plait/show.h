/* SPDX-License-Identifier: BSD-2-Clause
 * plait show: the code that Plait generates for the loops of a program.
 */
#pragma once

/* `plait show ...`: the exit status. */
int show_command(int argc, char **argv);
