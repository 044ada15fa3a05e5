/* SPDX-License-Identifier: BSD-2-Clause
 * The OpenCL driver: programs, kernels and launches. Invariant: a program from a binary is built with the
 * flags that it was compiled with.
 */
#include "opencl_driver.h"
#include "core/data/objects.h"
#include <string.h>

enum { FLAGS = 160 };

extern const char pl_template_functions_opencl[]; /* declarations of OpenCL's functions */

static char *print_flags(const pl_device *device, int registers, char flags[FLAGS])
{
  int n =
    snprintf(flags, FLAGS, "-cl-std=CL1.2 -w%s",
             pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
  if (registers) snprintf(flags + n, FLAGS - (size_t)n, " -cl-nv-maxrregcount=%d", registers);
  return flags;
}

/* A first line of reproducible programs: products and sums are rounded one by one, as on the host. */
static const char *first_line(const pl_device *device)
{
  return pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) ? "#pragma OPENCL FP_CONTRACT OFF\n" : "";
}

/* The file and line of line `n` of a text, by its #line directives. */
static void find_source_line(const char *text, long n, char *file, size_t size, long *line)
{
  snprintf(file, size, "<kernel>");
  *line = 1;
  for (long at = 1, next; at < n && text; at++) {
    *line = sscanf(text, "#line %ld \"%255[^\"]\"", &next, file) == 2 ? next : *line + 1;
    text = strchr(text, '\n');
    if (text) text++;
  }
}

/* NVIDIA's compiler ignores #line directives and writes <kernel>:LINE:, counted in the whole text, before
 * which there are some lines. */
static void add_log(pl_string *message, const char *text, int lines_before, const char *log)
{
  static const char mark[] = "<kernel>:";
  char file[256], *end;
  for (const char *found; (found = strstr(log, mark)); log = end) {
    long line, n = strtol(found + sizeof mark - 1, &end, 10);
    find_source_line(text, n - lines_before, file, sizeof file, &line);
    pl_string_add_bytes(message, log, (size_t)(found - log));
    pl_string_add(message, "%s:%ld", file, line);
  }
  pl_string_add(message, "%s", log);
}

static pl_err build_error(pl_device *device, const char *label, const char *text, cl_program program)
{
  opencl *c = device->dev;
  size_t size = 0;
  c->p_clGetProgramBuildInfo(program, c->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = pl_calloc(device->pl, size + 1, 1);
  if (log) c->p_clGetProgramBuildInfo(program, c->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  pl_string message;
  pl_string_init(&message, device->pl);
  add_log(&message, text, *first_line(device) != 0, log ? log : "");
  pl_err err =
    pl_fail(device->pl, PL_ERR_COMPILE, "kernel \"%s\" could not be compiled for %s:\n%.2000s%s", label,
            device->name, pl_string_chars(&message), pl_kernel_hint(pl_string_chars(&message)));
  pl_string_free(&message);
  pl_free(device->pl, log);
  return err;
}

static pl_err get_binary(pl_device *device, cl_program program, pl_string *binary)
{
  opencl *c = device->dev;
  size_t size = 0;
  PL_TRY(OPENCL_CALL(clGetProgramInfo, "querying the binary", program, CL_PROGRAM_BINARY_SIZES, sizeof size,
                     &size, NULL));
  unsigned char *bytes = pl_malloc(device->pl, size + 1);
  if (!bytes) return pl_fail_memory(device->pl, size);
  cl_int result = c->p_clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
  pl_string_add_bytes(binary, (const char *)bytes, size);
  pl_free(device->pl, bytes);
  PL_TRY(pl_opencl_check(device, result, "reading the binary"));
  return pl_string_check(binary);
}

/* A program of a text, which lines stand before. */
static pl_err new_program(pl_device *device, const char *lines, const char *text, cl_program *program)
{
  opencl *c = device->dev;
  cl_int result;
  const char *parts[] = {first_line(device), lines, text};
  *program = c->p_clCreateProgramWithSource(c->context, 3, parts, NULL, &result);
  return pl_opencl_check(device, result, "creating a program");
}

static pl_err try_build(pl_device *device, const char *lines, const char *text, const char *flags,
                        cl_program *program, bool *built)
{
  opencl *c = device->dev;
  PL_TRY(new_program(device, lines, text, program));
  *built = c->p_clBuildProgram(*program, 1, &c->device, flags, NULL, NULL) == CL_SUCCESS;
  return PL_SUCCESS;
}

/* Clang's header of OpenCL has 18,000 lines, which PoCL reads twice for each text. Defining the header's
 * guard leaves it out; a text that needs more than our declarations is built again with it. */
static pl_err build_without_header(pl_device *device, const char *text, int registers, cl_program *program,
                                   bool *built)
{
  char flags[FLAGS];
  opencl *c = device->dev;
  strcat(print_flags(device, registers, flags), " -D_OPENCL_H_");
  PL_TRY(try_build(device, pl_template_functions_opencl, text, flags, program, built));
  if (!*built) c->p_clReleaseProgram(*program);
  return PL_SUCCESS;
}

static pl_err build(pl_device *device, const char *label, const char *text, int registers,
                    cl_program *program)
{
  char flags[FLAGS];
  opencl *c = device->dev;
  bool built = false;
  if (c->long_header) PL_TRY(build_without_header(device, text, registers, program, &built));
  if (built) return PL_SUCCESS;
  PL_TRY(try_build(device, "", text, print_flags(device, registers, flags), program, &built));
  if (built) return PL_SUCCESS;
  pl_err err = build_error(device, label, text, *program);
  c->p_clReleaseProgram(*program);
  *program = NULL;
  return err;
}

/* In place of a binary, where the implementation keeps code. */
static const char kept[] = "kept by the implementation of OpenCL";

static bool is_kept(const pl_string *binary)
{
  return binary->length == strlen(kept) && !memcmp(binary->data, kept, binary->length);
}

/* A text to be compiled, with its flags; PoCL's are compiled in build_end or load. */
typedef struct opencl_program {
  cl_program program;
  int registers;
  char flags[FLAGS];
} opencl_program;

pl_err pl_opencl_build_new(pl_device *device, const char *label, const char *text, int registers,
                           void **program)
{
  (void)label;
  opencl *c = device->dev;
  opencl_program *p = *program = pl_calloc(device->pl, 1, sizeof *p);
  if (!p) return pl_fail_memory(device->pl, sizeof *p);
  p->registers = registers;
  print_flags(device, registers, p->flags);
  pl_err err = c->long_header ? PL_SUCCESS : new_program(device, "", text, &p->program);
  if (!err) return PL_SUCCESS;
  pl_free(device->pl, p);
  *program = NULL;
  return err;
}

int pl_opencl_build_run(pl_device *device, void *program)
{
  const opencl *c = device->dev;
  const opencl_program *p = program;
  return p->program ? c->p_clBuildProgram(p->program, 1, &c->device, p->flags, NULL, NULL) : CL_SUCCESS;
}

pl_err pl_opencl_build_end(pl_device *device, const char *label, const char *text, void *program, int result,
                           pl_string *binary)
{
  const opencl *c = device->dev;
  opencl_program *p = program;
  if (c->keeps_code) {
    pl_string_add(binary, "%s", kept);
    return pl_string_check(binary);
  }
  if (!p->program) PL_TRY(build(device, label, text, p->registers, &p->program));
  return result != CL_SUCCESS ? build_error(device, label, text, p->program)
                              : get_binary(device, p->program, binary);
}

void pl_opencl_build_free(pl_device *device, void *program)
{
  opencl_program *p = program;
  if (p->program) ((opencl *)device->dev)->p_clReleaseProgram(p->program);
  pl_free(device->pl, p);
}

/* Some drivers compile only here. */
static pl_err build_binary(pl_device *device, int registers, const pl_string *binary, cl_program *program)
{
  opencl *c = device->dev;
  char flags[FLAGS];
  const unsigned char *bytes = (const unsigned char *)binary->data;
  cl_int result, status;
  *program =
    c->p_clCreateProgramWithBinary(c->context, 1, &c->device, &binary->length, &bytes, &status, &result);
  PL_TRY(pl_opencl_check(device, result, "loading code"));
  result = c->p_clBuildProgram(*program, 1, &c->device, print_flags(device, registers, flags), NULL, NULL);
  if (result != CL_SUCCESS) c->p_clReleaseProgram(*program);
  return pl_opencl_check(device, result, "building code");
}

pl_err pl_opencl_load(pl_device *device, const char *label, const char *text, int registers,
                      const pl_string *binary, void **module)
{
  cl_program program;
  PL_TRY(is_kept(binary) ? build(device, label, text, registers, &program)
                         : build_binary(device, registers, binary, &program));
  *module = program;
  return PL_SUCCESS;
}

void pl_opencl_unload(pl_device *device, void *module)
{
  ((opencl *)device->dev)->p_clReleaseProgram(module);
}

pl_err pl_opencl_kernel(pl_device *device, void *module, const char *name, void **result)
{
  cl_int status;
  *result = ((opencl *)device->dev)->p_clCreateKernel(module, name, &status);
  return pl_opencl_check(device, status, "finding a kernel");
}

void pl_opencl_kernel_free(pl_device *device, void *kernel)
{
  ((opencl *)device->dev)->p_clReleaseKernel(kernel);
}

pl_err pl_opencl_limit(pl_device *device, void *kernel, int *block)
{
  opencl *c = device->dev;
  size_t most = 1;
  const cl_int got =
    c->p_clGetKernelWorkGroupInfo(kernel, c->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  PL_TRY(pl_opencl_check(device, got, "querying a kernel's limits"));
  *block = (int)most;
  return PL_SUCCESS;
}

static size_t kernel_bytes(pl_device *device, void *kernel, cl_kernel_work_group_info query)
{
  opencl *c = device->dev;
  cl_ulong bytes = 0;
  c->p_clGetKernelWorkGroupInfo(kernel, c->device, query, sizeof bytes, &bytes, NULL);
  return (size_t)bytes;
}

size_t pl_opencl_private_bytes(pl_device *device, void *kernel)
{
  return kernel_bytes(device, kernel, CL_KERNEL_PRIVATE_MEM_SIZE);
}

/* A launch fails mostly by its sizes, so the error states them. */
static pl_err check_launch(pl_device *device, void *kernel, int block_size, cl_int result)
{
  char doing[160];
  int most = 0;
  if (result == CL_SUCCESS) return PL_SUCCESS;
  PL_TRY(pl_opencl_limit(device, kernel, &most));
  snprintf(
    doing, sizeof doing,
    "launching a kernel in blocks of %d (at most %d; %zu bytes of local memory, %zu bytes a work item)",
    block_size, most, kernel_bytes(device, kernel, CL_KERNEL_LOCAL_MEM_SIZE),
    pl_opencl_private_bytes(device, kernel));
  return pl_opencl_check(device, result, doing);
}

pl_err pl_opencl_launch(pl_device *device, void *kernel, pl_grid grid, int nargs, const pl_launch_arg *args)
{
  opencl *c = device->dev;
  size_t local = (size_t)grid.block_size, global = local * (size_t)grid.blocks;
  for (int i = 0; i < nargs; i++)
    PL_TRY(OPENCL_CALL(clSetKernelArg, "setting arguments", kernel, (cl_uint)i, args[i].size, args[i].value));
  if (grid.shared)
    PL_TRY(
      OPENCL_CALL(clSetKernelArg, "setting local memory", kernel, (cl_uint)nargs, (size_t)grid.shared, NULL));
  return check_launch(device, kernel, grid.block_size,
                      c->p_clEnqueueNDRangeKernel(c->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
}
