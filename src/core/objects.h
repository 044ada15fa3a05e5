/* SPDX-License-Identifier: BSD-2-Clause
 * What is declared in a context: sets, maps, dats, globals, consts, helper functions, kernels from source.
 * Each struct starts with its pl_node. A set counts what is declared on it and is only freed at zero.
 */
#ifndef PLAIT_CORE_OBJECTS_H
#define PLAIT_CORE_OBJECTS_H

#include <stdbool.h>
#include "context.h"

/* A set: part[0] core, part[1] owned, part[2] with exec halo, part[3] with nonexec halo (cumulative,
 * monotone). A subset has a parent and sorted unique `indices` into it; its parts count positions in
 * `indices`.
 *
 * Elements are stored in an order that is the library's own affair (renumbered for locality, partitioned);
 * maps, dats and subsets are all in this order, and plans and loops see no other. Users see another order:
 * `view` leads from a position there to the element in storage, and `global` tells an element's global index,
 * which is its number for the user. Both are NULL where nothing was moved. Invariants: `view` is a
 * permutation of [0, part[3]) that leads positions below part[1] to owned elements, by ascending `global`. */
struct pl_set {
  pl_node node;
  int part[4];
  int capacity;        /* elements its dats have room for, once it has changed its size; else 0 */
  pl_set *parent;      /* NULL for a set */
  int *indices;        /* NULL for a set */
  void *device;        /* the backend's copy of them */
  int ref;             /* maps, dats and subsets declared on it */
  bool anonymous;      /* an array's own: it goes with its last dat */
  int64_t *global;     /* part[3] global indices, in the order of storage; NULL: an element's own number */
  void *global_device; /* the backend's copy of them */
  int *view;           /* view position -> storage position; NULL: the same */
  int named;           /* elements that the two have room for; 0: as many as there are */
  bool unsorted;       /* `view` is made anew when it is looked at (pl_view_sort): particles have travelled */
  struct pl_view_orders *orders; /* the view for backends, once asked for (whole.c) */
  int *shown;    /* of a subset: its members as positions of the parent's view, once asked for */
  pl_map *pairs; /* the set is that of this map's pairs (core/pairs.h); else NULL */
  bool lent;     /* or users were shown `indices` itself: it stays as it is when storage is reordered */
  /* On several ranks (plan/place.h): */
  int64_t first, all;   /* global index of the first element that this rank declared; elements of all ranks */
  int64_t ids;          /* global indices are below; more than `all` once elements have gone for ever */
  int declared;         /* elements that this rank declared */
  struct pl_halo *halo; /* core/halo.h; NULL: loose */
  bool marked;          /* scratch of plan/place.c */
  bool travels;         /* particles: elements come, go and hop, so chains make nothing of its maps */
  uint64_t moved;       /* how often its elements came to other places in storage or to other ranks */
  struct pl_cuts *cuts; /* of particles: which rank owns what place (plan/settle.h); NULL: not cut yet */
};

/* A map: index[arity * e + k], every value in [0, to) or negative. A ragged map has arity 0 and `offset`: row
 * e is index[offset[e] .. offset[e + 1]), without negative values. On several ranks a loose map has `far`
 * instead of `index`. */
struct pl_map {
  pl_node node;
  pl_set *from, *to;
  int arity;
  int *offset;                  /* from->part[3] + 1, or NULL: a fixed arity */
  int *index;                   /* NULL: undefined */
  bool has_negative;            /* some entry is negative */
  bool apart;                   /* no target is reached twice: what goes through it never collides */
  void *device, *device_offset; /* the backend's copies */
  pl_dat *where;             /* of a chain's map: only rows where this dat of `from` is not zero are read */
  bool made;                 /* a chain's: from other maps, in the order of storage (codegen/workshop.h) */
  bool pair_map;             /* it lists pairs that are near; no offset, no index */
  struct pl_pairs *pairs;    /* its pairs, once asked for */
  struct pl_mover *mover;    /* its particles hop (core/move.h); else NULL */
  int *shown, *shown_offset; /* the indices as users see them, once asked for */
  bool looked;               /* renumbering has looked at it */
  struct pl_halo *halo;      /* what it reaches of its end's halo, where that is little; NULL: all */
  int64_t *far;              /* of a loose map: global indices of owned rows; then index is NULL */
  bool lent; /* or they were shown the arrays themselves: these stay as they are when storage is reordered */
};

/* A dat: values element by element. host is NULL until first used (zeros). Where valid copies are:
 * docs/internals.md; with a host backend only the host copy exists. */
enum { PL_SOA = 0, PL_AOS = 1 };

struct pl_dat {
  pl_node node;
  pl_set *set;
  int dim, rank;
  int *shape; /* rank extents */
  pl_type type;
  void *host, *device;
  int
    layout; /* of the device copy: PL_AOS, PL_SOA, or V > 1: tiles of V elements, components apart in each */
  int pack; /* values that stay together where components are apart (layout.h) */
  bool local;                   /* of a loop in blocks: it lives in the memory of each block, never stored */
  bool pinned;                  /* the layout was asked for, or somebody has seen it: it stays */
  bool host_stale;              /* host storage exists, but only the device copy is valid */
  bool device_valid;            /* the device copy is valid */
  bool halo_stale;              /* other ranks may have changed what the halo copies; the same on all ranks */
  const struct pl_halo *partly; /* these copies are up to date all the same if the version is partly_at */
  uint64_t partly_at;
  pl_access frozen; /* 0, or the only access that loops may have, without exchanges */
  uint64_t version;
  int readers;       /* open PL_READ views */
  bool writer;       /* an open PL_RW or PL_WRITE view */
  void *shown;       /* the values as the open view shows them, where the set has a view; else NULL */
  uint64_t checksum; /* of a PL_READ view, with PLAIT_CHECK */
  int room;          /* elements that the device copy has room for */
  pl_dat *spare;     /* no object: the storage that an alignment fills, kept for the next one; or NULL */
};

typedef struct pl_total pl_total;

struct pl_global {
  pl_node node;
  int dim;
  pl_type type;
  void *value;
  void *device;
  bool host_stale, device_valid; /* as in a dat */
  void *kept;                    /* on several ranks: the value while a device works on a neutral one */
  void *fetched;                 /* an event: until then the device's value is read, and stays; or NULL */
  uint64_t fetched_at;           /* the backend's own */
  int coming;                    /* reductions on their way, which the value does not hold yet (total.h) */
  bool own;                      /* the library's: a number that a loop is handed (algebra.c) */
};

struct pl_const {
  pl_node node;
  int dim;
  pl_type type;
  void *value;
};

/* A helper function, by its text. */
typedef struct pl_helper {
  pl_node node;
  pl_function text;
} pl_helper;

/* A kernel from source: the public struct, its options and copies of all strings. */
typedef struct pl_source_kernel {
  pl_node node;
  pl_kernel kernel; /* kernel.extra points to this struct */
  bool own;         /* the library has made it: its loops may see whole dats (PL_WHOLE) */
  pl_kernel_options options;
} pl_source_kernel;

/* Frees an object of each kind, whatever still refers to it: for pl_finalize and the pl_*_free functions. */
void pl_set_destroy(pl_node *set);
void pl_map_destroy(pl_node *map);
void pl_domain_destroy(pl_node *domain);
void pl_dat_destroy(pl_node *dat);
void pl_global_destroy(pl_node *global);
void pl_const_destroy(pl_node *constant);
void pl_helper_destroy(pl_node *helper);
void pl_kernel_destroy(pl_node *kernel);

/* Bytes per element; and of the storage on one side, with what is kept free. */
size_t pl_dat_stride(const pl_dat *dat);
size_t pl_dat_room_bytes(const pl_dat *dat);

/* Elements that storage of the set's dats has room for; and storage for at least so many (resize.c). */
int pl_set_room(const pl_set *set);
pl_err pl_set_make_room(pl_set *set, int64_t n);

/* PL_ERR_TYPE unless the dats have the same set, type and dim. */
pl_err pl_dat_check_like(const char *what, const pl_dat *a, const pl_dat *b);
/* PL_ERR_ARG unless `subset` is the dat's set or a subset of it. */
pl_err pl_dat_check_subset(const char *what, const pl_dat *dat, const pl_set *subset);

/* A dat of one value an element for the library's own work. Local. */
pl_err pl_dat_new(pl_set *set, pl_type type, const char *name, pl_dat **dat);

/* All of a dat becomes zero, at once and without a new version (dat.c). */
pl_err pl_dat_zero_now(pl_dat *dat);

/* Elements from begin to end - 1 become zero, wherever valid values are (resize.c). */
pl_err pl_dat_zero_elements(pl_dat *dat, int begin, int end);

/* Entries of a map for all elements; and where those of an element begin, up to all elements. */
size_t pl_map_entries(const pl_map *map);
static inline size_t pl_map_begin(const pl_map *map, size_t element)
{
  return map->offset ? (size_t)map->offset[element] : element * (size_t)map->arity;
}

/* A map of any kind entered into its context; takes `offset` (NULL: fixed arity) and `index` over, on success
 * only. */
pl_err pl_map_new(pl_set *from, pl_set *to, int arity, int *offset, int *index, const char *name,
                  pl_map **map);
/* A map of a fixed arity whose indices, an array (pl_malloc_array) or NULL, are in the order of storage; it
 * takes the array, or frees it when it fails. */
pl_err pl_map_enter(pl_set *from, pl_set *to, int arity, int *index, const char *name, pl_map **map);
/* That `from` and `to` can be the ends of a map. */
pl_err pl_map_check_ends(const pl_set *from, const pl_set *to, const char *name);

/* The set itself, or the parent of a subset. */
pl_set *pl_set_base(pl_set *set);
int pl_set_rows(
  const pl_set *set); /* that come with a declaration: on several ranks halos are the library's */

/* view.c: between the order of storage and the order that users see.
 *
 * shown[i] = stored[view[i]] and back, for i < n records of `stride` bytes of a set. */
void pl_view_out(const pl_set *set, int n, size_t stride, const void *stored, void *shown);
void pl_view_in(const pl_set *set, int n, size_t stride, const void *shown, void *stored);

/* to[i] = from[list[i]] for i < n records. */
void pl_gather_records(int n, size_t stride, const int *list, const void *from, void *to);

/* The view of a set that is `unsorted`: owned elements by ascending global index, the rest as it is stored.
 */
void pl_view_sort(const pl_set *set);

/* The view for those who look at all of it; NULL: the order of storage. */
static inline const int *pl_view(const pl_set *set)
{
  if (set->unsorted) pl_view_sort(set);
  return set->view;
}

/* Where position i of the set's view is in storage. */
static inline int pl_view_at(const pl_set *set, int i)
{
  const int *view = pl_view(set);
  return view ? view[i] : i;
}

/* The inverse: the view position of each element in storage, in an array for the caller to free; NULL for a
 * set without a view. */
pl_err pl_view_positions(const pl_set *set, int **position);

/* What users call an element in storage, and one at a position of the view: its global index. */
int64_t pl_element_number(const pl_set *set, int element);
int64_t pl_view_number(const pl_set *set, int position);

/* state.c: the only place where a dat or global changes state.
 *
 * Host storage of a dat, taken now if need be and holding valid values unless `overwrite`. NULL with the
 * error set. */
void *pl_dat_host(pl_dat *dat, bool overwrite);
void *pl_dat_host_now(pl_dat *dat, bool overwrite); /* recorded loops do not matter, or have been looked at */
void pl_dat_host_written(pl_dat *dat);              /* the host copy is now the only valid one */

/* The device copy for a loop: there, and valid if the loop `reads` what is there before. */
pl_err pl_dat_device(pl_dat *dat, bool reads);
void pl_dat_device_written(pl_dat *dat); /* the device copy is now the only valid one */

/* Fixes the layout of the device copy for those who see it: what was asked for, else element by element. */
pl_err pl_dat_pin_layout(pl_dat *dat);

/* The device copy given back; it is not the only valid one. */
void pl_dat_leave_device(pl_dat *dat);

/* The spare of a dat: an object of no list with storage, where work is done, in the dat's layout. */
pl_err pl_dat_take_spare(pl_dat *dat);
void pl_dat_drop_spare(pl_dat *dat);

/* Storage of a dat on both sides given back, and that of its spare. */
void pl_dat_release(pl_dat *dat);

/* The host value of a global, valid; and the marks of either side having been written. */
pl_err pl_global_host(pl_global *global);
void pl_global_host_written(pl_global *global);
void pl_global_device_written(pl_global *global);

/* Waits for reductions on their way: the value holds them then. Local, but it needs the others' parts. */
pl_err pl_global_wait(pl_global *global);

/* Looks a const or helper up by name; NULL if there is none. */
pl_const *pl_const_find(pl_context *pl, const char *name, size_t length);
const pl_function *pl_function_find(pl_context *pl, const char *name, size_t length);

/* The options of a kernel: those of pl_kernel_from_source, or all zero. */
const pl_kernel_options *pl_kernel_extras(const pl_kernel *kernel);

/* A kernel of the library's own, which may see whole dats. */
bool pl_kernel_is_own(const pl_kernel *kernel);

/* What to add to a compiler's or a linker's messages: "", or a line where they say that a name is unknown. */
const char *pl_kernel_hint(const char *messages);

/* For each type: whether it is complex, its real part's type, whether it is an integer. */
bool pl_type_is_complex(pl_type type);
bool pl_type_is_integer(pl_type type);
bool pl_type_is_signed(pl_type type); /* of integers */
pl_type pl_type_base(pl_type type);
/* Value n of a type that is not complex, as near as a double comes to it. */
double pl_value(pl_type type, const void *values, size_t n);

/* *into = *into (op) *value for `count` values of a (non-complex for MIN, MAX) type. */
void pl_combine(pl_type type, pl_access op, void *into, const void *value, size_t count);

/* The neutral element of INC, MIN or MAX, `count` times. */
void pl_neutral(pl_type type, pl_access op, void *values, size_t count);

#endif
