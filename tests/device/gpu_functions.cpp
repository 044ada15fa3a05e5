// SPDX-License-Identifier: BSD-2-Clause
// Compiled only: the parameters that gpu_functions.def declares have the sizes of those in a runtime's headers, in
// the same order. HEADERS includes them, FUNCTIONS is the driver's list.
#include HEADERS
#include <cstddef>
#include <type_traits>

struct pl_handle {
  char bytes[64];
};

struct slots {
#define X(place, parameters) int(*place) parameters;
#include "backends/gpu_runtime/gpu_functions.def"
#undef X
  const char *(*error_text)(int);
};

template <class A, class B> constexpr bool alike()
{
  return sizeof(A) == sizeof(B) && std::is_scalar<A>::value == std::is_scalar<B>::value &&
         std::is_floating_point<A>::value == std::is_floating_point<B>::value;
}

template <class R, class... A> struct function {
  template <class S, class... B> static constexpr bool matches(S (*)(B...))
  {
    if constexpr (sizeof...(A) == sizeof...(B))
      return alike<R, S>() && (alike<A, B>() && ... && true);
    else
      return false;
  }
};
template <class R, class... A> function<R, A...> of(R (*)(A...));

#define X(library, place, f) \
  static_assert(decltype(of(slots::place))::matches(decltype(&f)(nullptr)), "gpu_functions.def: " #place);
#include FUNCTIONS
