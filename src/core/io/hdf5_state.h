/* SPDX-License-Identifier: BSD-2-Clause
 * An open HDF5 file, shared by the sources of the module; the only file that includes hdf5.h.
 */
#pragma once

#include "core/data/objects.h"
#include "hdf5_file.h"
#include "parallel_file.h"
#include <hdf5.h>

/* A dataset whose checksum is written when the file is closed: this rank's part of it, and on rank 0 the
 * attribute. */
typedef struct checked {
  uint64_t checksum;
  hid_t attribute;
} checked;

typedef struct h5_file {
  pl_h5_file base;
  hid_t id;              /* of a file that is written on rank 0 alone */
  bool creates, appends; /* writes a new file, or behind the contents of an old one */
  pl_new_file file;      /* a new file, and its descriptor */
  int fd;
  int failure; /* errno of this rank's first write that failed, 0: none; other ranks learn it at the end */
  int n, room;
  checked *dataset;  /* of a new file */
  H5E_auto2_t print; /* HDF5's messages on stderr are switched off while the file is open */
  void *print_data;
} h5_file;

/* The error of a call of HDF5, with HDF5's reason. `doing`: "create"; `what`: the object's name, or "". */
pl_err pl_h5_io_error(const h5_file *f, const char *doing, const char *what);

/* The file type of a value; to be closed by H5Tclose. */
hid_t pl_h5_new_type(pl_type type);

/* Writes bytes at an offset of a file; false with errno. */
bool pl_h5_write_bytes(int fd, const char *bytes, size_t size, int64_t offset);
