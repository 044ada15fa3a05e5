/* SPDX-License-Identifier: BSD-2-Clause
 * queues: two kernels, each too small to fill the device, one after the other in one queue and concurrently
 * in two. Times are the device's, between events; medians of alternating runs.
 */
#include <stdlib.h>

#include "../apps/common/json.h"
#include "../apps/common/median.h"
#include "../apps/common/options.h"
#include "plait.h"

enum { SAMPLES = 9, BLOCK = 128 };

static const char text[] = "KERNEL void spin(GLOBAL float *x, int rounds) {\n"
                           "  float v = x[GLOBAL_ID];\n"
                           "  for (int k = 0; k < rounds; k++) v = v * 0.999f + 0.001f;\n"
                           "  x[GLOBAL_ID] = v;\n"
                           "}\n";

typedef struct job {
  pl_context *pl;
  int64_t groups, rounds;
  pl_entry *kernel[2];
  pl_queue *queue[2];
  pl_event *start, *other, *end;
} job;

static void open_job(job *j)
{
  pl_program *program;
  const int32_t rounds = (int32_t)j->rounds;
  PL_OK(j->pl, pl_program_create(j->pl, text, NULL, "spin", &program));
  PL_OK(j->pl, pl_event_create(j->pl, "start", &j->start));
  PL_OK(j->pl, pl_event_create(j->pl, "other", &j->other));
  PL_OK(j->pl, pl_event_create(j->pl, "end", &j->end));
  for (int k = 0; k < 2; k++) {
    pl_dat *x;
    PL_OK(j->pl, pl_decl_array(j->pl, j->groups * BLOCK, 1, PL_FLOAT, NULL, "x", &x));
    PL_OK(j->pl, pl_dat_to_device(x));
    PL_OK(j->pl, pl_program_kernel(program, "spin", &j->kernel[k]));
    PL_OK(j->pl, pl_entry_dat(j->kernel[k], 0, x, PL_RW));
    PL_OK(j->pl, pl_entry_value(j->kernel[k], 1, PL_INT32, 1, &rounds));
    PL_OK(j->pl, pl_queue_create(j->pl, k ? "second" : "first", &j->queue[k]));
  }
}

/* Runs both kernels; with `two` the second one in a second queue, which the first then waits for. */
static double timed(job *j, bool two)
{
  double seconds;
  PL_OK(j->pl, pl_sync(j->pl));
  PL_OK(j->pl, pl_queue_use(j->pl, j->queue[0]));
  PL_OK(j->pl, pl_event_record(j->start));
  PL_OK(j->pl, pl_entry_run(j->kernel[0], j->groups * BLOCK, BLOCK));
  if (two) {
    PL_OK(j->pl, pl_queue_use(j->pl, j->queue[1]));
    PL_OK(j->pl, pl_queue_wait(j->start));
  }
  PL_OK(j->pl, pl_entry_run(j->kernel[1], j->groups * BLOCK, BLOCK));
  if (two) {
    PL_OK(j->pl, pl_event_record(j->other));
    PL_OK(j->pl, pl_queue_use(j->pl, j->queue[0]));
    PL_OK(j->pl, pl_queue_wait(j->other));
  }
  PL_OK(j->pl, pl_event_record(j->end));
  PL_OK(j->pl, pl_event_seconds(j->start, j->end, &seconds));
  return seconds;
}

static bool write_json(const job *j, const char *path, double one, double two)
{
  json_writer json;
  if (!json_open(&json, path)) return false;
  json_text(&json, "program", "queues");
  json_text(&json, "backend", pl_backend_name(j->pl));
  json_integer(&json, "groups", j->groups);
  json_number(&json, "one_queue_seconds", one);
  json_number(&json, "two_queues_seconds", two);
  return json_close(&json);
}

int main(int argc, char **argv)
{
  job j = {.groups = 16, .rounds = 1000000};
  double one[SAMPLES], two[SAMPLES];
  const char *json = NULL;
  const option_program about = {"queues", "Two kernels in one queue and in two.",
                                "Ratio 2: they run side by side; 1: one after the other, as on a host.",
                                true};
  const option_row rows[] = {
    {"groups", "N", OPTION_INTEGER, &j.groups, 1, 1 << 20, "of 128 work items, of each kernel"},
    {"rounds", "N", OPTION_INTEGER, &j.rounds, 1, 1 << 30, "that each work item computes"},
    {"json", "FILE", OPTION_TEXT, &json, 0, 0, "write the figures"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&about, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  PL_OK(j.pl, pl_init(&argc, &argv, NULL, &j.pl));
  open_job(&j);
  timed(&j, true);
  for (int s = 0; s < SAMPLES; s++) {
    one[s] = timed(&j, false);
    two[s] = timed(&j, true);
  }
  const double in_one = median(one, SAMPLES), in_two = median(two, SAMPLES);
  printf("%s, two kernels of %lld groups: in one queue %.3f ms, in two %.3f ms, ratio %.2f\n",
         pl_backend_name(j.pl), (long long)j.groups, 1e3 * in_one, 1e3 * in_two, in_one / in_two);
  const bool good = !json || write_json(&j, json, in_one, in_two);
  if (!good) perror(json);
  pl_finalize(&j.pl);
  return good ? 0 : 1;
}
