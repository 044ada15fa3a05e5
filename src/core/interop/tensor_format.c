/* SPDX-License-Identifier: BSD-2-Clause
 * Types, devices and strides of DLPack's tensors.
 */
#include "tensor_format.h"
#include "core/base/scalar_type.h"

static const uint8_t codes[PL_TYPE_COUNT] = {[PL_INT8] = kDLInt,
                                             [PL_UINT8] = kDLUInt,
                                             [PL_INT16] = kDLInt,
                                             [PL_UINT16] = kDLUInt,
                                             [PL_INT32] = kDLInt,
                                             [PL_UINT32] = kDLUInt,
                                             [PL_INT64] = kDLInt,
                                             [PL_UINT64] = kDLUInt,
                                             [PL_FLOAT] = kDLFloat,
                                             [PL_DOUBLE] = kDLFloat,
                                             [PL_COMPLEX_FLOAT] = kDLComplex,
                                             [PL_COMPLEX_DOUBLE] = kDLComplex};

DLDataType pl_tensor_type(pl_type type)
{
  return (DLDataType){codes[type], (uint8_t)(8 * pl_type_size(type)), 1};
}

pl_type pl_type_of_tensor(DLDataType wanted)
{
  int type = 0;
  for (; type < PL_TYPE_COUNT; type++) {
    const DLDataType t = pl_tensor_type((pl_type)type);
    if (t.code == wanted.code && t.bits == wanted.bits && t.lanes == wanted.lanes) break;
  }
  return (pl_type)type;
}

DLDevice pl_tensor_device(const pl_context *pl, bool on_device)
{
  if (!on_device) return (DLDevice){kDLCPU, 0};
  const pl_native_device native = pl->backend->data->native((pl_context *)pl);
  return (DLDevice){(DLDeviceType)native.dlpack, native.number};
}

int pl_tensor_ndim(int rank, const int *shape)
{
  return rank == 1 && shape[0] == 1 ? 1 : 1 + rank;
}

bool pl_tensor_strides(pl_layout layout, pl_type type, int64_t room, int ndim, const int64_t *shape,
                       int64_t *strides)
{
  const bool soa = layout.tile == PL_SOA;
  if (layout.tile != PL_AOS && !soa) return false;
  if (soa && layout.pack != (pl_type_is_complex(type) ? 2 : 1)) return false;
  int64_t inner = 1;
  for (int k = ndim - 1; k > 0; k--) {
    strides[k] = soa ? inner * room : inner;
    inner *= shape[k];
  }
  strides[0] = soa ? 1 : inner;
  return true;
}

bool pl_tensor_has_strides(const DLTensor *tensor, const int64_t *strides)
{
  int64_t inner = 1;
  for (int k = tensor->ndim - 1; k >= 0; k--) {
    const int64_t stride = tensor->strides ? tensor->strides[k] : inner;
    if (tensor->shape[k] > 1 && stride != strides[k]) return false;
    inner *= tensor->shape[k];
  }
  return true;
}
