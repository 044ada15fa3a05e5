/* SPDX-License-Identifier: BSD-2-Clause
 * Exchange of dats as tensors with other libraries (NumPy, CuPy, PyTorch, JAX ...) without a copy, by the
 * structs of DLPack 1.0 (https://dmlc.github.io/dlpack/). A program that also includes dlpack/dlpack.h
 * includes it first. */
#ifndef PLAIT_DLPACK_H
#define PLAIT_DLPACK_H

#include <plait.h>

#ifndef DLPACK_DLPACK_H_
/* The types of DLPack, under its names: device, type of a value, version of the form. */
typedef enum DLDeviceType { kDLCPU = 1, kDLCUDA = 2, kDLROCM = 10 } DLDeviceType;
typedef enum DLDataTypeCode { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLComplex = 5 } DLDataTypeCode;
typedef struct DLPackVersion {
  uint32_t major, minor;
} DLPackVersion;
typedef struct DLDevice {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;
typedef struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
} DLDataType;

/* Value (i, j, ...) is at data + byte_offset + (i * strides[0] + j * strides[1] + ...) * size. */
typedef struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape, *strides; /* strides NULL: row by row without gaps */
  uint64_t byte_offset;
} DLTensor;

/* The form before DLPack 1.0. The consumer calls `deleter` once, when it no longer uses the tensor. */
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

/* The form since DLPack 1.0, and the flag of a tensor that the consumer must not change. */
#define DLPACK_FLAG_BITMASK_READ_ONLY 1UL
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
#endif

PL_EXTERN_C_BEGIN

/* Shows a dat as a tensor of shape (pl_set_total(set), extents of an element); of shape (pl_set_total(set))
 * for one value an element. Where loops run on a device the tensor is a device view (pl_dat_get_device:
 * layouts "aos" and "soa", for complex types "soa:2", become strides), else a host view (pl_dat_get). The
 * view is open until the consumer calls the tensor's deleter; `access` is PL_READ (the versioned tensor is
 * then marked as read-only), PL_RW or PL_WRITE. The call waits for the device, so that any stream may use the
 * values; before the deleter is called the consumer's work must be finished. The dat should outlive the
 * tensor: once it is freed the values are gone, and only the deleter may be called. The two functions differ
 * in the struct.
 *
 * Errors: PL_ERR_STATE for tiled layouts; PL_ERR_BACKEND on OpenCL, whose memory has no address. Local for
 * PL_READ, else collective. */
PL_API pl_err pl_dat_to_dlpack(pl_dat *dat, pl_access access, DLManagedTensorVersioned **tensor);
PL_API pl_err pl_dat_to_dlpack_unversioned(pl_dat *dat, pl_access access, DLManagedTensor **tensor);

/* Declares a dat in the memory of a tensor as pl_dat_wrap does: shape (pl_set_total(set), extents), values in
 * host memory row by row, on the context's device row by row ("aos") or component by component ("soa"). The
 * dat takes the tensor over and calls its deleter when it is freed; after an error the tensor remains the
 * caller's. The values must be complete, as for the consumer of any tensor.
 *
 * Errors: as pl_dat_wrap; PL_ERR_TYPE for types that dats do not have, PL_ERR_RANGE for another shape,
 * PL_ERR_ARG for other strides, devices and versions, PL_ERR_ACCESS for read-only tensors. Collective. */
PL_API pl_err pl_dat_from_dlpack(pl_set *set, DLManagedTensorVersioned *tensor, const char *name,
                                 pl_dat **dat);
PL_API pl_err pl_dat_from_dlpack_unversioned(pl_set *set, DLManagedTensor *tensor, const char *name,
                                             pl_dat **dat);

PL_EXTERN_C_END

#endif
