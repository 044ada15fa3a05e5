/* SPDX-License-Identifier: BSD-2-Clause
 * Memory that the program shares with Plait: dats in the program's memory, device memory of dats. Tensors of
 * other libraries: plait_dlpack.h. */
#ifndef PLAIT_INTEROP_H
#define PLAIT_INTEROP_H

#include <plait/dats.h>

PL_EXTERN_C_BEGIN

/* Where memory of the program is. */
typedef enum pl_memory {
  PL_MEMORY_HOST,
  PL_MEMORY_DEVICE /* CUDA and HIP: an address on the context's device; OpenCL: a cl_mem of its queue's
                      context */
} pl_memory;

/* Declares a dat of `dim` values of `type` on each element of `set` whose storage is `memory`, which the
 * program keeps until the dat is freed; its values are the dat's, and nothing is copied. It holds dim *
 * pl_set_total(set) values: owned elements, then halo copies, whose values are ignored. `layout` is that of
 * pl_dat_set_layout: "aos" (or NULL) element by element, and in device memory also "soa" or "soa:M".
 *
 * Memory on the side where loops run is used in place; the other side is a copy of the library, made when
 * needed. The program reads the values through the pointer it has while a PL_READ view is open (pl_dat_get
 * for host memory, pl_dat_get_device for device memory) and writes them while a PL_RW or PL_WRITE view is
 * open. pl_dat_free leaves the memory as the last view showed it. Memory of the host is aligned as its type,
 * device memory to 16 bytes.
 *
 * The order is fixed: while the dat exists, functions that would reorder, distribute or resize the set, or
 * change the layout of device memory, are PL_ERR_STATE, option renumber does nothing, and chains never
 * exchange its storage. pl_align and pl_sort permute the values in place.
 *
 * Errors: PL_ERR_STATE if the set is stored in another order than the user's (after pl_renumber or
 * pl_partition, and on several ranks for sets that maps connect) or has variable size; PL_ERR_BACKEND for
 * device memory without a device; PL_ERR_ARG for another layout, NULL or misaligned memory. Collective. */
PL_API pl_err pl_dat_wrap(pl_set *set, int dim, pl_type type, pl_memory where, const char *layout,
                          void *memory, const char *name, pl_dat **dat);

/* Opens a device view: *data is the device memory of the dat (CUDA and HIP: an address, OpenCL: a cl_mem) and
 * *queue (may be NULL) the queue in use (CUstream, hipStream_t, cl_command_queue). Values are in user order,
 * dim * pl_set_total(set) of them, halo copies as of their last exchange, in the layout of pl_dat_set_layout,
 * or "aos" if none was set, which the dat then keeps. In SoA the stride from component to component is
 * pl_set_capacity(set) elements. `access` and rules are those of pl_dat_get: while the view is open, loops on
 * the dat are PL_ERR_STATE, except that PL_READ views allow loops that read it.
 *
 * Nothing waits: work in *queue comes after all that the library has submitted, and the library's later work
 * after it. Work in other queues must wait for *queue, and *queue for it before pl_dat_put_device, by events
 * of the runtime or by pl_sync and its own synchronisation. No values move between host and device if the
 * device copy is valid. If the set's storage order is not the user's, the view is a copy on the device.
 *
 * Errors: PL_ERR_BACKEND without a device. PL_READ: local; PL_RW, PL_WRITE: collective. */
PL_API pl_err pl_dat_get_device(pl_dat *dat, pl_access access, void **data, void **queue);

/* Closes a device view; each pl_dat_get_device needs one. Local. */
PL_API pl_err pl_dat_put_device(pl_dat *dat);

PL_EXTERN_C_END

#endif
