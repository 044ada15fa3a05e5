/* SPDX-License-Identifier: BSD-2-Clause
 * Text: a growing string. After a failed allocation it stays empty and `failed` is set; callers check once,
 * at the end, with pl_text_check.
 */
#ifndef PLAIT_CORE_TEXT_H
#define PLAIT_CORE_TEXT_H

#include <stdbool.h>
#include "error.h"

typedef struct pl_text {
  pl_context *pl;
  char *data; /* NUL-terminated; NULL while empty */
  size_t length, capacity;
  int lines; /* newlines so far */
  bool failed;
} pl_text;

void pl_text_init(pl_text *text, pl_context *pl);
void pl_text_free(pl_text *text);
void pl_text_add(pl_text *text, const char *format, ...) PL_PRINTF(2, 3);
void pl_text_bytes(pl_text *text, const char *bytes, size_t length); /* as they are */
const char *pl_text_string(const pl_text *text);                     /* never NULL */
pl_err pl_text_check(const pl_text *text);                           /* PL_ERR_MEMORY if anything was lost */

#endif
