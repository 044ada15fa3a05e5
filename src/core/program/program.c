/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs: compilation, arguments, launch. Arguments are checked against the kernel's text; dats
 * follow the host/device coherence as in loops.
 */
#include "program.h"
#include "core/arrays/user_order_copy.h"
#include "core/base/clock.h"
#include "core/chain/deferred_queue.h"
#include "core/data/objects.h"
#include "core/loop/profile.h"
#include "core/tools/tools.h"
#include <string.h>

/* ---- programs ---- */

static pl_err add_defines(const char *const *defines, const char *shown, pl_string *text)
{
  for (; defines && *defines; defines++) {
    size_t length = strcspn(*defines, "=");
    if (!length || strchr(*defines, '\n'))
      return pl_fail(text->pl, PL_ERR_ARG,
                     "program \"%s\": \"%.40s\" is not a define; write NAME or NAME=VALUE", shown, *defines);
    pl_string_add(text, "#define %.*s %s\n", (int)length, *defines,
                  (*defines)[length] ? *defines + length + 1 : "");
  }
  return pl_string_check(text);
}

static pl_err fill_program(pl_program *program, const char *source, const char *const *defines)
{
  pl_context *pl = program->node.pl;
  pl_string text;
  pl_string_init(&text, pl);
  pl_err err = add_defines(defines, program->node.name, &text);
  if (!err) program->defines = pl_strdup(pl, pl_string_chars(&text));
  pl_string_free(&text);
  if (err) return err;
  program->source = pl_strdup(pl, source);
  if (!program->defines || !program->source) return pl_fail_memory(pl, strlen(source) + 1);
  program->real = pl_real_type(pl);
  program->mixed = pl_mixed_type(pl);
  return pl->backend->programs->program_make(pl, program);
}

pl_err pl_program_create(pl_context *pl, const char *source, const char *const *defines, const char *name,
                         pl_program **result)
{
  PL_TRY(pl_context_check(pl));
  const char *shown = name ? name : "(unnamed)";
  PL_TRY(PL_GIVEN_FOR(pl, "pl_program_create", shown, source, result));
  if (!pl->backend->programs)
    return pl_fail(pl, PL_ERR_BACKEND, "program \"%s\": backend %s runs no programs", shown,
                   pl->backend->name);
  pl_program *program = pl_node_new(pl, &pl->programs, sizeof *program, name);
  if (!program) return PL_ERR_MEMORY;
  double start = pl_now();
  pl_err err = fill_program(program, source, defines);
  program->setup_seconds = pl_now() - start;
  if (err) return pl_program_destroy(&program->node), err;
  *result = program;
  return PL_SUCCESS;
}

void pl_tasks_free(pl_program *program)
{
  pl_context *pl = program->node.pl;
  for (int k = 0; k < program->ntasks; k++) {
    pl_task *task = &program->task[k];
    for (int i = 0; task->formal && i < task->nformals; i++) {
      pl_free_all(pl, task->formal[i].name, task->formal[i].text);
    }
    pl_free_all(pl, task->formal, task->name);
  }
  pl_free(pl, program->task);
  program->task = NULL;
  program->ntasks = 0;
}

void pl_program_destroy(pl_node *node)
{
  pl_program *program = (pl_program *)node;
  pl_context *pl = node->pl;
  if (program->code) pl->backend->programs->program_free(pl, program);
  pl_tasks_free(program);
  pl_free_all(pl, program->source, program->defines);
  pl_node_free(node);
}

void pl_program_free(pl_program **handle)
{
  if (!handle || !*handle) return;
  pl_program *program = *handle;
  *handle = NULL;
  if (program->ref)
    pl_log(program->node.pl, 0, "program \"%s\" is still used by %d kernels and stays until pl_finalize",
           program->node.name, program->ref);
  else
    pl_program_destroy(&program->node);
}

const pl_task *pl_task_find(const pl_program *program, const char *name)
{
  for (int k = 0; k < program->ntasks; k++)
    if (!strcmp(program->task[k].name, name)) return &program->task[k];
  return NULL;
}

/* ---- entries ---- */

static pl_err unknown_task(const pl_program *program, const char *name)
{
  pl_string list;
  pl_string_init(&list, program->node.pl);
  for (int k = 0; k < program->ntasks; k++)
    pl_string_add(&list, "%s%s", k ? ", " : "", program->task[k].name);
  pl_err err = pl_fail(program->node.pl, PL_ERR_KERNEL, "program \"%s\" has no kernel \"%s\"; it has %s",
                       program->node.name, name, list.length ? pl_string_chars(&list) : "none");
  pl_string_free(&list);
  return err;
}

static pl_err fill_entry(pl_entry *entry)
{
  pl_context *pl = entry->node.pl;
  pl_program *program = entry->program;
  size_t slots = (size_t)entry->task->nformals;
  PL_TRY(PL_NEW(pl, entry->slot, slots));
  PL_TRY(pl->backend->programs->entry_make(pl, entry));
  entry->line = pl_profile_line(pl, entry->node.name, program->node.name);
  if (!entry->line) return PL_ERR_MEMORY;
  pl_profile_setup(entry->line, program->setup_seconds);
  program->setup_seconds = 0;
  return PL_SUCCESS;
}

pl_err pl_program_kernel(pl_program *program, const char *name, pl_entry **result)
{
  PL_TRY_GIVEN(program);
  pl_context *pl = program->node.pl;
  PL_TRY(PL_GIVEN(pl, "pl_program_kernel", name, result));
  const pl_task *task = pl_task_find(program, name);
  if (!task) return unknown_task(program, name);
  pl_entry *entry = pl_node_new(pl, &pl->entries, sizeof *entry, name);
  if (!entry) return PL_ERR_MEMORY;
  entry->program = program;
  entry->task = task;
  program->ref++;
  pl_err err = fill_entry(entry);
  if (err) return pl_entry_destroy(&entry->node), err;
  *result = entry;
  return PL_SUCCESS;
}

void pl_entry_destroy(pl_node *node)
{
  pl_entry *entry = (pl_entry *)node;
  pl_context *pl = node->pl;
  for (int i = 0; entry->slot && i < entry->task->nformals; i++) pl_free(pl, entry->slot[i].value);
  pl_free(pl, entry->slot);
  entry->program->ref--;
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_entry_free, pl_entry, pl_entry_destroy)

static void forget_dat(pl_context *pl, pl_object_kind kind, void *dat)
{
  PL_EACH (pl_entry, entry, kind == PL_OBJECT_DAT ? pl->entries : NULL)
    for (int i = 0; i < entry->task->nformals; i++)
      if (entry->slot[i].dat == dat) entry->slot[i].dat = NULL;
}

const pl_observer pl_program_observer = {.object_freed = forget_dat};

/* ---- arguments ---- */

/* Fails with a sentence about a parameter and the line of its kernel. */
#define REJECT(entry, i, code, format, ...)                                                                  \
  pl_fail((entry)->node.pl, code, "kernel \"%s\" (%s:%d), parameter %d (%s%s): " format, (entry)->node.name, \
          (entry)->program->node.name, (entry)->task->line, (i) + 1, (entry)->task->formal[i].text,          \
          (entry)->task->formal[i].name, __VA_ARGS__)

static pl_err check_position(const pl_entry *entry, int i)
{
  if (i >= 0 && i < entry->task->nformals) return PL_SUCCESS;
  return pl_fail(entry->node.pl, PL_ERR_RANGE,
                 "kernel \"%s\" (%s:%d) has %d parameters; there is none at position %d (from 0)",
                 entry->node.name, entry->program->node.name, entry->task->line, entry->task->nformals, i);
}

/* Whether a parameter's values can be those of a dat; vectors must divide its records. */
static pl_err check_dat(const pl_entry *entry, int i, const pl_dat *dat, pl_access access)
{
  const pl_formal *formal = &entry->task->formal[i];
  const char *name = dat->node.name;
  int values = dat->dim * (pl_type_is_complex(dat->type) ? 2 : 1);
  if (dat->node.pl != entry->node.pl)
    return REJECT(entry, i, PL_ERR_ARG, "dat \"%s\" belongs to another context", name);
  if (!formal->pointer)
    return REJECT(entry, i, PL_ERR_TYPE, "dat \"%s\" needs a pointer; set a value by pl_entry_value", name);
  if (access != PL_READ && access != PL_WRITE && access != PL_RW && access != PL_INC)
    return REJECT(entry, i, PL_ERR_ACCESS,
                  "dat \"%s\": the access must be PL_READ, PL_WRITE, PL_RW or PL_INC", name);
  if (access != PL_READ && formal->constant)
    return REJECT(entry, i, PL_ERR_ACCESS, "dat \"%s\" is written, but the parameter is const", name);
  if (formal->type == PL_TYPE_COUNT) return PL_SUCCESS;
  if (formal->type != pl_type_base(dat->type))
    return REJECT(entry, i, PL_ERR_TYPE, "dat \"%s\" holds %s", name, pl_type_name(dat->type));
  if (values % formal->width)
    return REJECT(entry, i, PL_ERR_TYPE,
                  "dat \"%s\" holds %d values an element, not a multiple of the vector size", name, values);
  return PL_SUCCESS;
}

pl_err pl_entry_dat(pl_entry *entry, int position, pl_dat *dat, pl_access access)
{
  PL_TRY_GIVEN(entry);
  PL_TRY(check_position(entry, position));
  if (!dat) return REJECT(entry, position, PL_ERR_ARG, "%s", "the dat is NULL");
  PL_TRY(check_dat(entry, position, dat, access));
  PL_TRY(pl_dat_pin_layout(dat));
  entry->slot[position].dat = dat;
  entry->slot[position].access = access;
  return PL_SUCCESS;
}

static bool is_floating(pl_type type)
{
  return type == PL_FLOAT || type == PL_DOUBLE;
}

/* Checks the size of a type that the program defines. */
static pl_err check_own_size(const pl_entry *entry, int i, size_t size)
{
  pl_context *pl = entry->node.pl;
  pl_formal *formal = &entry->task->formal[i];
  if (!formal->size) PL_TRY(pl->backend->programs->entry_size(pl, entry, i, &formal->size));
  return size == formal->size ? PL_SUCCESS
                              : REJECT(entry, i, PL_ERR_TYPE, "%zu bytes were given, but its type takes %zu",
                                       size, formal->size);
}

static pl_err check_value(const pl_entry *entry, int i, pl_type type, int count, const void *value)
{
  const pl_formal *formal = &entry->task->formal[i];
  bool own = formal->type == PL_TYPE_COUNT && !formal->pointer;
  if (!value) return REJECT(entry, i, PL_ERR_ARG, "%s", "the value is NULL");
  if (!pl_type_size(type)) return REJECT(entry, i, PL_ERR_TYPE, "%d is not a type", (int)type);
  if (count < 1) return REJECT(entry, i, PL_ERR_RANGE, "%d values", count);
  if (formal->pointer)
    return REJECT(entry, i, PL_ERR_TYPE, "%s", "a pointer needs a dat; set it by pl_entry_dat");
  if (own) return check_own_size(entry, i, (size_t)count * pl_type_size(type));
  if (type != formal->type && !(is_floating(type) && is_floating(formal->type)))
    return REJECT(entry, i, PL_ERR_TYPE, "a value of %s was given", pl_type_name(type));
  if (count != formal->width)
    return REJECT(entry, i, PL_ERR_TYPE, "%d values were given for a type of %d", count, formal->width);
  return PL_SUCCESS;
}

pl_err pl_entry_value(pl_entry *entry, int position, pl_type type, int count, const void *value)
{
  PL_TRY_GIVEN(entry);
  pl_context *pl = entry->node.pl;
  PL_TRY(check_position(entry, position));
  PL_TRY(check_value(entry, position, type, count, value));
  pl_type wanted = entry->task->formal[position].type;
  bool converts = wanted != PL_TYPE_COUNT && wanted != type;
  size_t size = (size_t)count * pl_type_size(converts ? wanted : type);
  void *copy = pl_memdup(pl, value, (size_t)count * pl_type_size(type));
  if (copy && converts) {
    void *other = pl_malloc(pl, size);
    if (other) pl_convert(type, copy, wanted, other, (size_t)count);
    pl_free(pl, copy);
    copy = other;
  }
  if (!copy) return pl_fail_memory(pl, size);
  pl_free(pl, entry->slot[position].value);
  entry->slot[position].value = copy;
  entry->slot[position].size = size;
  return PL_SUCCESS;
}

/* ---- launching ---- */

pl_err pl_entry_block_limit(pl_entry *entry, int *limit)
{
  PL_TRY_GIVEN(entry);
  PL_TRY(PL_GIVEN(entry->node.pl, "pl_entry_block_limit", limit));
  return entry->node.pl->backend->programs->entry_limit(entry->node.pl, entry, limit);
}

static pl_err check_slots(const pl_entry *entry)
{
  for (int i = 0; i < entry->task->nformals; i++) {
    const pl_slot_value *slot = &entry->slot[i];
    if (!slot->dat && !slot->value)
      return REJECT(entry, i, PL_ERR_STATE, "%s", "it is not set; set it before the launch");
    if (slot->dat && pl_dat_view_blocks(slot->dat, slot->access != PL_READ))
      return REJECT(entry, i, PL_ERR_STATE, "a %s view of dat \"%s\" is open; close it with %s first",
                    pl_view_kind(slot->dat), slot->dat->node.name, pl_view_end(slot->dat));
  }
  return PL_SUCCESS;
}

/* A dat in two slots is read, or written, if either slot reads, or writes, it. */
static bool is_first(const pl_entry *entry, int i)
{
  for (int k = 0; k < i; k++)
    if (entry->slot[k].dat == entry->slot[i].dat) return false;
  return entry->slot[i].dat != NULL;
}

/* Whether a slot accesses the dat other than by `except`: reads it (PL_WRITE), or writes it (PL_READ). */
static bool has_access(const pl_entry *entry, const pl_dat *dat, pl_access except)
{
  for (int i = 0; i < entry->task->nformals; i++)
    if (entry->slot[i].dat == dat && entry->slot[i].access != except) return true;
  return false;
}

static double bytes_of(const pl_entry *entry)
{
  double bytes = 0;
  for (int i = 0; i < entry->task->nformals; i++) {
    const pl_dat *dat = entry->slot[i].dat;
    if (is_first(entry, i))
      bytes +=
        (double)pl_dat_nbytes(dat) * (has_access(entry, dat, PL_WRITE) + has_access(entry, dat, PL_READ));
  }
  return bytes;
}

/* Runs the groups on copies in user order. Ending a copy that was not begun has no effect. */
static pl_err run_groups(const pl_launch *launch)
{
  const pl_entry *entry = launch->entry;
  pl_context *pl = entry->node.pl;
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < entry->task->nformals && !err; i++)
    if (is_first(entry, i))
      err = pl_user_order_copy_begin(entry->slot[i].dat, has_access(entry, entry->slot[i].dat, PL_WRITE));
  if (!err) err = pl->backend->programs->entry_run(pl, launch);
  for (int i = 0; i < entry->task->nformals; i++) {
    pl_dat *dat = entry->slot[i].dat;
    if (!is_first(entry, i)) continue;
    bool written = !err && has_access(entry, dat, PL_READ);
    pl_err end = pl_user_order_copy_end(dat, written);
    if (written && !end) {
      pl_dat_written(dat);
      dat->version++;
    }
    if (!err) err = end;
  }
  return err;
}

/* Equal on all ranks, even without work items on this one. */
static void mark_halos(const pl_entry *entry)
{
  for (int i = 0; i < entry->task->nformals; i++)
    if (entry->slot[i].dat && entry->slot[i].access != PL_READ) pl_dat_halo_outdated(entry->slot[i].dat);
}

static pl_err choose_block(pl_entry *entry, int *block)
{
  enum { USUAL = 128 };
  pl_context *pl = entry->node.pl;
  int limit, asked = *block ? *block : (int)pl_opt_count(pl, PL_OPT_BLOCK_SIZE);
  PL_TRY(pl->backend->programs->entry_limit(pl, entry, &limit));
  if (*block < 0 || *block > limit)
    return pl_fail(pl, PL_ERR_RANGE, "kernel \"%s\": a block of %d work items; it can have 1 to %d",
                   entry->node.name, *block, limit);
  *block = asked ? asked : USUAL;
  if (*block > limit) *block = limit;
  return PL_SUCCESS;
}

pl_err pl_entry_run(pl_entry *entry, int64_t threads, int block)
{
  PL_TRY_GIVEN(entry);
  pl_context *pl = entry->node.pl;
  if (threads < 0 || threads > INT32_MAX - 1024)
    return pl_fail(pl, PL_ERR_RANGE, "kernel \"%s\": %lld work items; there can be 0 to %d", entry->node.name,
                   (long long)threads, INT32_MAX - 1024);
  PL_TRY(choose_block(entry, &block));
  PL_TRY(check_slots(entry));
  PL_TRY(pl_flush_to_write(pl));
  mark_halos(entry);
  if (!threads) return PL_SUCCESS;
  const double start = pl_now(), bytes = bytes_of(entry);
  const pl_launch launch = {entry, (int)((threads + block - 1) / block), block};
  pl_event_begin(pl, PL_TOOL_LOOP, entry->node.name, entry->program->node.name, bytes);
  pl_err err = run_groups(&launch);
  pl_event_end(pl, PL_TOOL_LOOP);
  PL_TRY(err);
  pl->stats.launches++;
  return pl_profile_launch(pl, entry->line, start, block, bytes);
}
