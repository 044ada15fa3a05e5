/* SPDX-License-Identifier: BSD-2-Clause
 * Domains, pairs and their lists.
 *
 * The pairs of a map are a set: a loop over them is a loop over that set, whose elements, for dividing work,
 * are the first sides. What a pair map adds to a ragged map: it lists the pairs of particles that are near
 * each other, from both sides, and is renewed when the particles have moved.
 *
 * A pair map's list speaks of records: those of the particles, in the order of storage (this rank's, then
 * copies of other ranks', the halo of their set), then one for each image of a particle that lies across a
 * periodic side within reach (a ghost), then far ones that are near nothing. The rows of `lanes` neighbouring
 * particles are interleaved and as long as the longest of them, by far records: entry k of particle i is at
 * offset[i - i % lanes] + k * lanes + i % lanes. So a loop over pairs computes no images and has no rest.
 *
 * Invariants of a list that is fresh (src/plan/pairs.c keeps them): for every particle i and every other
 * record p whose particle is not i, p is in row i if it was nearer than cutoff + skin when the list was
 * built, and no particle has moved further than skin / 2 since; record holds present positions.
 */
#ifndef PLAIT_CORE_PAIRS_H
#define PLAIT_CORE_PAIRS_H

#include "objects.h"
#include "stock.h"

enum { PL_PAIR_AXES = 3, PL_PAIR_NUMBERS = 20 };

/* On devices rows of PL_PAIR_SLICE records are interleaved, for teams of PL_PAIR_TEAM work items: entry k
 * of record i is at row[2 * (i / SLICE)] + (k / TEAM * SLICE + i % SLICE) * TEAM + k % TEAM. */
enum { PL_PAIR_SLICE = 32, PL_PAIR_TEAM = 4, PL_PAIR_BLOCK = PL_PAIR_SLICE * PL_PAIR_TEAM };
/* A work item takes PL_PAIR_BATCH entries at a time; rows are multiples of PL_PAIR_ROW long. */
enum { PL_PAIR_BATCH = 4, PL_PAIR_ROW = PL_PAIR_TEAM * PL_PAIR_BATCH };

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

/* A pair map on a device, where the particles' records may stand in any order: what loops get; and either
 * whence it came from the host (list number `builds`, records of `version`), or, where the device makes its
 * lists itself (`own`), the buffers that it works with.
 */
typedef struct pl_pairs_device {
  void *row, *entry, *record, *cutoff, *owner, *count;
  uint64_t builds, version;
  bool own;
  int room, longest;            /* records, and entries of a row, that there is room for */
  double sent[PL_PAIR_NUMBERS]; /* box, bins and lengths that it has */
  void *module;                 /* the backend's: the kernels that make lists */
  bool pending;                 /* it is not known yet whether the list still holds: ... */
  int asked, *told;             /* ... told[0] becomes the number of the question, and the answer follows */
  void *answer;                 /* `told`, where kernels write it; NULL: the host reads, by ... */
  void *ear, *before, *after;   /* ... a queue of its own, between two events */
  void *stale;                  /* for loops: not 0 where the list does not hold */
  int counted[3];               /* what `count` holds, of an own list */
  pl_pairs_buffer rows, entries, records, owners, images, places, anchor, box, bins, shift, state, wrapped,
    member, start, total;
  pl_pairs_buffer limits, numbers, bits, sign, listed; /* on ranks (device_settle.c) */
} pl_pairs_device;

typedef struct pl_pairs {
  pl_set *set; /* the pairs */
  /* of a pair map */
  pl_dat *position;  /* NULL: the pairs of a ragged map, as listed there */
  pl_domain *domain; /* NULL: free space */
  double cutoff, skin;
  bool everyone; /* the cutoff is infinite: every pair of particles, and no list */
  int dim;
  /* the list, as it was built */
  bool built;
  double low[PL_PAIR_AXES], high[PL_PAIR_AXES]; /* the domain then */
  int n, here, nrecords; /* this rank's particles; with copies of other ranks'; with images too */
  int width, lanes;      /* values of a record; rows that are interleaved */
  int count[3];   /* for loops: `here`, n, and where in storage the copies end that belong to lower ranks */
  uint64_t moved; /* of the particles' set */
  int *owner;     /* nrecords + lanes: the particle of each record (far ones: 0) */
  unsigned char *image; /* nrecords - here: which image a ghost is, digits of base 3, 1: as it is */
  int64_t *offset;      /* n + 1 */
  int *entry;
  pl_stock stock; /* memory of the list before, and of its making */
  void *anchor;   /* positions when it was built */
  /* at present */
  uint64_t version; /* of the positions that `record` holds */
  void *record; /* (nrecords + lanes) * width values of the positions' type; then the square of the cutoff */
  uint64_t builds;
  pl_pairs_device *device; /* the backend's copy */
} pl_pairs;

/* Entries of particle i's row in the list, and entry k of them. (Behind a group there may be a gap.) */
static inline int64_t pl_pairs_row(const pl_pairs *pairs, int i)
{
  int first = i - i % pairs->lanes;
  return pairs->offset[first + 1] - pairs->offset[first];
}

static inline int pl_pairs_entry(const pl_pairs *pairs, int i, int64_t k)
{
  int lane = i % pairs->lanes;
  return pairs->entry[pairs->offset[i - lane] + k * pairs->lanes + lane];
}

/* Entries of the rows begin to end - 1, with what pads them. */
int64_t pl_pairs_entries(const pl_pairs *pairs, int begin, int end);

/* The pairs of a ragged map or pair map, made when first asked for. */
pl_err pl_pairs_of(pl_map *map, pl_pairs **pairs);
void pl_pairs_destroy(pl_map *map);
/* Where the square of the cutoff stands, behind the records. */
void *pl_pairs_cutoff(const pl_pairs *pairs);
/* A dat is going: pair maps over it can no longer be used. */
void pl_pairs_forget(pl_context *pl, const pl_dat *dat);

/* The arguments of a loop over pairs. */
pl_err pl_pair_args_check(pl_context *pl, const pl_kernel *kernel, const pl_map *map, int nargs,
                          const pl_arg *args);

#endif
