/* SPDX-License-Identifier: BSD-2-Clause
 * A library that is no tool.
 */
int plain_function(void);
int plain_function(void)
{
  return 0;
}
