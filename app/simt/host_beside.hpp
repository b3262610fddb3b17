#pragma once
// Host code that runs while kernels run, on other threads of this process, and writes memory that kernels
// read (`warpdojo exec`). Where there is none, a kernel that waits for the host is a deadlock.
//
//   kernel: while (*flag == 0) {}     kernel_waits() until host code has written *flag, or can't any more
//   host:   *flag = 1;
#include <functional>

#include "core/types.hpp"

namespace dojo::simt {

class HostBeside {
 public:
  virtual ~HostBeside() = default;
  /// No thread of the kernels can go on. Lets host code run for a moment; the machine then looks again at
  /// what they wait for. `which` says who waits for what, as a sentence without its full stop. `again`: none
  /// has run since the last call. False: host code can't change it any more.
  virtual bool kernel_waits(bool again, const std::function<Diagnostic()>& which) = 0;
  /// Kernels poll memory and could do so for ever: lets calls of the host in that wait for their turn.
  virtual void kernel_polls() = 0;
  /// A call of the host can't go on before the kernels end that run on another thread. False: that thread is
  /// not in this process, which a fork has made.
  virtual bool wait_for_kernels(const std::function<bool()>& ended) = 0;
};

}  // namespace dojo::simt
