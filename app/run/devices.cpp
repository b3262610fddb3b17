#include "cuda/cuda_device.hpp"
#include "run/engine.hpp"
#include "run/recordings/recording.hpp"
#include "run/runner.hpp"
#include "simt/device/register.hpp"

namespace dojo::run {

void register_devices() {
  static const bool once = [] {
    use_native_engine();
    simt::register_simt();
    cuda::register_cuda();
    register_recordings();
    return true;
  }();
  (void)once;
}

}  // namespace dojo::run
