/* SPDX-License-Identifier: BSD-2-Clause
 * How a tensor of DLPack describes its values: type, device, shape and strides.
 */
#pragma once

#include "core/storage/storage.h"
#include "plait_dlpack.h"

/* DLPack's type of values, and the reverse: PL_TYPE_COUNT for those that dats do not have. */
DLDataType pl_tensor_type(pl_type type);
pl_type pl_type_of_tensor(DLDataType type);

/* Where a dat's memory on a side is; device_type 0 if it has no address. */
DLDevice pl_tensor_device(const pl_context *pl, bool on_device);

/* Extents of a dat of elements with `rank` extents: 1 + rank, without the last if that is a single 1. */
int pl_tensor_ndim(int rank, const int *shape);

/* Whether the layout consists of strides. Fills them in, in values, for an extent of shape[0] elements that
 * have room for `room`. */
bool pl_tensor_strides(pl_layout layout, pl_type type, int64_t room, int ndim, const int64_t *shape,
                       int64_t *strides);

/* Whether the tensor has these strides where its extents exceed 1; strides NULL: row by row. */
bool pl_tensor_has_strides(const DLTensor *tensor, const int64_t *strides);
