/* SPDX-License-Identifier: BSD-2-Clause
 * The disk cache: entries and the jobs that make them.
 *
 * dlopen maps what the library's own headers name and so does not see the key and footer behind it.
 */
#include "cache.h"
#include "core/context.h"
#include "core/hash.h"
#include "folder.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  SLOTS = 4,           /* for keys of one hash */
  NAME_LENGTH = 40,    /* of a label in a file name */
  SIZE_LIMIT = 1 << 30 /* of an entry in bytes: larger files are none of ours */
};

struct pl_cache {
  pl_context *pl;
  pl_text shared; /* empty: not looked for yet, or none */
  pl_text own;    /* the private folder; empty until needed */
  pid_t owner;    /* of the private folder; a forked child leaves it alone */
  bool looked, writable;
};

/* Ends an entry. The checksum is over everything before it. */
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

/* A whole file into a fresh block with `extra` bytes to spare; *bytes stays NULL if there is none to read. */
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

static uint64_t key_hash(const pl_text *key)
{
  return pl_hash(PL_HASH_START, pl_text_string(key), key->length);
}

/* ---- the private folder ---- */

static pl_err make_own(pl_cache *cache)
{
  const char *base = getenv("TMPDIR");
  if (cache->own.length && cache->owner == getpid()) return PL_SUCCESS;
  pl_text_free(&cache->own);
  pl_text_add(&cache->own, "%s/plait-XXXXXX", base && *base == '/' ? base : "/tmp");
  pl_err err = pl_text_check(&cache->own);
  cache->owner = getpid();
  if (!err && mkdtemp(cache->own.data)) return PL_SUCCESS;
  if (!err)
    err = pl_fail(
      cache->pl, PL_ERR_IO,
      "no temporary folder \"%s\" for compiled code could be made (%s): set PLAIT_CACHE_DIR or TMPDIR "
      "to a folder that can be written",
      cache->own.data, strerror(errno));
  pl_text_free(&cache->own);
  return err;
}

/* Removes the private folder, all but sources that were kept. */
static void remove_own(pl_cache *cache)
{
  if (!cache->own.length || cache->owner != getpid()) return;
  DIR *folder = opendir(cache->own.data);
  for (struct dirent *file; folder && (file = readdir(folder));) unlinkat(dirfd(folder), file->d_name, 0);
  if (folder) unlinkat(dirfd(folder), "src", AT_REMOVEDIR);
  if (folder) closedir(folder);
  rmdir(cache->own.data);
}

/* Once: takes the shared folder, or none. */
static pl_err look_for_shared(pl_cache *cache)
{
  if (cache->looked) return PL_SUCCESS;
  PL_TRY(pl_folder_choose(cache->pl, &cache->shared));
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
  pl_text_init(&cache->shared, pl);
  pl_text_init(&cache->own, pl);
  return PL_SUCCESS;
}

void pl_cache_close(pl_cache **handle)
{
  pl_cache *cache = *handle;
  if (!cache) return;
  remove_own(cache);
  pl_text_free(&cache->shared);
  pl_text_free(&cache->own);
  pl_free(cache->pl, cache);
  *handle = NULL;
}

/* ---- entries ---- */

static uint64_t checksum(const char *bytes, size_t size)
{
  return pl_hash(PL_HASH_START, bytes, size);
}

/* The footer of an entry's bytes, if they are one, unaltered. */
static bool read_footer(const char *bytes, size_t size, footer *end)
{
  if (size < sizeof *end) return false;
  memcpy(end, bytes + size - sizeof *end, sizeof *end);
  size_t room = size - sizeof *end;
  return !memcmp(end->magic, magic, sizeof magic) && end->code_size <= room &&
         end->key_size == room - end->code_size &&
         end->checksum == checksum(bytes, size - sizeof end->checksum);
}

typedef enum content { NOTHING, THIS_KEY, OTHER_KEY } content;

static pl_err look_at(pl_context *pl, const char *path, const pl_text *key, content *what)
{
  char *bytes;
  size_t size;
  footer end;
  *what = NOTHING;
  PL_TRY(read_all(pl, path, 0, &bytes, &size));
  if (bytes && read_footer(bytes, size, &end)) {
    bool same = end.key_size == key->length && !memcmp(bytes + end.code_size, key->data, key->length);
    *what = same ? THIS_KEY : OTHER_KEY;
  }
  pl_free(pl, bytes);
  return PL_SUCCESS;
}

/* The key's place in a folder: its entry, or the first slot of its hash that holds no valid entry (else the
 * last). */
static pl_err find_place(pl_context *pl, const pl_text *folder, const pl_text *key, pl_text *path,
                         content *what)
{
  uint64_t hash = key_hash(key);
  for (uint64_t slot = 0; slot < SLOTS; slot++) {
    pl_text_free(path);
    pl_text_add(path, "%s/%016" PRIx64 ".so", folder->data, hash + slot);
    PL_TRY(pl_text_check(path));
    PL_TRY(look_at(pl, path->data, key, what));
    if (*what != OTHER_KEY) return PL_SUCCESS;
  }
  return PL_SUCCESS;
}

pl_err pl_cache_find(pl_cache *cache, const pl_text *key, pl_text *path)
{
  content what = NOTHING;
  PL_TRY(look_for_shared(cache));
  if (cache->shared.length) PL_TRY(find_place(cache->pl, &cache->shared, key, path, &what));
  if (what == THIS_KEY)
    utimensat(AT_FDCWD, path->data, NULL, 0);
  else
    pl_text_free(path);
  return PL_SUCCESS;
}

/* ---- jobs ---- */

static const pl_text *folder_of(const pl_cache *cache, pl_cache_room room)
{
  return room == PL_CACHE_SHARED ? &cache->shared : &cache->own;
}

/* A folder turned out not to be writable: the shared one is given up with one warning. */
static pl_err give_up(pl_cache *cache, pl_cache_room room, int failure)
{
  const char *folder = folder_of(cache, room)->data, *why = strerror(failure);
  if (room == PL_CACHE_PRIVATE)
    return pl_fail(
      cache->pl, PL_ERR_IO,
      "compiled code cannot be written into \"%s\" (%s): set PLAIT_CACHE_DIR or TMPDIR to a folder with room",
      folder, why);
  if (cache->writable)
    pl_log(cache->pl, 0,
           "cache folder \"%s\" cannot be written (%s): compiled code goes to a temporary folder", folder,
           why);
  cache->writable = false;
  return PL_ERR_IO;
}

/* Takes a name for work in the folder that no other process or context has; 0 or an errno. */
static int reserve(const pl_text *folder, pl_text *stem, pl_text *log)
{
  for (unsigned n = 0;; n++) {
    pl_text_free(stem);
    pl_text_free(log);
    pl_text_add(stem, "%s/.plait-%ld-%u", folder->data, (long)getpid(), n);
    pl_text_add(log, "%s.log", pl_text_string(stem));
    if (stem->failed || log->failed) return ENOMEM;
    int fd = open(log->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) return close(fd) ? errno : 0;
    if (errno != EEXIST) return errno;
  }
}

/* Names the source after label and hash, with what a file name may hold of the label. */
static void name_source(const pl_text *folder, const pl_jit_source *source, const pl_text *key, pl_text *path)
{
  char label[NAME_LENGTH + 1];
  snprintf(label, sizeof label, "%s", source->label);
  for (char *p = label; *p; p++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *p)) *p = '_';
  pl_text_add(path, "%s/src/%s-%016" PRIx64 ".%s", folder->data, label, key_hash(key),
              source->cpp ? "cpp" : "c");
}

/* Writes the text beside and renames it: others who compile the same find it whole. 0 or an errno. */
static int write_source(const char *text, const char *beside, const char *path)
{
  int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  int failure = write_all(fd, text, strlen(text)) ? 0 : errno;
  if (close(fd) && !failure) failure = errno;
  if (!failure && rename(beside, path)) failure = errno;
  if (failure) unlink(beside);
  return failure;
}

static int make_source_folder(const pl_text *folder, pl_text *path)
{
  pl_text_add(path, "%s/src", folder->data);
  int failure = path->failed ? ENOMEM : mkdir(path->data, 0700) ? errno : 0;
  pl_text_free(path);
  return failure == EEXIST ? 0 : failure;
}

static pl_err begin_in(pl_cache *cache, const pl_text *folder, const pl_jit_source *source,
                       const pl_text *key, pl_cache_job *job)
{
  int failure = make_source_folder(folder, &job->source);
  if (!failure) failure = reserve(folder, &job->binary, &job->log);
  if (failure == ENOMEM) return pl_fail_memory(cache->pl, PATH_MAX);
  if (failure) return give_up(cache, job->room, failure);
  name_source(folder, source, key, &job->source);
  PL_TRY(pl_text_check(&job->source));
  failure = write_source(source->text, job->binary.data, job->source.data);
  if (failure) return give_up(cache, job->room, failure);
  pl_text_add(&job->binary, ".so");
  return pl_text_check(&job->binary);
}

pl_err pl_cache_begin(pl_cache *cache, pl_cache_room room, const pl_jit_source *source, const pl_text *key,
                      pl_cache_job *job)
{
  pl_context *pl = cache->pl;
  job->room = room;
  pl_text *const texts[] = {&job->source, &job->binary, &job->log, &job->entry};
  for (int i = 0; i < 4; i++) pl_text_init(texts[i], pl);
  if (room == PL_CACHE_PRIVATE)
    PL_TRY(make_own(cache));
  else if (!cache->writable)
    return PL_ERR_IO;
  return begin_in(cache, folder_of(cache, room), source, key, job);
}

/* Appends key and footer to the compiled library; 0 or an errno. */
static int append_tail(const pl_cache_job *job, const char *tail, size_t size)
{
  int fd = open(job->binary.data, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return errno;
  int failure = write_all(fd, tail, size) && !fchmod(fd, 0700) ? 0 : errno;
  if (!failure && job->room == PL_CACHE_SHARED && fsync(fd)) failure = errno;
  return close(fd) && !failure ? errno : failure;
}

static pl_err seal(pl_cache *cache, const pl_cache_job *job, const pl_text *key)
{
  footer end = {.key_size = key->length};
  char *bytes;
  size_t code_size;
  memcpy(end.magic, magic, sizeof magic);
  PL_TRY(read_all(cache->pl, job->binary.data, key->length + sizeof end, &bytes, &code_size));
  if (!bytes) return give_up(cache, job->room, EIO);
  end.code_size = code_size;
  memcpy(bytes + code_size, key->data, key->length);
  memcpy(bytes + code_size + key->length, &end, sizeof end);
  size_t size = code_size + key->length + sizeof end;
  end.checksum = checksum(bytes, size - sizeof end.checksum);
  memcpy(bytes + size - sizeof end.checksum, &end.checksum, sizeof end.checksum);
  int failure = append_tail(job, bytes + code_size, size - code_size);
  pl_free(cache->pl, bytes);
  return failure ? give_up(cache, job->room, failure) : PL_SUCCESS;
}

pl_err pl_cache_publish(pl_cache *cache, pl_cache_job *job, const pl_text *key)
{
  content what;
  PL_TRY(seal(cache, job, key));
  PL_TRY(find_place(cache->pl, folder_of(cache, job->room), key, &job->entry, &what));
  if (rename(job->binary.data, job->entry.data)) return give_up(cache, job->room, errno);
  if (job->room == PL_CACHE_SHARED) pl_folder_evict(cache->pl, cache->shared.data);
  return PL_SUCCESS;
}

void pl_cache_end(pl_cache *cache, pl_cache_job *job, bool keep)
{
  bool ours = job->room == PL_CACHE_PRIVATE && !pl_opt_flag(cache->pl, PL_OPT_DEBUG);
  if (job->binary.length) unlink(job->binary.data);
  if (job->log.length) unlink(job->log.data);
  if (job->source.length && ours && !keep) unlink(job->source.data);
  pl_text *const texts[] = {&job->source, &job->binary, &job->log, &job->entry};
  for (int i = 0; i < 4; i++) pl_text_free(texts[i]);
}

/* ---- code without a file ---- */

pl_err pl_cache_read(pl_cache *cache, const pl_text *key, pl_text *code)
{
  pl_text path;
  char *bytes = NULL;
  size_t size;
  footer end;
  pl_text_init(&path, cache->pl);
  pl_err err = pl_cache_find(cache, key, &path);
  if (!err && path.length) err = read_all(cache->pl, path.data, 0, &bytes, &size);
  pl_text_free(&path);
  if (bytes && read_footer(bytes, size, &end)) pl_text_bytes(code, bytes, end.code_size);
  pl_free(cache->pl, bytes);
  return err ? err : pl_text_check(code);
}

/* The compiled bytes as the job's binary; 0 or an errno. */
static int write_binary(const char *path, const pl_text *code)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  if (fd < 0) return errno;
  int failure = write_all(fd, code->data, code->length) ? 0 : errno;
  return close(fd) && !failure ? errno : failure;
}

pl_err pl_cache_write(pl_cache *cache, const char *label, const pl_text *key, const pl_text *code)
{
  const pl_jit_source source = {.label = label, .text = pl_text_string(key)};
  pl_cache_job job = {0};
  PL_TRY(look_for_shared(cache));
  if (!cache->shared.length) return PL_ERR_IO;
  pl_err err = pl_cache_begin(cache, PL_CACHE_SHARED, &source, key, &job);
  int failure = err ? 0 : write_binary(job.binary.data, code);
  if (failure) err = give_up(cache, PL_CACHE_SHARED, failure);
  if (!err) err = pl_cache_publish(cache, &job, key);
  pl_cache_end(cache, &job, false);
  return err;
}
