/* SPDX-License-Identifier: BSD-2-Clause
 * PNG files; see png.h.
 */
#include "png.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef APPS_HAVE_ZLIB
#include <zlib.h>
#endif

static uint8_t *put32(uint8_t *at, uint32_t value)
{
  for (int k = 0; k < 4; k++) *at++ = (uint8_t)(value >> (24 - 8 * k));
  return at;
}

/* CRC-32 of ISO 3309, bit by bit. */
static uint32_t crc(uint32_t sum, const uint8_t *data, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    sum ^= data[i];
    for (int k = 0; k < 8; k++) sum = (sum >> 1) ^ (sum & 1 ? 0xedb88320u : 0);
  }
  return sum;
}

static bool write_chunk(FILE *file, const char type[5], const uint8_t *data, size_t n)
{
  uint8_t head[8], tail[4];
  put32(head, (uint32_t)n);
  memcpy(head + 4, type, 4);
  put32(tail, ~crc(crc(~0u, head + 4, 4), data, n));
  return fwrite(head, 8, 1, file) == 1 && (n == 0 || fwrite(data, n, 1, file) == 1) &&
         fwrite(tail, 4, 1, file) == 1;
}

/* A zlib stream (RFC 1950) of n bytes; `size` becomes its length. NULL without memory. */
#ifdef APPS_HAVE_ZLIB
static uint8_t *pack(const uint8_t *data, size_t n, size_t *size)
{
  uLongf room = compressBound((uLong)n);
  uint8_t *stream = malloc(room);
  if (!stream || compress2(stream, &room, data, (uLong)n, Z_BEST_COMPRESSION) != Z_OK) {
    free(stream);
    return NULL;
  }
  *size = room;
  return stream;
}
#else
static uint32_t adler(const uint8_t *data, size_t n)
{
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + data[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

/* Blocks without compression (RFC 1951, section 3.2.4). */
static uint8_t *pack(const uint8_t *data, size_t n, size_t *size)
{
  enum { MOST = 65535 };
  uint8_t *stream = malloc(n + 5 * (n / MOST + 1) + 6), *at = stream;
  if (!stream) return NULL;
  *at++ = 0x78, *at++ = 0x01;
  for (size_t done = 0; done < n;) {
    const size_t part = n - done < MOST ? n - done : MOST;
    *at++ = done + part == n;
    *at++ = part & 255, *at++ = (uint8_t)(part >> 8);
    *at++ = ~part & 255, *at++ = (uint8_t)(~part >> 8);
    memcpy(at, data + done, part);
    at += part, done += part;
  }
  *size = (size_t)(put32(at, adler(data, n)) - stream);
  return stream;
}
#endif

/* The rows, each behind the number of its filter: 0, none. */
static uint8_t *filtered(int width, int height, const uint8_t *pixels)
{
  const size_t row = (size_t)width + 1;
  uint8_t *data = calloc((size_t)height, row);
  for (int y = 0; data && y < height; y++)
    memcpy(data + (size_t)y * row + 1, pixels + (size_t)y * (row - 1), row - 1);
  return data;
}

static bool write_chunks(FILE *file, const uint8_t header[13], int colours, const uint8_t (*palette)[3],
                         const uint8_t *stream, size_t size)
{
  static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  return fwrite(signature, 8, 1, file) == 1 && write_chunk(file, "IHDR", header, 13) &&
         write_chunk(file, "PLTE", palette[0], 3 * (size_t)colours) &&
         write_chunk(file, "IDAT", stream, size) && write_chunk(file, "IEND", NULL, 0);
}

bool png_write(const char *path, int width, int height, const uint8_t *pixels, int colours,
               const uint8_t (*palette)[3])
{
  uint8_t header[13] = {[8] = 8, [9] = 3}; /* bits a pixel; kind: palette */
  size_t size = 0;
  uint8_t *data = filtered(width, height, pixels);
  uint8_t *stream = data ? pack(data, ((size_t)width + 1) * (size_t)height, &size) : NULL;
  FILE *file = stream ? fopen(path, "wb") : NULL;
  put32(put32(header, (uint32_t)width), (uint32_t)height);
  bool good = file && write_chunks(file, header, colours, palette, stream, size);
  if (file && fclose(file)) good = false;
  free(stream);
  free(data);
  return good;
}
