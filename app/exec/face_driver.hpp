#pragma once
// The driver API on the runtime's table of calls: its errors have the runtime's numbers.
#include "exec/face.hpp"

/// As WARPDOJO_CALL, with the driver API's kind of error.
#define WARPDOJO_DRIVER_CALL(ENTRY, SHOWN, ...)                 \
  {                                                             \
    const void* returns_to = __builtin_return_address(0);       \
    return CUresult(WARPDOJO_ENTER(ENTRY, SHOWN, __VA_ARGS__)); \
  }                                                             \
  static_assert(true)
