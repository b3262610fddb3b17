#pragma once
#include "core/device.hpp"

namespace dojo::cuda {

/// Makes "cuda:0", "cuda:1" ... known to open_device. Lists nothing, and says why in one line, without a GPU.
void register_cuda();

}  // namespace dojo::cuda
