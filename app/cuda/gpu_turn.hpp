#pragma once
// One process at a time works on a GPU: two that ran at once would measure each other.
#include <memory>
#include <string>

namespace dojo::cuda {

/// Held while this process has work on a GPU. Waits, without using the processor, until no other process
/// holds the turn of the GPU with this name. The turn ends with the last holder's copy, or with the process.
/// Where the system's folder for temporary files takes no lock, there is nothing to hold and nothing to wait
/// for.
class GpuTurn {
 public:
  static std::shared_ptr<GpuTurn> take(const std::string& gpu);
  ~GpuTurn();
  GpuTurn(const GpuTurn&) = delete;
  GpuTurn& operator=(const GpuTurn&) = delete;

 private:
  explicit GpuTurn(int file) : file_(file) {}
  int file_;
};

}  // namespace dojo::cuda
