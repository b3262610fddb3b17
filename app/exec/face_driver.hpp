#pragma once
// The driver API on the runtime's table of calls. Its errors have the runtime's numbers, but for those that
// only the runtime has.
#include <cuda.h>

#include "exec/face.hpp"

namespace dojo::exec {

/// The driver API's error for one of the runtime's.
inline CUresult driver_error(int runtime_code) {
  switch (runtime_code) {
    case cuda_error::invalid_configuration:
    case cuda_error::invalid_device_pointer:
    case cuda_error::invalid_memcpy_direction:
      return CUDA_ERROR_INVALID_VALUE;
    case cuda_error::invalid_device_function:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      return CUresult(runtime_code);
  }
}

}  // namespace dojo::exec

/// As WARPDOJO_CALL, with the driver API's kind of error.
#define WARPDOJO_DRIVER_CALL(ENTRY, SHOWN, ...)                                        \
  {                                                                                    \
    const void* returns_to = __builtin_return_address(0);                              \
    return ::dojo::exec::driver_error(int(WARPDOJO_ENTER(ENTRY, SHOWN, __VA_ARGS__))); \
  }                                                                                    \
  static_assert(true)
