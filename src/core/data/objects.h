/* SPDX-License-Identifier: BSD-2-Clause
 * One include for the modules above: declared objects, coherence, memory and errors.
 */
#pragma once

#include "arg_info.h"
#include "core/storage/coherence.h"
#include "core/base/scalar_type.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/mesh/map.h"
#include "core/mesh/user_order.h"
#include "dat.h"
#include "global.h"
#include "kernel.h"
#include "random.h"
