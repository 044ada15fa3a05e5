/* SPDX-License-Identifier: BSD-2-Clause
 * The OpenCL driver: memory, asynchronous copies and, on CPU devices, memory shared between processes.
 * Invariant: shared memory is freed when the last process ends, even by a crash, as its file has no name.
 */
#define _GNU_SOURCE /* memfd_create */
#include "opencl_driver.h"
#include "core/context/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

pl_err pl_opencl_alloc(pl_device *device, size_t size, void **buffer)
{
  opencl *c = device->dev;
  cl_int result;
  *buffer = c->p_clCreateBuffer(c->context, CL_MEM_READ_WRITE, size ? size : 1, NULL, &result);
  return pl_opencl_check(device, result, "allocating memory");
}

void pl_opencl_free(pl_device *device, void *buffer)
{
  if (buffer) ((opencl *)device->dev)->p_clReleaseMemObject(buffer);
}

pl_err pl_opencl_zero(pl_device *device, void *buffer, size_t size)
{
  opencl *c = device->dev;
  const char pattern[16] = {0}; /* some drivers are slow with patterns of a byte */
  size_t whole = size / sizeof pattern * sizeof pattern;
  cl_int result = CL_SUCCESS;
  if (whole)
    result = c->p_clEnqueueFillBuffer(c->queue, buffer, pattern, sizeof pattern, 0, whole, 0, NULL, NULL);
  if (result == CL_SUCCESS && size > whole)
    result = c->p_clEnqueueFillBuffer(c->queue, buffer, pattern, 1, whole, size - whole, 0, NULL, NULL);
  return pl_opencl_check(device, result, "zeroing memory");
}

pl_err pl_opencl_copy(pl_device *device, void *to, void *from, size_t size)
{
  opencl *c = device->dev;
  if (!size) return PL_SUCCESS;
  return OPENCL_CALL(clEnqueueCopyBuffer, "copying on the device", c->queue, from, to, 0, 0, size, 0, NULL,
                     NULL);
}

/* ---- between host and device ---- */

static pl_err write_buffer(pl_device *device, void *buffer, size_t at, const void *host, size_t size,
                           cl_bool wait)
{
  opencl *c = device->dev;
  if (!size) return PL_SUCCESS;
  return OPENCL_CALL(clEnqueueWriteBuffer, "copying to the device", c->queue, buffer, wait, at, size, host, 0,
                     NULL, NULL);
}

static pl_err read_buffer(pl_device *device, void *host, void *buffer, size_t at, size_t size, cl_bool wait)
{
  opencl *c = device->dev;
  if (!size) return PL_SUCCESS;
  return OPENCL_CALL(clEnqueueReadBuffer, "copying from the device", c->queue, buffer, wait, at, size, host,
                     0, NULL, NULL);
}

pl_err pl_opencl_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  return write_buffer(device, buffer, at, host, size, CL_TRUE);
}

pl_err pl_opencl_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  return write_buffer(device, buffer, at, host, size, CL_FALSE);
}

pl_err pl_opencl_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  opencl *c = device->dev;
  if (!size) return OPENCL_CALL(clFinish, "waiting for the device", c->queue);
  return read_buffer(device, host, buffer, at, size, CL_TRUE);
}

pl_err pl_opencl_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  return read_buffer(device, host, buffer, at, size, CL_FALSE);
}

/* ---- page-locked memory: of a buffer that stays mapped ---- */

struct pl_opencl_pinned {
  pl_opencl_pinned *next;
  cl_mem buffer;
  void *memory;
};

static pl_err map_pinned(pl_device *device, size_t size, pl_opencl_pinned *p)
{
  opencl *c = device->dev;
  cl_int result;
  p->buffer = c->p_clCreateBuffer(c->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL, &result);
  PL_TRY(pl_opencl_check(device, result, "allocating pinned host memory"));
  p->memory = c->p_clEnqueueMapBuffer(c->queue, p->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0,
                                      NULL, NULL, &result);
  return pl_opencl_check(device, result, "mapping pinned host memory");
}

pl_err pl_opencl_host_alloc(pl_device *device, size_t size, void **memory)
{
  opencl *c = device->dev;
  pl_opencl_pinned *p = pl_calloc(device->pl, 1, sizeof *p);
  if (!p) return pl_fail_memory(device->pl, sizeof *p);
  pl_err err = map_pinned(device, size ? size : 1, p);
  if (err) {
    if (p->buffer) c->p_clReleaseMemObject(p->buffer);
    pl_free(device->pl, p);
    return err;
  }
  p->next = c->pinned;
  c->pinned = p;
  *memory = p->memory;
  return PL_SUCCESS;
}

void pl_opencl_host_free(pl_device *device, void *memory)
{
  opencl *c = device->dev;
  pl_opencl_pinned **link = &c->pinned, *p;
  while (*link && (*link)->memory != memory) link = &(*link)->next;
  if (!memory || !(p = *link)) return;
  *link = p->next;
  c->p_clEnqueueUnmapMemObject(c->queue, p->buffer, memory, 0, NULL, NULL);
  c->p_clReleaseMemObject(p->buffer);
  pl_free(device->pl, p);
}

/* ---- between processes: anonymous files (memfd) that others open in /proc ---- */

struct pl_opencl_shared {
  pl_opencl_shared *next;
  cl_mem buffer;
  void *address;
  size_t size;
  int file;
};

/* The inode and size tell whether the descriptor is still the same file. */
typedef struct owner_file {
  int process, file;
  uint64_t inode, size;
} owner_file;

static pl_err fail_errno(pl_context *pl, const char *doing)
{
  return pl_fail(pl, PL_ERR_BACKEND, "%s failed: %s", doing, strerror(errno));
}

static void free_shared(pl_device *device, pl_opencl_shared *s)
{
  if (s->buffer) ((opencl *)device->dev)->p_clReleaseMemObject(s->buffer);
  if (s->address != MAP_FAILED) munmap(s->address, s->size);
  close(s->file);
  pl_free(device->pl, s);
}

/* Takes over the file, also if it fails. */
static pl_err map_file(pl_device *device, int file, size_t size, void **buffer)
{
  opencl *c = device->dev;
  cl_int result = CL_SUCCESS;
  pl_opencl_shared *s = pl_calloc(device->pl, 1, sizeof *s);
  if (!s) return close(file), pl_fail_memory(device->pl, sizeof *s);
  *s = (pl_opencl_shared){.next = c->shared, .size = size, .file = file};
  s->address = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  pl_err err = s->address == MAP_FAILED ? fail_errno(device->pl, "mapping shared memory") : PL_SUCCESS;
  if (!err)
    s->buffer = *buffer = c->p_clCreateBuffer(c->context, CL_MEM_USE_HOST_PTR, size, s->address, &result);
  if (!err) err = pl_opencl_check(device, result, "using shared memory");
  if (err) return free_shared(device, s), err;
  c->shared = s;
  return PL_SUCCESS;
}

pl_err pl_opencl_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle)
{
  struct stat about;
  int file = memfd_create("plait", MFD_CLOEXEC);
  if (file < 0) return fail_errno(device->pl, "creating shared memory");
  if (ftruncate(file, (off_t)size) || fstat(file, &about)) {
    close(file);
    return fail_errno(device->pl, "creating shared memory");
  }
  const owner_file owner = {getpid(), file, (uint64_t)about.st_ino, size};
  memcpy(handle->bytes, &owner, sizeof owner);
  return map_file(device, file, size, buffer);
}

pl_err pl_opencl_shared_open(pl_device *device, const pl_handle *handle, void **buffer)
{
  char path[64];
  owner_file owner;
  struct stat about;
  memcpy(&owner, handle->bytes, sizeof owner);
  snprintf(path, sizeof path, "/proc/%d/fd/%d", owner.process, owner.file);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return fail_errno(device->pl, "opening the memory of another rank");
  bool same =
    !fstat(file, &about) && (uint64_t)about.st_ino == owner.inode && (uint64_t)about.st_size == owner.size;
  if (same) return map_file(device, file, owner.size, buffer);
  close(file);
  return pl_fail(device->pl, PL_ERR_BACKEND,
                 "the shared memory of another rank was not found; do these ranks run on one machine?");
}

static pl_opencl_shared **find_shared(opencl *c, const void *buffer)
{
  pl_opencl_shared **link = &c->shared;
  while (*link && (*link)->buffer != buffer) link = &(*link)->next;
  return link;
}

void pl_opencl_shared_close(pl_device *device, void *buffer, bool opened)
{
  pl_opencl_shared **link = find_shared(device->dev, buffer), *s = *link;
  (void)opened;
  if (!buffer || !s) return;
  *link = s->next;
  free_shared(device, s);
}

void *pl_opencl_address(pl_device *device, void *buffer)
{
  const pl_opencl_shared *s = *find_shared(device->dev, buffer);
  return s ? s->address : NULL;
}
