#pragma once
// The cluster of a launch: its attribute, or what the kernel was compiled for (__cluster_dims__).
#include "core/device.hpp"
#include "ptx/module.hpp"

namespace dojo::simt {

/// {1, 1, 1}: none.
inline Dim3 launch_cluster(const ptx::Function& kernel, const LaunchSpec& spec) {
  if (spec.cluster.count() > 1) return spec.cluster;
  return kernel.cluster.count() > 0 ? kernel.cluster : Dim3{1, 1, 1};
}

}  // namespace dojo::simt
