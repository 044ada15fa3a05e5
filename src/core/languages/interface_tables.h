/* SPDX-License-Identifier: BSD-2-Clause
 * Tables of the interface by name, which cmake/PlaitTables.cmake generates from its headers. Each ends with a
 * row of NULL.
 */
#pragma once

#include "plait.h"

typedef struct pl_interface_constant {
  const char *name;
  int value;
} pl_interface_constant;

typedef struct pl_interface_struct {
  const char *type;
  size_t size;
} pl_interface_struct;

typedef struct pl_interface_member {
  const char *type, *name;
  size_t offset;
} pl_interface_member;

extern const pl_interface_constant pl_interface_constants[];
extern const pl_interface_struct pl_interface_structs[];
extern const pl_interface_member pl_interface_members[];
