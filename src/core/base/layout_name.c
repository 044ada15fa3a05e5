/* SPDX-License-Identifier: BSD-2-Clause
 * Names of layouts.
 */
#include "layout_name.h"
#include <stdlib.h>
#include <string.h>

static bool is_power(long n, long least, long most)
{
  return n >= least && n <= most && !(n & (n - 1));
}

bool pl_layout_parse(const char *text, pl_layout *layout)
{
  bool planes = !strncmp(text, "soa", 3), tiles = !strncmp(text, "aosoa:", 6);
  char *end = (char *)text + (planes ? 3 : 6);
  long tile = 0, pack = 1;
  *layout = (pl_layout){PL_AOS, 1};
  if (!strcmp(text, "aos")) return true;
  if (!planes && !tiles) return false;
  if (tiles) tile = strtol(end, &end, 10);
  if (*end == (tiles ? ',' : ':')) pack = strtol(end + 1, &end, 10);
  if (*end || !is_power(pack, 1, 4) || (tiles && !is_power(tile, 2, 1024))) return false;
  *layout = (pl_layout){(int)tile, (int)pack};
  return true;
}
