/* SPDX-License-Identifier: BSD-2-Clause
 * Progress of long work; see progress.h.
 */
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "wall.h"

static const double between = 0.25; /* seconds between two lines */

void progress_begin(progress *p, int rank, const char *unit, int64_t done, int64_t total)
{
  const double now = wall_seconds();
  *p = (progress){unit, done, total, now, now + 0.5, rank == 0 && isatty(STDERR_FILENO)};
}

static void time_text(char text[16], double seconds)
{
  const int64_t s = (int64_t)(seconds + 0.5);
  if (s >= 3600)
    snprintf(text, 16, "%" PRId64 " h %02d min", s / 3600 % 100000, (int)(s / 60 % 60));
  else if (s >= 60)
    snprintf(text, 16, "%d min %02d s", (int)(s / 60), (int)(s % 60));
  else
    snprintf(text, 16, "%d s", (int)s);
}

void progress_text(const progress *p, int64_t done, double seconds, char text[96])
{
  char left[16];
  const double share = p->total > 0 ? 100.0 * (double)done / (double)p->total : 100.0;
  const double rate = seconds > 0 ? (double)(done - p->first) / seconds : 0.0;
  if (rate > 0) {
    time_text(left, (double)(p->total - done) / rate);
    snprintf(text, 96, "%3.0f%%  %.3g %.24s/s  %s left", share, rate, p->unit, left);
  } else {
    snprintf(text, 96, "%3.0f%%", share);
  }
}

void progress_step(progress *p, int64_t done)
{
  char text[96];
  if (!p->on) return;
  const double now = wall_seconds();
  if (now < p->next) return;
  p->next = now + between;
  progress_text(p, done, now - p->start, text);
  fprintf(stderr, "\r%s\033[K", text);
  fflush(stderr);
}

void progress_norm_begin(progress_norm *p, int rank, double rtol)
{
  progress_begin(&p->shown, rank, "iterations", 0, 0);
  p->rtol = rtol;
  p->first = 0;
}

/* The number of iterations is estimated from the share that is done. */
void progress_norm_step(void *user, int iteration, double norm)
{
  progress_norm *p = user;
  if (!iteration || !(p->first > 0)) p->first = norm;
  const double share = log(norm / p->first) / log(p->rtol);
  p->shown.total = llround(iteration / fmin(fmax(share, 0.01), 1));
  if (iteration) progress_step(&p->shown, iteration);
}

void progress_clear(const progress *p)
{
  if (p->on) fputs("\r\033[K", stderr);
}
