#pragma once
// Exceptions end at the C functions of a library's stand-in.
#include <exception>

namespace dojo::libraries {

/// What `f` returns; `no_memory` where it throws, as for an array that the host has no memory for.
template <class Status, class F>
Status guarded(Status no_memory, F f) {
  try {
    return f();
  } catch (const std::exception&) {
    return no_memory;
  }
}

}  // namespace dojo::libraries
