/* SPDX-License-Identifier: BSD-2-Clause
 * Prints a device program. On devices it is the prelude and the user's text. On the host the user's text is
 * the body of a struct of work items, so LOCAL_ID and the like are members, and each kernel gets an entry
 * point.
 */
#include "program_print.h"
#include "program_prelude.h"
#include "core/program/program.h"
#include <string.h>

static void print_user(const pl_program *program, pl_string *text)
{
  pl_string_add_line_mark(text, 1, program->node.name);
  pl_string_add(text, "%s\n", program->source);
}

static void print_arguments(const pl_task *task, pl_string *text)
{
  for (int i = 0; i < task->nformals; i++) pl_string_add(text, "%sa%d", i ? ", " : "", i);
}

/* A function that unpacks the arguments of a kernel; types are deduced. */
static void print_entry(const pl_task *task, pl_string *text)
{
  pl_string_add(text, "template <");
  for (int i = 0; i < task->nformals; i++) pl_string_add(text, "%sclass T%d", i ? ", " : "", i);
  pl_string_add(text, "%s", task->nformals ? "> " : "int = 0> ");
  pl_string_add(text, "static inline void pl_run_%s(void (pl_item::*)(", task->name);
  for (int i = 0; i < task->nformals; i++) pl_string_add(text, "%sT%d", i ? ", " : "", i);
  pl_string_add(text, "), const pl_group_info *group, int begin, int end)\n{\n");
  for (int i = 0; i < task->nformals; i++)
    pl_string_add(text, "  T%d a%d = *(T%d *)group->args[%d];\n", i, i, i, i);
  if (task->barriers) {
    pl_string_add(text, "  pl_item item = {group, begin, end};\n  item.%s(", task->name);
  } else {
    pl_string_add(text,
                  "  for (int g = begin; g < end; g++) {\n    const int size = group->size;\n    PL_LANES\n"
                  "    for (int l = 0; l < size; l++) {\n      pl_item item = {group, l, g};\n      item.%s(",
                  task->name);
  }
  print_arguments(task, text);
  pl_string_add(text, task->barriers ? ");\n}\n" : ");\n    }\n  }\n}\n");
  pl_string_add(text,
                "extern \"C\" void pl_task_%s(const pl_group_info *group, int begin, int end)\n"
                "{\n  pl_run_%s(&pl_item::%s, group, begin, end);\n}\n",
                task->name, task->name, task->name);
}

static bool has_own_types(const pl_task *task)
{
  bool own = false;
  for (int i = 0; i < task->nformals; i++)
    own |= task->formal[i].type == PL_TYPE_COUNT && !task->formal[i].pointer;
  return own;
}

/* The sizes of a kernel's parameters, if the program declares some of their types. */
static void print_host_sizes(const pl_task *task, pl_string *text)
{
  const char *name = task->name;
  if (!has_own_types(task)) return;
  pl_string_add(
    text, "template <class... T> static inline int pl_size_of_%s(void (pl_item::*)(T...), int i)\n", name);
  pl_string_add(text, "{\n  const int size[] = {(int)sizeof(T)...};\n  return size[i];\n}\n");
  pl_string_add(text, "extern \"C\" int pl_size_%s(int i)\n{\n  return pl_size_of_%s(&pl_item::%s, i);\n}\n",
                name, name, name);
}

static void print_device_sizes(const pl_task *task, pl_string *text)
{
  if (!has_own_types(task)) return;
  pl_string_add(text, "KERNEL void pl_size_%s(GLOBAL int *pl_size, int pl_i)\n{\n", task->name);
  for (int i = 0; i < task->nformals; i++)
    if (task->formal[i].type == PL_TYPE_COUNT && !task->formal[i].pointer)
      pl_string_add(text, "  if (pl_i == %d) *pl_size = (int)sizeof(%s);\n", i, task->formal[i].text);
  pl_string_add(text, "}\n");
}

static void print_host(const pl_program *program, pl_string *text)
{
  pl_string_add(text,
                "#ifdef __clang__\n#define PL_LANES _Pragma(\"clang loop vectorize(assume_safety)\")\n#else\n"
                "#define PL_LANES _Pragma(\"GCC ivdep\")\n#endif\n");
  pl_string_add(text, "struct pl_item {\nconst pl_group_info *pl_group;\nint pl_l, pl_g;\n");
  print_user(program, text);
  pl_string_add(text, "};\n#line 1 \"entry points of %s\"\n", program->node.name);
  for (int k = 0; k < program->ntasks; k++) {
    print_entry(&program->task[k], text);
    print_host_sizes(&program->task[k], text);
  }
}

pl_err pl_program_print(const pl_program *program, const pl_target *target, pl_string *text)
{
  pl_string_add(text, "/* program %s for %s, printed by Plait %s */\n", program->node.name, target->name,
                PLAIT_VERSION);
  pl_prelude_print(program, target, text);
  pl_string_add(text, "%s", program->defines);
  if (target->dialect->host) {
    print_host(program, text);
  } else {
    print_user(program, text);
    for (int k = 0; k < program->ntasks; k++) print_device_sizes(&program->task[k], text);
  }
  return pl_string_check(text);
}
