/* SPDX-License-Identifier: BSD-2-Clause
 * Error codes, their texts, and the last sentence of the context. Without memory for a sentence, the text of
 * the code replaces it.
 *
 * A call without an object knows no context: its sentence belongs to the thread, until a sentence of a
 * context follows on the thread.
 */
#include "error.h"
#include "context.h"
#include "core/base/plain_format.h"
#include "memory.h"
#include <stdarg.h>
#include <string.h>

static const struct {
  const char *name, *text;
} errors[] = {
#define X(code, text) {#code, text},
  PL_ERROR_LIST(X)
#undef X
};

static _Thread_local char thread_error[200];

static bool is_code(pl_err code)
{
  return (int)code >= 0 && code < PL_ERR_COUNT;
}

const char *pl_errtext(pl_err code)
{
  return is_code(code) ? errors[code].text : "unknown error code";
}

const char *pl_errname(pl_err code)
{
  return is_code(code) ? errors[code].name : "unknown";
}

const char *pl_version(void)
{
  return PLAIT_VERSION;
}

const char *pl_errmsg(const pl_context *pl)
{
  if (*thread_error) return thread_error;
  if (!pl) return "there is no context: pl_init was not called or had no memory, or pl_finalize has freed it";
  return pl->error ? pl->error : pl_errtext(pl->error_code);
}

/* The formatted sentence, then ": " and `tail` unless NULL; NULL without memory. */
static char *format_sentence(pl_context *pl, const char *tail, const char *format, va_list list)
{
  va_list again;
  va_copy(again, list);
  int length = pl_format_list(NULL, 0, format, again);
  va_end(again);
  size_t tail_length = tail ? strlen(tail) + 2 : 0;
  char *sentence = length < 0 ? NULL : pl_malloc(pl, (size_t)length + tail_length + 1);
  if (!sentence) return NULL;
  pl_format_list(sentence, (size_t)length + 1, format, list);
  if (tail) {
    memcpy(sentence + length, ": ", 2);
    memcpy(sentence + length + 2, tail, tail_length - 1);
  }
  return sentence;
}

void pl_forget_thread_error(void)
{
  *thread_error = '\0';
}

static void set_sentence(pl_context *pl, char *sentence)
{
  pl_free(pl, pl->error);
  pl->error = sentence;
  *thread_error = '\0';
  if (pl->forget_thread_error) pl->forget_thread_error();
}

pl_err pl_fail(pl_context *pl, pl_err code, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  char *sentence = pl ? format_sentence(pl, NULL, format, list) : NULL;
  if (!pl) pl_format_list(thread_error, sizeof thread_error, format, list);
  va_end(list);
  if (!pl) return PL_ERR_NULL;
  set_sentence(pl, sentence);
  pl->error_code = code;
  return code;
}

pl_err pl_check_given(pl_context *pl, const char *what, const char *name, const char *arguments,
                      const void *const *pointer)
{
  for (size_t length; *arguments; pointer++, arguments += length + strspn(arguments + length, ", ")) {
    length = strcspn(arguments, ",");
    if (!*pointer)
      return pl_fail(pl, PL_ERR_ARG, "%s%s%s%s: argument %.*s is NULL", what, name ? " of \"" : "",
                     name ? name : "", name ? "\"" : "", (int)length, arguments);
  }
  return PL_SUCCESS;
}

pl_err pl_fail_memory(pl_context *pl, size_t size)
{
  return pl_fail(pl, PL_ERR_MEMORY, "out of memory: %zu bytes could not be allocated", size);
}

pl_err pl_fail_newer(pl_context *pl, const char *type)
{
  pl_fail(pl, PL_ERR_ARG,
          "a member of the %s is set that version %s of Plait does not have: the program was compiled for a "
          "newer version; load that one",
          type, PLAIT_VERSION);
  return PL_ERR_ARG;
}

pl_err pl_fail_in(pl_context *pl, pl_err code, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  char *sentence = format_sentence(pl, pl_errmsg(pl), format, list);
  va_end(list);
  if (sentence) set_sentence(pl, sentence);
  return code;
}

void pl_log(const pl_context *pl, int level, const char *format, ...)
{
  if (level > 0 && (!pl->options.value[PL_OPT_VERBOSE] || pl_opt_count(pl, PL_OPT_VERBOSE) < level)) return;
  char line[1024];
  va_list list;
  va_start(list, format);
  pl_format_list(line, sizeof line, format, list);
  va_end(list);
  fprintf(stderr, "plait: %s\n", line);
}

pl_err pl_context_check(const pl_context *pl)
{
  if (!pl)
    return pl_fail(
      NULL, PL_ERR_NULL,
      "the context is NULL: pl_init was not called or had no memory, or pl_finalize has freed it");
  return pl->backend ? PL_SUCCESS : pl->error_code;
}

/* ---- kept errors ---- */

void pl_failure_keep(pl_context *pl, pl_failure *failure)
{
  if (failure->code) return;
  failure->code = pl->error_code;
  failure->sentence = pl->error ? pl_strdup(pl, pl->error) : NULL;
}

pl_err pl_failure_repeat(pl_context *pl, const pl_failure *failure)
{
  if (!failure->code) return PL_SUCCESS;
  return pl_fail(pl, failure->code, "%s", failure->sentence ? failure->sentence : pl_errtext(failure->code));
}

pl_err pl_failure_take(pl_context *pl, pl_failure *failure)
{
  pl_err err = pl_failure_repeat(pl, failure);
  pl_failure_clear(pl, failure);
  return err;
}

void pl_failure_clear(pl_context *pl, pl_failure *failure)
{
  pl_free(pl, failure->sentence);
  *failure = (pl_failure){PL_SUCCESS, NULL};
}
