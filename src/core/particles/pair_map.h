/* SPDX-License-Identifier: BSD-2-Clause
 * Domains, pair maps and their neighbour lists.
 *
 * The pairs of a map form a set: a pair loop is a loop over that set, whose elements, for the division of
 * work, are the first sides. Unlike a ragged map, a pair map lists pairs of neighbouring particles, from both
 * sides, and is rebuilt when particles have moved.
 *
 * The list refers to records: the particles in storage order (owned, then halo), then one ghost for each
 * periodic image within reach, then padding records, which are near nothing. The rows of `lanes` consecutive
 * particles are interleaved and padded to the longest: entry k of particle i is at offset[i - i % lanes] + k
 * * lanes + i % lanes. So a pair loop computes no images and has no remainder.
 *
 * Invariants of a valid list (plan/particles/neighbour_list.c): for every particle i and every record p of
 * another particle, p is in row i if it was nearer than cutoff + skin when the list was built, or is nearer
 * than the cutoff; `record` holds present positions. A list on a device holds at least every pair nearer than
 * the cutoff.
 */
#pragma once

#include "core/context/array_pool.h"
#include "core/context/context.h"
#include "core/context/observer.h"
#include <stdbool.h>

enum { PL_PAIR_AXES = 3, PL_PAIR_NUMBERS = 25 };

/* On devices rows of PL_PAIR_SLICE records are interleaved, for teams of PL_PAIR_TEAM work items: entry k
 * of record i is at row[2 * (i / SLICE)] + (k / TEAM * SLICE + i % SLICE) * TEAM + k % TEAM. */
enum { PL_PAIR_SLICE = 32, PL_PAIR_TEAM = 4, PL_PAIR_BLOCK = PL_PAIR_SLICE * PL_PAIR_TEAM };
/* A work item processes PL_PAIR_BATCH entries at a time; row lengths are multiples of PL_PAIR_ROW. */
enum { PL_PAIR_BATCH = 4, PL_PAIR_ROW = PL_PAIR_TEAM * PL_PAIR_BATCH };

/* On devices the values of records that are longer than a load are in arrays of their own, value a of record
 * r at record[a * stride + r]. */
enum { PL_PAIR_LOAD = 16 };

/* The state of a list on a device, ints: first whether it is stale; the number of the host's probe whether it
 * is, and the address of the result (0: none), which the next loop writes. */
enum { PL_PAIR_STATES = 16, PL_PAIR_PROBE = 7, PL_PAIR_RESULT = 8 };

struct pl_domain {
  pl_node node;
  int dim;
  double low[PL_PAIR_AXES], high[PL_PAIR_AXES];
  bool periodic[PL_PAIR_AXES];
};

typedef struct pl_pairs_buffer {
  void *at;
  size_t bytes;
} pl_pairs_buffer;

/* A pair map on a device, with records in any order, and the uploaded list's version (`builds`, records of
 * `version`), unless the list is built on the device. */
typedef struct pl_pairs_device {
  /* Arguments of loops; state: first an int that is not 0 if the list is invalid. */
  pl_pairs_buffer row, entry, record, cutoff, owner, count, state;
  pl_pairs_buffer images, places, anchor, box, bins, shift, wrapped, member, start, total,
    fast;                                                         /* of its building */
  pl_pairs_buffer undecided, limits, numbers, bits, sign, listed; /* on several ranks (particle_owners.c) */
  pl_pairs_buffer host_sign, host_listed;                         /* the same in page-locked memory */
  uint64_t builds, version;
  bool device_built;
  int room, longest;              /* capacity in records and in entries of a row */
  int stride;                     /* of records whose values are apart */
  double sent[PL_PAIR_NUMBERS];   /* box and lengths last sent */
  void *module;                   /* the kernels that build lists */
  bool fitted, unread;            /* the last list fitted; the state of this one was not read */
  bool pending;                   /* a probe whether the list is still valid is running */
  int probe_event, *probe_reply;  /* probe_reply[0] becomes the probe's number, then the result */
  void *probe_result;             /* probe_reply on the device; NULL: the host reads it by ... */
  void *reading, *before, *after; /* ... a separate queue, between two events */
  bool own_updated;               /* records of this rank's particles are, those of ghosts are not */
  int wrapped_already;            /* particles that are in the bins of the next list */
  int counted[3];                 /* the contents of `count` */
} pl_pairs_device;

/* The arrays of a list on the host. */
typedef struct pl_pairs_list {
  int *owner;           /* nrecords + lanes: the particle of each record (of padding: 0) */
  unsigned char *image; /* nrecords - here: the image of a ghost, digits of base 3, 1: no shift */
  int64_t *offset;      /* rows + 1 */
  int rows;             /* of particles, when it was built */
  int *entry;
  void *anchor; /* positions when it was built */
  void *record; /* (nrecords + lanes) * width values of the positions' type, current; then the square of the
                   cutoff */
  /* for updates (plan/particles/neighbour_list_records.c) */
  void *bins[3]; /* of the records when it was built: a pl_bins (plan/cell_lists/point_bins.h), its arrays */
  double way;    /* the longest of a particle for which the list is kept */
  int updates;   /* since it was built */
  int64_t searched; /* particles around which they searched */
} pl_pairs_list;

typedef struct pl_pairs {
  pl_set *set; /* the pairs */
  /* of a pair map */
  pl_dat *position;  /* NULL: the pairs of a ragged map */
  pl_domain *domain; /* NULL: free space */
  double cutoff, skin;
  bool all_pairs; /* the cutoff is infinite: every pair of particles, and no list */
  int dim;
  /* the list, as it was built */
  bool built, built_for_check; /* by ranks with PLAIT_CHECK set: all of them on their hosts */
  double low[PL_PAIR_AXES], high[PL_PAIR_AXES]; /* the domain at that time */
  int n, here, nrecords;                        /* particles owned; with halo; with ghosts */
  int width, lanes;                             /* values of a record; interleaved rows */
  int count[3];           /* for loops: `here`, n, and the end of the halo particles of lower ranks */
  uint64_t order_version; /* user_order version of the particles' set */
  pl_pairs_list list;
  pl_array_pool pool; /* memory of previous lists and of their construction */
  /* at present */
  bool loop_follows; /* a loop over the pairs runs right after the renewal */
  uint64_t version;  /* of the positions that list.record holds */
  /* on several ranks */
  bool on_devices;  /* devices build the lists of all ranks */
  bool ahead;       /* the next loop can run again, so it need not wait until ranks have agreed on the list */
  bool unconfirmed; /* they have not agreed yet */
  uint64_t builds;
  pl_pairs_device *device; /* the backend's copy */
} pl_pairs;

/* The length of particle i's row, and entry k of it. Groups of rows may have gaps between them. */
static inline int64_t pl_pairs_row(const pl_pairs *pairs, int i)
{
  int first = i - i % pairs->lanes;
  return pairs->list.offset[first + 1] - pairs->list.offset[first];
}

static inline int pl_pairs_entry(const pl_pairs *pairs, int i, int64_t k)
{
  int lane = i % pairs->lanes;
  return pairs->list.entry[pairs->list.offset[i - lane] + k * pairs->lanes + lane];
}

/* Whether the values of records are in arrays of their own on devices. */
bool pl_pairs_apart(const pl_pairs *pairs);

/* Entries of the rows begin to end - 1, with padding. */
int64_t pl_pairs_entries(const pl_pairs *pairs, int begin, int end);

/* Fails if a periodic axis is too short for minimum images, that is for the cutoff or the skin of the map. */
pl_err pl_pairs_check_box(const char *name, const pl_pairs *pairs);

/* The square of the cutoff, after the records. */
void *pl_pairs_cutoff(const pl_pairs *pairs);

void pl_domain_destroy(pl_node *domain);

extern const pl_observer pl_pair_observer;
