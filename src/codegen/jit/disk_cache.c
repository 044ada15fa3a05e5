/* SPDX-License-Identifier: BSD-2-Clause
 * The entries of the disk cache.
 *
 * dlopen maps only the segments that the ELF headers name, so it ignores bytes behind them.
 */
#include "disk_cache.h"
#include "cache_entry.h"
#include "cache_folder.h"
#include "dependencies.h"
#include "core/base/hash.h"
#include "core/base/file_system.h"
#include "core/context/memory.h"
#include "core/context/options.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
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
  pl_cache_folder folder;
  bool looked, writable;
};

/* ---- open, close ---- */

pl_err pl_cache_open(pl_context *pl, pl_cache **result)
{
  pl_cache *cache = *result = pl_calloc(pl, 1, sizeof *cache);
  if (!cache) return pl_fail_memory(pl, sizeof *cache);
  cache->pl = pl;
  pl_cache_folder_init(&cache->folder, pl);
  return PL_SUCCESS;
}

void pl_cache_close(pl_cache **handle)
{
  pl_cache *cache = *handle;
  if (!cache) return;
  pl_cache_folder_close(&cache->folder);
  pl_free(cache->pl, cache);
  *handle = NULL;
}

/* Chooses the folder, once. */
static pl_err choose_folder(pl_cache *cache)
{
  if (cache->looked) return PL_SUCCESS;
  PL_TRY(pl_cache_folder_choose(cache->pl, &cache->folder));
  cache->looked = true;
  cache->writable = cache->folder.at >= 0;
  return PL_SUCCESS;
}

/* ---- reading ---- */

/* Reads a whole entry into a new block; *bytes stays NULL if there is none. */
static pl_err read_bytes(const pl_cache *cache, const char *name, char **bytes, size_t *size)
{
  struct stat info;
  *bytes = NULL;
  int fd = pl_cache_folder_read(&cache->folder, name);
  if (fd < 0) return PL_SUCCESS;
  bool good = !fstat(fd, &info) && info.st_size < SIZE_LIMIT;
  size_t wanted = good ? (size_t)info.st_size : 0, length = 0;
  if (good) *bytes = pl_malloc(cache->pl, wanted);
  for (ssize_t n; *bytes && length < wanted; length += (size_t)n)
    if ((n = read(fd, *bytes + length, wanted - length)) <= 0) break;
  close(fd);
  if (good && !*bytes) return pl_fail_memory(cache->pl, wanted);
  *size = length;
  return PL_SUCCESS;
}

typedef enum slot_state { EMPTY, THIS_KEY, OTHER_KEY } slot_state;

/* The state of a slot, and the entry's code if `code` is not NULL and it has this key. */
static pl_err inspect_slot(const pl_cache *cache, const char *name, const pl_string *key, slot_state *state,
                           pl_string *code)
{
  char *bytes;
  size_t size;
  pl_cache_footer end;
  *state = EMPTY;
  PL_TRY(read_bytes(cache, name, &bytes, &size));
  if (bytes && pl_cache_footer_read(bytes, size, &end)) {
    const char *its_key = bytes + end.code_size;
    bool same = end.key_size == key->length && !memcmp(its_key, key->data, key->length);
    bool holds = pl_dependencies_hold(its_key + end.key_size, end.files_size);
    *state = !same ? OTHER_KEY : holds ? THIS_KEY : EMPTY;
    if (*state == THIS_KEY && code) pl_string_add_bytes(code, bytes, end.code_size);
  }
  pl_free(cache->pl, bytes);
  return code ? pl_string_check(code) : PL_SUCCESS;
}

/* The name of the key's entry, else of the first slot without a valid entry (else the last). */
static pl_err find_slot(const pl_cache *cache, const pl_string *key, char *name, slot_state *state,
                        pl_string *code)
{
  uint64_t hash = pl_hash(PL_HASH_START, pl_string_chars(key), key->length);
  for (uint64_t slot = 0; slot < SLOTS; slot++) {
    snprintf(name, PL_CACHE_NAME, "%016" PRIx64 ".so", hash + slot);
    PL_TRY(inspect_slot(cache, name, key, state, code));
    if (*state != OTHER_KEY) return PL_SUCCESS;
  }
  return PL_SUCCESS;
}

static pl_err find_entry(pl_cache *cache, const pl_string *key, char *name, pl_string *code)
{
  slot_state state = EMPTY;
  PL_TRY(choose_folder(cache));
  if (cache->folder.at >= 0) PL_TRY(find_slot(cache, key, name, &state, code));
  if (state == THIS_KEY)
    utimensat(cache->folder.at, name, NULL, 0);
  else
    *name = '\0';
  return PL_SUCCESS;
}

pl_err pl_cache_lock(pl_cache *cache, const pl_string *key, int *lock)
{
  *lock = -1;
  PL_TRY(choose_folder(cache));
  const uint64_t hash = pl_hash(PL_HASH_START, pl_string_chars(key), key->length);
  if (cache->writable) *lock = pl_cache_folder_lock(&cache->folder, (uint32_t)(hash >> 32));
  return PL_SUCCESS;
}

void pl_cache_unlock(int lock)
{
  pl_cache_folder_unlock(lock);
}

pl_err pl_cache_find(pl_cache *cache, const pl_string *key, char name[PL_CACHE_NAME])
{
  return find_entry(cache, key, name, NULL);
}

pl_err pl_cache_read(pl_cache *cache, const pl_string *key, pl_string *code)
{
  char name[PL_CACHE_NAME];
  return find_entry(cache, key, name, code);
}

/* Of this process rather than /proc/self, so that a debugger finds it. */
void pl_cache_path(const pl_cache *cache, const char *name, char *path, size_t size)
{
  snprintf(path, size, "/proc/%ld/fd/%d/%s", (long)getpid(), cache->folder.at, name);
}

void pl_cache_remove(pl_cache *cache, const char *name)
{
  if (*name) unlinkat(cache->folder.at, name, 0);
}

/* ---- writing ---- */

void pl_cache_give_up(pl_cache *cache, const char *what, const char *why)
{
  if (cache->writable)
    pl_log(cache->pl, 0, "cache folder \"%s\" cannot be %s (%s): compiled code is not kept",
           cache->folder.path.data, what, why);
  cache->writable = false;
}

static pl_err give_up_writing(pl_cache *cache, int failure)
{
  if (failure == ENOMEM) return pl_fail_memory(cache->pl, sizeof(pl_cache_footer));
  pl_cache_give_up(cache, "written", strerror(failure));
  return PL_ERR_IO;
}

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

/* Creates a file that no other process or context uses; 0 or an errno. */
static int write_new(const pl_cache *cache, const pl_string *text, char *name, size_t size)
{
  int fd = pl_temporary_create(cache->folder.at, ".plait", 0700, name, size);
  if (fd < 0) return errno;
  int failure = write_all(fd, text->data, text->length) && !fchmod(fd, 0700) ? 0 : errno;
  return close(fd) && !failure ? errno : failure;
}

/* Writes a temporary file and renames it: concurrent processes read complete files. 0 or an errno. */
static int replace_file(const pl_cache *cache, const pl_string *text, const char *name)
{
  char temporary[64] = "";
  if (text->failed) return ENOMEM;
  int at = cache->folder.at, failure = write_new(cache, text, temporary, sizeof temporary);
  if (!failure && renameat(at, temporary, at, name)) failure = errno;
  if (failure) unlinkat(at, temporary, 0);
  return failure;
}

static void print_entry(const pl_string *key, const pl_string *files, const pl_string *code, pl_string *entry)
{
  pl_cache_footer end = pl_cache_footer_new();
  end.code_size = code->length;
  end.key_size = key->length;
  end.files_size = files ? files->length : 0;
  pl_string_add_bytes(entry, pl_string_chars(code), code->length);
  pl_string_add_bytes(entry, pl_string_chars(key), key->length);
  if (files) pl_string_add_bytes(entry, pl_string_chars(files), files->length);
  pl_string_add_bytes(entry, (const char *)&end, sizeof end - sizeof end.checksum);
  end.checksum = pl_hash(PL_HASH_START, pl_string_chars(entry), entry->length);
  pl_string_add_bytes(entry, (const char *)&end.checksum, sizeof end.checksum);
}

pl_err pl_cache_publish(pl_cache *cache, const pl_string *key, const pl_string *files, const pl_string *code)
{
  char name[PL_CACHE_NAME];
  slot_state state;
  pl_string entry;
  PL_TRY(choose_folder(cache));
  if (!cache->writable) return PL_ERR_IO;
  PL_TRY(find_slot(cache, key, name, &state, NULL));
  pl_string_init(&entry, cache->pl);
  print_entry(key, files, code, &entry);
  int failure = replace_file(cache, &entry, name);
  pl_string_free(&entry);
  if (failure) return give_up_writing(cache, failure);
  pl_cache_folder_evict(cache->pl, &cache->folder);
  return PL_SUCCESS;
}

/* Named after label and hash; other characters than letters and digits become underscores. */
static void name_source(const pl_jit_source *source, const pl_string *key, char *name, size_t size)
{
  char label[NAME_LENGTH + 1];
  snprintf(label, sizeof label, "%s", source->label);
  for (char *p = label; *p; p++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *p)) *p = '_';
  snprintf(name, size, "src/%s-%016" PRIx64 ".%s", label,
           pl_hash(PL_HASH_START, pl_string_chars(key), key->length), source->cpp ? "cpp" : "c");
}

pl_err pl_cache_keep_source(pl_cache *cache, const pl_jit_source *source, const pl_string *key,
                            pl_string *path)
{
  char name[NAME_LENGTH + 32];
  pl_string text;
  PL_TRY(choose_folder(cache));
  if (!cache->writable) return PL_SUCCESS;
  pl_string_init(&text, cache->pl);
  pl_string_add(&text, "%s", source->head ? source->head : "");
  pl_string_add_bytes(&text, source->text, strlen(source->text));
  name_source(source, key, name, sizeof name);
  int failure = mkdirat(cache->folder.at, "src", 0700) && errno != EEXIST ? errno : 0;
  if (!failure) failure = replace_file(cache, &text, name);
  pl_string_free(&text);
  if (failure) return give_up_writing(cache, failure) == PL_ERR_MEMORY ? PL_ERR_MEMORY : PL_SUCCESS;
  pl_string_add(path, "%s/%s", cache->folder.path.data, name);
  return pl_string_check(path);
}

pl_err pl_cache_write(pl_cache *cache, const char *label, const pl_string *key, const pl_string *code)
{
  const pl_jit_source source = {.label = label, .text = pl_string_chars(key)};
  pl_string path;
  pl_string_init(&path, cache->pl);
  pl_err err = pl_cache_keep_source(cache, &source, key, &path);
  pl_string_free(&path);
  return err ? err : pl_cache_publish(cache, key, NULL, code);
}
