#pragma once
// The work that a run queued on the GPU, kept so that it can be replayed: a launch, a copy inside the device
// (of bytes, or of rows of memory or of an array), a fill of bytes or rows, or an order between streams: by
// an event, or because the host waited.
#include <cuda.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/device.hpp"

namespace dojo::cuda {

struct Work {
  enum Kind { launch, copy, box, fill, record, wait, host_waited } kind = launch;
  LaunchSpec spec;                       ///< launch
  CUDA_MEMCPY3D area{};                  ///< box: a copy of rows, between arrays or device memory
  uint64_t dst = 0, src = 0, bytes = 0;  ///< copy
  FillBox filled;                        ///< fill
  uint32_t value = 0;
  uint64_t stream = 0, event = 0;
};

}  // namespace dojo::cuda
