/* SPDX-License-Identifier: BSD-2-Clause
 * Options: values from their sources, checks, nearest names.
 */
#include "options.h"
#include "context.h"
#include "core/base/layout_name.h"
#include "memory.h"
#include <ctype.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

typedef struct option_row {
  const char *name, *value, *kind;
  bool fixed;
  const char *help;
} option_row;

static const option_row rows[PL_OPT_COUNT] = {
#define X(id, name, value, kind, fixed, help) {name, value, kind, fixed, help},
  PL_OPTION_LIST(X)
#undef X
};

/* ---- nearest name ---- */

enum { NEAR_MAX = 64 };

static int min3(int a, int b, int c)
{
  int m = a < b ? a : b;
  return m < c ? m : c;
}

/* Edit distance (Levenshtein 1966), case ignored. */
static int distance(const char *a, const char *b)
{
  int row[NEAR_MAX + 1];
  int n = (int)strlen(b);
  if (n > NEAR_MAX || strlen(a) > NEAR_MAX) return NEAR_MAX;
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int differ = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
      int next = min3(row[j] + 1, row[j - 1] + 1, diagonal + differ);
      diagonal = row[j];
      row[j] = next;
    }
  }
  return row[n];
}

/* The length of the common prefix of two names. */
static int common_prefix(const char *a, const char *b)
{
  int n = 0;
  while (a[n] && tolower((unsigned char)a[n]) == tolower((unsigned char)b[n])) n++;
  return n;
}

/* Of two names at one distance, the one with the longer common prefix. */
const char *pl_nearest(const char *name, const char *const *names)
{
  const char *best = NULL;
  int least = (int)strlen(name) / 2 + 1;
  for (; *names; names++) {
    int d = distance(name, *names);
    if (d > least || (d == least && (!best || common_prefix(name, *names) <= common_prefix(name, best))))
      continue;
    least = d;
    best = *names;
  }
  return best;
}

/* ---- values ---- */

/* Whether `value` is a member of the word list "a|b|c". */
static bool is_word(const char *list, const char *value)
{
  size_t length = strlen(value);
  for (const char *word = list; word; word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL)
    if (length == strcspn(word, "|") && !strncmp(word, value, length)) return true;
  return false;
}

static pl_err check_word(pl_context *pl, const option_row *row, const char *words, const char *value)
{
  char list[160];
  const char *names[16];
  int n = 0;
  if (is_word(words, value)) return PL_SUCCESS;
  snprintf(list, sizeof list, "%s", words);
  for (char *save, *word = strtok_r(list, "|", &save); word && n < 15; word = strtok_r(NULL, "|", &save))
    names[n++] = word;
  names[n] = NULL;
  const char *near = pl_nearest(value, names);
  return pl_fail(pl, PL_ERR_OPTION, "option %s: \"%s\" is none of %s%s%s%s", row->name, value, words,
                 near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* The default is always known, if not always part of the library. */
static pl_err check_backend(pl_context *pl, const option_row *row, const char *value)
{
  char words[160] = "";
  for (int i = 0; pl->backends && pl->backends[i]; i++) {
    size_t length = strlen(words);
    snprintf(words + length, sizeof words - length, "%s%s", i ? "|" : "", pl->backends[i]->name);
  }
  return strcmp(value, PL_DEFAULT_BACKEND) ? check_word(pl, row, words, value) : PL_SUCCESS;
}

static bool is_layout(const char *value)
{
  pl_layout layout;
  return is_word("auto", value) || pl_layout_parse(value, &layout);
}

#define SWITCHES "0|1|on|off|yes|no|true|false"

static pl_err check_value(pl_context *pl, const option_row *row, const char *value)
{
  if (!strcmp(row->kind, "TEXT")) return PL_SUCCESS;
  if (!strcmp(row->kind, "PATH")) {
    if (!is_word(SWITCHES, value)) return PL_SUCCESS;
    return pl_fail(pl, PL_ERR_OPTION,
                   "option %s: a path is expected, not \"%s\"; for that name write \"./%s\"", row->name,
                   value, value);
  }
  if (!strcmp(row->kind, "BACKEND")) return check_backend(pl, row, value);
  if (!strcmp(row->kind, "FLAG")) {
    if (is_word(SWITCHES, value)) return PL_SUCCESS;
    return pl_fail(pl, PL_ERR_OPTION, "option %s: \"%s\" is neither 0, off, no, false nor 1, on, yes, true",
                   row->name, value);
  }
  if (!strcmp(row->kind, "COUNT")) {
    char *end;
    long count = strtol(value, &end, 10);
    if (*value && !*end && count >= 0 && count <= INT32_MAX) return PL_SUCCESS;
    return pl_fail(pl, PL_ERR_OPTION, "option %s: \"%s\" is not a whole number from 0 to %d", row->name,
                   value, INT32_MAX);
  }
  if (!strcmp(row->kind, "LAYOUT")) {
    if (is_layout(value)) return PL_SUCCESS;
    return pl_fail(pl, PL_ERR_OPTION,
                   "option %s: \"%s\" is none of auto, aos, soa, aosoa:N (N a power of two from 2 to 1024), "
                   "or these with packs of M values: soa:M, aosoa:N,M",
                   row->name, value);
  }
  if (row == &rows[PL_OPT_SHAPE] && is_word(PL_TUNED_FORMS, value)) return PL_SUCCESS;
  return check_word(pl, row, row->kind, value);
}

/* Replaces the value by a copy of its own. */
static void take_value(pl_context *pl, int option, char *copy)
{
  pl_free(pl, pl->options.value[option]);
  pl->options.value[option] = copy;
  pl->options.on[option] = is_word("1|on|yes|true", copy);
}

pl_err pl_option_set(pl_context *pl, int option, const char *value)
{
  PL_TRY(check_value(pl, &rows[option], value));
  char *copy = pl_strdup(pl, value);
  if (!copy) return pl_fail_memory(pl, strlen(value) + 1);
  take_value(pl, option, copy);
  return PL_SUCCESS;
}

/* Looks an option up by name; `shown` is the name as the user wrote it. */
static pl_err find_named(pl_context *pl, const char *name, const char *shown, int *option)
{
  const char *names[PL_OPT_COUNT + 1] = {NULL};
  for (int i = 0; i < PL_OPT_COUNT; i++) {
    names[ *option = i] = rows[i].name;
    if (!strcmp(names[i], name)) return PL_SUCCESS;
  }
  const char *near = pl_nearest(name, names);
  return pl_fail(pl, PL_ERR_OPTION, "%s: there is no option \"%s\"%s%s%s", shown, name,
                 near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* ---- sources ---- */

static void environment_name(const char *name, char *buffer, size_t size)
{
  snprintf(buffer, size, "PLAIT_%s", name);
  for (char *p = buffer; *p; p++) *p = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
}

/* Warns of an unknown PLAIT_ variable and names the nearest option. */
static void warn_unknown(pl_context *pl, const char *name)
{
  char known[PL_OPT_COUNT][40];
  const char *names[PL_OPT_COUNT + 1] = {NULL};
  for (int i = 0; i < PL_OPT_COUNT; i++) {
    environment_name(rows[i].name, known[i], sizeof known[i]);
    if (!strcmp(known[i], name)) return;
    names[i] = known[i];
  }
  const char *near = pl_nearest(name, names);
  pl_log(pl, 0, "environment variable %s is not known and has no effect%s%s%s", name,
         near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static pl_err read_environment(pl_context *pl)
{
  for (int i = 0; i < PL_OPT_COUNT; i++) {
    char name[40];
    environment_name(rows[i].name, name, sizeof name);
    const char *value = getenv(name);
    if (!value) continue;
    pl_err err = pl_option_set(pl, i, value);
    if (err) return pl_fail_in(pl, err, "environment variable %s", name);
  }
  for (char **entry = environ; entry && *entry; entry++) {
    char name[80];
    if (strncmp(*entry, "PLAIT_", 6)) continue;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(*entry, "="), *entry);
    warn_unknown(pl, name);
  }
  return PL_SUCCESS;
}

/* "name=value", in which - equals _. */
static pl_err set_assignment(pl_context *pl, const char *assignment, const char *shown)
{
  char name[40];
  size_t length = strcspn(assignment, "=");
  if (!assignment[length] || length >= sizeof name)
    return pl_fail(pl, PL_ERR_OPTION, "%s: expected name=value", shown);
  for (size_t i = 0; i < length; i++) name[i] = assignment[i] == '-' ? '_' : assignment[i];
  name[length] = '\0';
  int option;
  PL_TRY(find_named(pl, name, shown, &option));
  return pl_option_set(pl, option, assignment + length + 1);
}

static pl_err read_command_line(pl_context *pl, int *argc, char **argv)
{
  pl_err err = PL_SUCCESS;
  int kept = 0, n = argc && argv ? *argc : 0;
  for (int i = 0; i < n; i++) {
    bool ours = i > 0 && !strncmp(argv[i], "--plait-", 8);
    if (ours && !err) err = set_assignment(pl, argv[i] + 8, argv[i]);
    if (!ours) argv[kept++] = argv[i];
  }
  if (n) {
    argv[kept] = NULL;
    *argc = kept;
  }
  return err;
}

static void add_home(pl_string *path)
{
  struct passwd entry, *user = NULL;
  char buffer[4096];
  const char *home = getenv("HOME");
  if (home && *home == '/')
    pl_string_add(path, "%s", home);
  else if (!getpwuid_r(geteuid(), &entry, buffer, sizeof buffer, &user) && user)
    pl_string_add(path, "%s", user->pw_dir);
}

/* A relative XDG_CACHE_HOME is ignored, as its specification demands. */
void pl_opt_cache_folder(const pl_context *pl, pl_string *path)
{
  const char *named = pl_opt(pl, PL_OPT_CACHE_DIR), *xdg = getenv("XDG_CACHE_HOME");
  if (*named) {
    pl_string_add(path, "%s", named);
  } else if (xdg && *xdg == '/') {
    pl_string_add(path, "%s/plait", xdg);
  } else {
    add_home(path);
    if (path->length) pl_string_add(path, "/.cache/plait");
  }
}

/* The option is the path from here on. */
static pl_err set_cache_folder(pl_context *pl)
{
  pl_string path;
  pl_string_init(&path, pl);
  pl_opt_cache_folder(pl, &path);
  pl_err err = pl_string_check(&path);
  if (!err) err = pl_option_set(pl, PL_OPT_CACHE_DIR, pl_string_chars(&path));
  pl_string_free(&path);
  return err;
}

pl_err pl_options_open(pl_context *pl, int *argc, char **argv, const char *const *settings)
{
  for (int i = 0; i < PL_OPT_COUNT; i++) PL_TRY(pl_option_set(pl, i, rows[i].value));
  PL_TRY(read_environment(pl));
  PL_TRY(read_command_line(pl, argc, argv));
  for (; settings && *settings; settings++) PL_TRY(set_assignment(pl, *settings, *settings));
  PL_TRY(set_cache_folder(pl));
  for (int i = 0; i < PL_OPT_COUNT; i++)
    if (!(pl->options.initial[i] = pl_strdup(pl, pl->options.value[i]))) return pl_fail_memory(pl, 1);
  return PL_SUCCESS;
}

void pl_options_close(pl_context *pl)
{
  for (int i = 0; i < PL_OPT_COUNT; i++) {
    pl_free_all(pl, pl->options.value[i], pl->options.initial[i]);
    pl->options.value[i] = pl->options.initial[i] = NULL;
  }
}

/* ---- reading ---- */

const char *pl_opt(const pl_context *pl, pl_option option)
{
  return pl->options.value[option];
}

bool pl_opt_flag(const pl_context *pl, pl_option option)
{
  return pl->options.on[option];
}

long pl_opt_count(const pl_context *pl, pl_option option)
{
  return strtol(pl_opt(pl, option), NULL, 10);
}

bool pl_opt_is(const pl_context *pl, pl_option option, const char *word)
{
  return !strcmp(pl_opt(pl, option), word);
}

/* ---- public ---- */

pl_err pl_get_option(pl_context *pl, const char *name, const char **value)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_GIVEN(pl, "pl_get_option", name, value));
  int option;
  PL_TRY(find_named(pl, name, "pl_get_option", &option));
  *value = pl_opt(pl, (pl_option)option);
  return PL_SUCCESS;
}

pl_err pl_option_at(pl_context *pl, int index, const char **name, const char **value, const char **help)
{
  PL_TRY(pl_context_check(pl));
  if (index < 0 || index >= PL_OPT_COUNT)
    return pl_fail(pl, PL_ERR_RANGE, "option %d: there are %d options", index, PL_OPT_COUNT);
  if (name) *name = rows[index].name;
  if (value) *value = pl_opt(pl, (pl_option)index);
  if (help) *help = rows[index].help;
  return PL_SUCCESS;
}

pl_type pl_real_type(const pl_context *pl)
{
  return pl && pl->backend && pl_opt_is(pl, PL_OPT_PRECISION, "double") ? PL_DOUBLE : PL_FLOAT;
}

pl_type pl_mixed_type(const pl_context *pl)
{
  return pl && pl->backend && !pl_opt_is(pl, PL_OPT_PRECISION, "single") ? PL_DOUBLE : PL_FLOAT;
}

/* ---- changes after pl_init ---- */

pl_err pl_option_check(pl_context *pl, const char *name, const char *value, int *option)
{
  PL_TRY(PL_GIVEN(pl, "pl_set_option", name, value));
  PL_TRY(find_named(pl, name, "pl_set_option", option));
  if (rows[*option].fixed)
    return pl_fail(pl, PL_ERR_STATE,
                   "option %s is fixed at pl_init; set it in the environment or in the settings", name);
  return check_value(pl, &rows[*option], value);
}

pl_err pl_options_reset(pl_context *pl)
{
  char *fresh[PL_OPT_COUNT] = {NULL};
  bool complete = true;
  for (int i = 0; i < PL_OPT_COUNT && complete; i++)
    if (strcmp(pl->options.value[i], pl->options.initial[i]))
      complete = (fresh[i] = pl_strdup(pl, pl->options.initial[i])) != NULL;
  for (int i = 0; i < PL_OPT_COUNT; i++) {
    if (!complete) pl_free(pl, fresh[i]);
    if (complete && fresh[i]) take_value(pl, i, fresh[i]);
  }
  return complete ? PL_SUCCESS : pl_fail_memory(pl, 1);
}
