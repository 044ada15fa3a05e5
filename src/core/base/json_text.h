/* SPDX-License-Identifier: BSD-2-Clause
 * Strings in JSON files.
 */
#pragma once

#include <stddef.h>

/* `text` with quotes, backslashes and control characters escaped (RFC 8259), cut to the buffer. Returns the
 * buffer. */
const char *pl_json_text(const char *text, char *buffer, size_t size);
