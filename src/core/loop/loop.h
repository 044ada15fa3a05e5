/* SPDX-License-Identifier: BSD-2-Clause
 * One include for the modules above: loops found or created, prepared and run.
 */
#pragma once

#include "loop_prepare.h"
#include "loop_run.h"
#include "loop_table.h"
