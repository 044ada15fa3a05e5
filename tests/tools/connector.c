/* SPDX-License-Identifier: BSD-2-Clause
 * A connector with the functions of Kokkos Tools, and the ranges of NVTX; both write to the file $EVENT_LOG.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct space {
  char name[64];
};

static uint64_t last_id = 100;

#ifdef NVTX
int nvtxRangePushA(const char *name);
int nvtxRangePop(void);
#else
void kokkosp_init_library(int sequence, uint64_t version, uint32_t ndevices, void *devices);
void kokkosp_finalize_library(void);
void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id);
void kokkosp_end_parallel_for(uint64_t id);
void kokkosp_push_profile_region(const char *name);
void kokkosp_pop_profile_region(void);
void kokkosp_begin_deep_copy(struct space to, const char *to_name, const void *to_address, struct space from,
                             const char *from_name, const void *from_address, uint64_t bytes);
void kokkosp_end_deep_copy(void);
#endif

static FILE *open_log(void)
{
  return fopen(getenv("EVENT_LOG"), "a");
}

#define LOG(...)                                                                                             \
  do {                                                                                                       \
    FILE *file = open_log();                                                                                 \
    fprintf(file, __VA_ARGS__);                                                                              \
    fclose(file);                                                                                            \
  } while (0)

#ifdef NVTX

int nvtxRangePushA(const char *name)
{
  LOG("push %s\n", name);
  return (int)last_id++;
}

int nvtxRangePop(void)
{
  LOG("pop\n");
  return 0;
}

#else

void kokkosp_init_library(int sequence, uint64_t version, uint32_t ndevices, void *devices)
{
  (void)devices;
  LOG("init %d %" PRIu64 " %u\n", sequence, version, ndevices);
}

void kokkosp_finalize_library(void)
{
  LOG("finalize\n");
}

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id)
{
  *id = ++last_id;
  LOG("begin %s %u %" PRIu64 "\n", name, device, *id);
}

void kokkosp_end_parallel_for(uint64_t id)
{
  LOG("end %" PRIu64 "\n", id);
}

void kokkosp_push_profile_region(const char *name)
{
  LOG("push %s\n", name);
}

void kokkosp_pop_profile_region(void)
{
  LOG("pop\n");
}

void kokkosp_begin_deep_copy(struct space to, const char *to_name, const void *to_address, struct space from,
                             const char *from_name, const void *from_address, uint64_t bytes)
{
  (void)to_address, (void)from_address;
  LOG("copy %s %s %s %s %" PRIu64 "\n", to.name, to_name, from.name, from_name, bytes);
}

void kokkosp_end_deep_copy(void)
{
  LOG("copied\n");
}

#endif
