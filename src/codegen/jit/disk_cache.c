/* SPDX-License-Identifier: BSD-2-Clause
 * The disk cache: entries, and the jobs that write them.
 *
 * dlopen maps only the segments that the ELF headers name, so it ignores the key and footer behind them.
 */
#include "disk_cache.h"
#include "cache_folder.h"
#include "core/base/hash.h"
#include "core/context/memory.h"
#include "core/context/options.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  SLOTS = 4,           /* for keys with one hash */
  NAME_LENGTH = 40,    /* of a label in a file name */
  SIZE_LIMIT = 1 << 30 /* of an entry in bytes */
};

struct pl_cache {
  pl_context *pl;
  pl_string shared; /* empty: not chosen yet, or none */
  pl_string own;    /* the private folder; empty until needed */
  pid_t owner;      /* of the private folder; a forked child does not remove it */
  bool looked, writable;
};

/* The end of an entry. The checksum covers everything before it. */
typedef struct footer {
  char magic[8];
  uint64_t code_size, key_size, checksum;
} footer;

static const char magic[8] = "plaitso1";

/* ---- small tools ---- */

static bool write_all(int fd, const void *bytes, size_t size)
{
  for (const char *p = bytes; size;) {
    ssize_t n = write(fd, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    size -= (size_t)n;
  }
  return true;
}

/* Reads a whole file into a new block with `extra` unused bytes; *bytes stays NULL if it cannot be read. */
static pl_err read_all(pl_context *pl, const char *path, size_t extra, char **bytes, size_t *size)
{
  struct stat info;
  *bytes = NULL;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return PL_SUCCESS;
  bool good = !fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_size < SIZE_LIMIT;
  size_t wanted = good ? (size_t)info.st_size : 0, length = 0;
  if (good) *bytes = pl_malloc(pl, wanted + extra);
  for (ssize_t n; *bytes && length < wanted; length += (size_t)n)
    if ((n = read(fd, *bytes + length, wanted - length)) <= 0) break;
  close(fd);
  if (good && !*bytes) return pl_fail_memory(pl, wanted);
  if (length < wanted) {
    pl_free(pl, *bytes);
    *bytes = NULL;
  }
  *size = wanted;
  return PL_SUCCESS;
}

static uint64_t key_hash(const pl_string *key)
{
  return pl_hash(PL_HASH_START, pl_string_chars(key), key->length);
}

/* ---- the private folder ---- */

static pl_err create_private_folder(pl_cache *cache)
{
  const char *base = getenv("TMPDIR");
  if (cache->own.length && cache->owner == getpid()) return PL_SUCCESS;
  pl_string_free(&cache->own);
  pl_string_add(&cache->own, "%s/plait-XXXXXX", base && *base == '/' ? base : "/tmp");
  pl_err err = pl_string_check(&cache->own);
  cache->owner = getpid();
  if (!err && mkdtemp(cache->own.data)) return PL_SUCCESS;
  if (!err)
    err = pl_fail(
      cache->pl, PL_ERR_IO,
      "no temporary folder \"%s\" for compiled code could be created (%s): set PLAIT_CACHE_DIR or TMPDIR "
      "to a folder that can be written",
      cache->own.data, strerror(errno));
  pl_string_free(&cache->own);
  return err;
}

/* Removes the private folder except sources that were kept. */
static void remove_private_folder(pl_cache *cache)
{
  if (!cache->own.length || cache->owner != getpid()) return;
  DIR *folder = opendir(cache->own.data);
  for (struct dirent *file; folder && (file = readdir(folder));) unlinkat(dirfd(folder), file->d_name, 0);
  if (folder) unlinkat(dirfd(folder), "src", AT_REMOVEDIR);
  if (folder) closedir(folder);
  rmdir(cache->own.data);
}

/* Chooses the shared folder, once. */
static pl_err choose_shared_folder(pl_cache *cache)
{
  if (cache->looked) return PL_SUCCESS;
  PL_TRY(pl_cache_folder_choose(cache->pl, &cache->shared));
  cache->looked = true;
  cache->writable = cache->shared.length > 0;
  return PL_SUCCESS;
}

/* ---- open, close ---- */

pl_err pl_cache_open(pl_context *pl, pl_cache **result)
{
  pl_cache *cache = *result = pl_calloc(pl, 1, sizeof *cache);
  if (!cache) return pl_fail_memory(pl, sizeof *cache);
  cache->pl = pl;
  pl_string_init(&cache->shared, pl);
  pl_string_init(&cache->own, pl);
  return PL_SUCCESS;
}

void pl_cache_close(pl_cache **handle)
{
  pl_cache *cache = *handle;
  if (!cache) return;
  remove_private_folder(cache);
  pl_string_free(&cache->shared);
  pl_string_free(&cache->own);
  pl_free(cache->pl, cache);
  *handle = NULL;
}

/* ---- entries ---- */

/* Reads the footer; false if the bytes are not an unaltered entry. */
static bool read_footer(const char *bytes, size_t size, footer *end)
{
  if (size < sizeof *end) return false;
  memcpy(end, bytes + size - sizeof *end, sizeof *end);
  size_t room = size - sizeof *end;
  return !memcmp(end->magic, magic, sizeof magic) && end->code_size <= room &&
         end->key_size == room - end->code_size &&
         end->checksum == pl_hash(PL_HASH_START, bytes, size - sizeof end->checksum);
}

typedef enum slot_state { EMPTY, THIS_KEY, OTHER_KEY } slot_state;

static pl_err inspect_slot(pl_context *pl, const char *path, const pl_string *key, slot_state *state)
{
  char *bytes;
  size_t size;
  footer end;
  *state = EMPTY;
  PL_TRY(read_all(pl, path, 0, &bytes, &size));
  if (bytes && read_footer(bytes, size, &end)) {
    bool same = end.key_size == key->length && !memcmp(bytes + end.code_size, key->data, key->length);
    *state = same ? THIS_KEY : OTHER_KEY;
  }
  pl_free(pl, bytes);
  return PL_SUCCESS;
}

/* The path of the key's entry in a folder, else of the first slot without a valid entry (else the last). */
static pl_err find_slot(pl_context *pl, const pl_string *folder, const pl_string *key, pl_string *path,
                        slot_state *state)
{
  uint64_t hash = key_hash(key);
  for (uint64_t slot = 0; slot < SLOTS; slot++) {
    pl_string_free(path);
    pl_string_add(path, "%s/%016" PRIx64 ".so", folder->data, hash + slot);
    PL_TRY(pl_string_check(path));
    PL_TRY(inspect_slot(pl, path->data, key, state));
    if (*state != OTHER_KEY) return PL_SUCCESS;
  }
  return PL_SUCCESS;
}

pl_err pl_cache_find(pl_cache *cache, const pl_string *key, pl_string *path)
{
  slot_state state = EMPTY;
  PL_TRY(choose_shared_folder(cache));
  if (cache->shared.length) PL_TRY(find_slot(cache->pl, &cache->shared, key, path, &state));
  if (state == THIS_KEY)
    utimensat(AT_FDCWD, path->data, NULL, 0);
  else
    pl_string_free(path);
  return PL_SUCCESS;
}

/* ---- jobs ---- */

static const pl_string *folder_of(const pl_cache *cache, pl_cache_place place)
{
  return place == PL_CACHE_SHARED ? &cache->shared : &cache->own;
}

/* A folder cannot be written. The shared one is not used any more, with one warning. */
static pl_err give_up_folder(pl_cache *cache, pl_cache_place place, int failure)
{
  const char *folder = folder_of(cache, place)->data, *why = strerror(failure);
  if (place == PL_CACHE_PRIVATE)
    return pl_fail(cache->pl, PL_ERR_IO,
                   "compiled code cannot be written into \"%s\" (%s): set PLAIT_CACHE_DIR or TMPDIR to a "
                   "folder with free space",
                   folder, why);
  if (cache->writable)
    pl_log(cache->pl, 0,
           "cache folder \"%s\" cannot be written (%s): compiled code goes to a temporary folder", folder,
           why);
  cache->writable = false;
  return PL_ERR_IO;
}

/* Reserves a file name that no other process or context uses; 0 or an errno. */
static int reserve_name(const pl_string *folder, pl_string *stem, pl_string *log)
{
  for (unsigned n = 0;; n++) {
    pl_string_free(stem);
    pl_string_free(log);
    pl_string_add(stem, "%s/.plait-%ld-%u", folder->data, (long)getpid(), n);
    pl_string_add(log, "%s.log", pl_string_chars(stem));
    if (stem->failed || log->failed) return ENOMEM;
    int fd = open(log->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) return close(fd) ? errno : 0;
    if (errno != EEXIST) return errno;
  }
}

/* Names the source after label and hash; other characters than letters and digits become underscores. */
static void name_source(const pl_string *folder, const pl_jit_source *source, const pl_string *key,
                        pl_string *path)
{
  char label[NAME_LENGTH + 1];
  snprintf(label, sizeof label, "%s", source->label);
  for (char *p = label; *p; p++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *p)) *p = '_';
  pl_string_add(path, "%s/src/%s-%016" PRIx64 ".%s", folder->data, label, key_hash(key),
                source->cpp ? "cpp" : "c");
}

/* Writes a file from two texts; 0 or an errno. */
static int write_file(const char *path, const char *head, const char *bytes, size_t size, mode_t mode)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0) return errno;
  int failure = write_all(fd, head, strlen(head)) && write_all(fd, bytes, size) ? 0 : errno;
  return close(fd) && !failure ? errno : failure;
}

/* Writes a temporary file and renames it: concurrent compilations read a complete source. 0 or an errno. */
static int write_source(const pl_jit_source *source, const char *temporary, const char *path)
{
  int failure =
    write_file(temporary, source->head ? source->head : "", source->text, strlen(source->text), 0600);
  if (!failure && rename(temporary, path)) failure = errno;
  if (failure) unlink(temporary);
  return failure;
}

static int create_source_folder(const pl_string *folder, pl_string *path)
{
  pl_string_add(path, "%s/src", folder->data);
  int failure = path->failed ? ENOMEM : mkdir(path->data, 0700) ? errno : 0;
  pl_string_free(path);
  return failure == EEXIST ? 0 : failure;
}

static pl_err begin_in_folder(pl_cache *cache, const pl_string *folder, const pl_jit_source *source,
                              const pl_string *key, pl_cache_job *job)
{
  int failure = create_source_folder(folder, &job->source);
  if (!failure) failure = reserve_name(folder, &job->binary, &job->log);
  if (failure == ENOMEM) return pl_fail_memory(cache->pl, PATH_MAX);
  if (failure) return give_up_folder(cache, job->place, failure);
  name_source(folder, source, key, &job->source);
  PL_TRY(pl_string_check(&job->source));
  failure = write_source(source, job->binary.data, job->source.data);
  if (failure) return give_up_folder(cache, job->place, failure);
  pl_string_add(&job->report, "%s.report", job->binary.data);
  pl_string_add(&job->binary, ".so");
  PL_TRY(pl_string_check(&job->report));
  return pl_string_check(&job->binary);
}

pl_err pl_cache_begin(pl_cache *cache, pl_cache_place place, const pl_jit_source *source,
                      const pl_string *key, pl_cache_job *job)
{
  pl_context *pl = cache->pl;
  job->place = place;
  pl_string *const paths[] = {&job->source, &job->binary, &job->log, &job->report, &job->entry};
  for (int i = 0; i < 5; i++) pl_string_init(paths[i], pl);
  if (place == PL_CACHE_PRIVATE)
    PL_TRY(create_private_folder(cache));
  else if (!cache->writable)
    return PL_ERR_IO;
  return begin_in_folder(cache, folder_of(cache, place), source, key, job);
}

/* Appends key and footer to the compiled library; 0 or an errno. */
static int append_tail(const pl_cache_job *job, const char *tail, size_t size)
{
  int fd = open(job->binary.data, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return errno;
  int failure = write_all(fd, tail, size) && !fchmod(fd, 0700) ? 0 : errno;
  if (!failure && job->place == PL_CACHE_SHARED && fsync(fd)) failure = errno;
  return close(fd) && !failure ? errno : failure;
}

static pl_err append_key(pl_cache *cache, const pl_cache_job *job, const pl_string *key)
{
  footer end = {.key_size = key->length};
  char *bytes;
  size_t code_size;
  memcpy(end.magic, magic, sizeof magic);
  PL_TRY(read_all(cache->pl, job->binary.data, key->length + sizeof end, &bytes, &code_size));
  if (!bytes) return give_up_folder(cache, job->place, EIO);
  end.code_size = code_size;
  memcpy(bytes + code_size, key->data, key->length);
  memcpy(bytes + code_size + key->length, &end, sizeof end);
  size_t size = code_size + key->length + sizeof end;
  end.checksum = pl_hash(PL_HASH_START, bytes, size - sizeof end.checksum);
  memcpy(bytes + size - sizeof end.checksum, &end.checksum, sizeof end.checksum);
  int failure = append_tail(job, bytes + code_size, size - code_size);
  pl_free(cache->pl, bytes);
  return failure ? give_up_folder(cache, job->place, failure) : PL_SUCCESS;
}

pl_err pl_cache_publish(pl_cache *cache, pl_cache_job *job, const pl_string *key)
{
  slot_state state;
  PL_TRY(append_key(cache, job, key));
  PL_TRY(find_slot(cache->pl, folder_of(cache, job->place), key, &job->entry, &state));
  if (rename(job->binary.data, job->entry.data)) return give_up_folder(cache, job->place, errno);
  if (job->place == PL_CACHE_SHARED) pl_cache_folder_evict(cache->pl, cache->shared.data);
  return PL_SUCCESS;
}

void pl_cache_end(pl_cache *cache, pl_cache_job *job, bool keep)
{
  bool ours = job->place == PL_CACHE_PRIVATE && !pl_opt_flag(cache->pl, PL_OPT_DEBUG);
  if (job->binary.length) unlink(job->binary.data);
  if (job->log.length) unlink(job->log.data);
  if (job->report.length) unlink(job->report.data);
  if (job->source.length && ours && !keep) unlink(job->source.data);
  pl_string *const paths[] = {&job->source, &job->binary, &job->log, &job->report, &job->entry};
  for (int i = 0; i < 5; i++) pl_string_free(paths[i]);
}

/* ---- code without a file ---- */

pl_err pl_cache_read(pl_cache *cache, const pl_string *key, pl_string *code)
{
  pl_string path;
  char *bytes = NULL;
  size_t size;
  footer end;
  pl_string_init(&path, cache->pl);
  pl_err err = pl_cache_find(cache, key, &path);
  if (!err && path.length) err = read_all(cache->pl, path.data, 0, &bytes, &size);
  pl_string_free(&path);
  if (bytes && read_footer(bytes, size, &end)) pl_string_add_bytes(code, bytes, end.code_size);
  pl_free(cache->pl, bytes);
  return err ? err : pl_string_check(code);
}

pl_err pl_cache_write(pl_cache *cache, const char *label, const pl_string *key, const pl_string *code)
{
  const pl_jit_source source = {.label = label, .text = pl_string_chars(key)};
  pl_cache_job job = {0};
  PL_TRY(choose_shared_folder(cache));
  if (!cache->shared.length) return PL_ERR_IO;
  pl_err err = pl_cache_begin(cache, PL_CACHE_SHARED, &source, key, &job);
  int failure = err ? 0 : write_file(job.binary.data, "", code->data, code->length, 0700);
  if (failure) err = give_up_folder(cache, PL_CACHE_SHARED, failure);
  if (!err) err = pl_cache_publish(cache, &job, key);
  pl_cache_end(cache, &job, false);
  return err;
}
