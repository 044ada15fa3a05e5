/* SPDX-License-Identifier: BSD-2-Clause
 * A loop on the host: compiled or interpreted, and run by workers.
 */
#pragma once

#include "backends/host/host.h"

void pl_host_close(pl_context *pl);
pl_err pl_host_new(pl_context *pl, int threads, pl_host **host);
void pl_host_free(pl_context *pl, pl_host *host); /* NULL is fine */

/* The reference loop of PLAIT_CHECK: element by element, by one worker. Device backends use it too. */
pl_err pl_host_plain_new(pl_host *host, pl_loop *loop, pl_host_code **code);
void pl_host_code_free(pl_context *pl, pl_host_code *code); /* NULL is fine */
pl_err pl_host_plain_run(pl_host_code *code, const pl_loop_range *range);
pl_err pl_host_run_reference(pl_context *pl, pl_loop *loop, const pl_loop_range *range);

/* loop->code becomes a pl_host_code. */
pl_err pl_host_prepare(pl_context *pl, pl_loop *loop, int nworkers);
void pl_host_release(pl_context *pl, pl_loop *loop);

pl_err pl_host_prefetch(pl_context *pl, pl_loop *loop); /* starts to compile for pl_host_prepare */

/* Before a run: slots point at current data, and workers' results are cleared. */
pl_err pl_host_begin(pl_host_code *code);
/* Worker w runs the elements begin to end - 1, or list[begin] to list[end - 1]. */
void pl_host_run(const pl_host_code *code, int w, int begin, int end, const int *list);
/* After a run: workers' results are added to the loop's if the range reduces. */
void pl_host_end(pl_host_code *code, const pl_loop_range *range);

/* The text of a form, for a quick or a full compilation; whether code->program is it. */
pl_err pl_host_write(const pl_host_code *code, pl_form form, bool quick, pl_loop_text *program);
bool pl_host_is_written(const pl_host_code *code, pl_form form, bool quick);
/* The compilation of a form, as code->quick says: now, into code->run, or in the background. */
pl_jit_source pl_host_source(const pl_host_code *code, const pl_loop_text *program);
pl_err pl_host_compile(pl_host_code *code, pl_form form);
pl_err pl_host_compile_begin(const pl_host_code *code, pl_form form);
void pl_host_name_variant(pl_host_code *code);
