/* SPDX-License-Identifier: BSD-2-Clause
 * Parts of checkpoints that writing and restoring share.
 */
#pragma once

#include "core/io/hdf5_write.h"

#define PL_MANIFEST_NAME "/plait/checkpoint"

/* The objects of a checkpoint. */
pl_h5_selection pl_checkpoint_selection(pl_context *pl);

/* Neighbour lists are built again before their next use, and space is cut again between ranks, so that a run
 * continues with the same bits after it has written a checkpoint as after it has restored one. */
void pl_checkpoint_forget_lists(pl_context *pl);
