# SPDX-License-Identifier: BSD-2-Clause
# PLAIT_TEST_SANITIZER=address|thread|valgrind: what the tests find in their environment, so that generated code is watched
# like the library's own. The program and library themselves get their flags from CMakePresets.json.
set(PLAIT_TEST_SANITIZER "" CACHE STRING "What watches the tests: address, thread, valgrind or nothing")
if(NOT PLAIT_TEST_SANITIZER)
  return()
endif()

# Tests compile hundreds of small programs, and not optimising them takes a third of the time.
# Drivers of devices are not ours to watch: OpenCL's loader is shown no platform.
set(OCL_ICD_VENDORS ${CMAKE_CURRENT_BINARY_DIR}/no_platforms)
set(names OCL_ICD_VENDORS)
if(PLAIT_TEST_SANITIZER STREQUAL "address")
  set(PLAIT_CC ${CMAKE_C_COMPILER})
  set(PLAIT_CFLAGS "-O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined")
  # The program has loaded the runtimes; the linker would read them for each text, a quarter of its compilation.
  set(PLAIT_LDFLAGS -nostdlib)
  # Up to GCC 13 the interceptor of __tls_get_addr may mistake a thread-local block for one with a header of an old
  # glibc; the search for leaks then ends with signal 11.
  set(ASAN_OPTIONS "detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:intercept_tls_get_addr=0")
  set(UBSAN_OPTIONS "print_stacktrace=1:halt_on_error=1")
  list(APPEND names PLAIT_CC PLAIT_CFLAGS PLAIT_LDFLAGS ASAN_OPTIONS UBSAN_OPTIONS)
elseif(PLAIT_TEST_SANITIZER STREQUAL "thread")
  # The OpenMP runtime is not instrumented; Archer tells the sanitizer where it synchronises threads.
  get_filename_component(compiler ${CMAKE_C_COMPILER} REALPATH)
  get_filename_component(compiler_dir ${compiler} DIRECTORY)
  find_library(PLAIT_ARCHER NAMES archer HINTS ${compiler_dir}/../lib)
  if(NOT PLAIT_ARCHER)
    message(FATAL_ERROR "PLAIT_TEST_SANITIZER=thread needs libarcher.so, which comes with clang's OpenMP (Debian: libomp-dev)")
  endif()
  set(PLAIT_CC ${CMAKE_C_COMPILER})
  set(PLAIT_CFLAGS "-O0 -g1 -fsanitize=thread")
  set(TSAN_OPTIONS "ignore_noninstrumented_modules=1:exitcode=66")
  set(OMP_TOOL_LIBRARIES ${PLAIT_ARCHER})
  set(OMP_NUM_THREADS 4)
  list(APPEND names PLAIT_CC PLAIT_CFLAGS TSAN_OPTIONS OMP_TOOL_LIBRARIES OMP_NUM_THREADS)
elseif(PLAIT_TEST_SANITIZER STREQUAL "valgrind")
  # It does not know the newest instructions.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(PLAIT_CFLAGS "-O0 -g1 -march=x86-64-v2 -mtune=generic")
    list(APPEND names PLAIT_CFLAGS)
  endif()
  find_program(PLAIT_VALGRIND valgrind REQUIRED)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${PLAIT_VALGRIND} --quiet --error-exitcode=99 --leak-check=full
    --errors-for-leak-kinds=definite,indirect --child-silent-after-fork=yes)
else()
  message(FATAL_ERROR "PLAIT_TEST_SANITIZER is \"${PLAIT_TEST_SANITIZER}\": expected address, thread or valgrind")
endif()

set(script "# Read by ctest before it runs the tests.\n")
foreach(name ${names})
  string(APPEND script "set(ENV{${name}} [[${${name}}]])\n")
endforeach()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/environment.cmake "${script}")
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/environment.cmake)
