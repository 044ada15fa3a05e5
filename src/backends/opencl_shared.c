/* SPDX-License-Identifier: BSD-2-Clause
 * The OpenCL driver: memory that travels without anybody waiting, and, where the device is the host's
 * processor, memory of other processes. Such a device works in host memory that it is given.
 */
#include "lent.h"
#include "opencl_driver.h"
#include "core/memory.h"

/* A buffer over memory that several processes map; on devices that are the host's processor only. */
typedef struct pl_opencl_lent {
  struct pl_opencl_lent *next;
  cl_mem buffer;
  pl_lent memory;
} lent;

pl_err pl_opencl_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  opencl *c = device->dev;
  if (!size) return PL_SUCCESS;
  return pl_opencl_check(device,
                         c->p_clEnqueueWriteBuffer(c->queue, buffer, CL_FALSE, at, size, host, 0, NULL, NULL),
                         "copying to the device");
}

pl_err pl_opencl_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  opencl *c = device->dev;
  if (!size) return PL_SUCCESS;
  return pl_opencl_check(device,
                         c->p_clEnqueueReadBuffer(c->queue, buffer, CL_FALSE, at, size, host, 0, NULL, NULL),
                         "copying from the device");
}

/* A buffer over lent memory, which it takes over. */
static pl_err keep_lent(pl_device *device, pl_lent *memory, void **buffer)
{
  opencl *c = device->dev;
  cl_int result;
  lent *l = pl_calloc(device->pl, 1, sizeof *l);
  if (!l) {
    pl_lent_close(memory);
    return pl_fail_memory(device->pl, sizeof *l);
  }
  *l = (lent){c->lent, NULL, *memory};
  l->buffer = *buffer =
    c->p_clCreateBuffer(c->context, CL_MEM_USE_HOST_PTR, memory->size, memory->address, &result);
  if (result != CL_SUCCESS) {
    pl_lent_close(memory);
    pl_free(device->pl, l);
    return pl_opencl_check(device, result, "taking shared memory");
  }
  c->lent = l;
  return PL_SUCCESS;
}

pl_err pl_opencl_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle)
{
  pl_lent memory;
  PL_TRY(pl_lent_new(device->pl, size, &memory, handle));
  return keep_lent(device, &memory, buffer);
}

pl_err pl_opencl_shared_open(pl_device *device, const pl_handle *handle, void **buffer)
{
  pl_lent memory;
  PL_TRY(pl_lent_open(device->pl, handle, &memory));
  return keep_lent(device, &memory, buffer);
}

static lent **find_lent(opencl *c, const void *buffer)
{
  lent **link = &c->lent;
  while (*link && (*link)->buffer != buffer) link = &(*link)->next;
  return link;
}

void pl_opencl_shared_close(pl_device *device, void *buffer, bool opened)
{
  opencl *c = device->dev;
  lent **link = find_lent(c, buffer), *l = *link;
  (void)opened;
  if (!buffer || !l) return;
  *link = l->next;
  c->p_clReleaseMemObject(l->buffer);
  pl_lent_close(&l->memory);
  pl_free(device->pl, l);
}

void *pl_opencl_address(pl_device *device, void *buffer)
{
  const lent *l = *find_lent(device->dev, buffer);
  return l ? l->memory.address : NULL;
}
