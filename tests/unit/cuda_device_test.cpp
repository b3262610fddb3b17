// What the GPU device does when a kernel never ends: on a made-up driver, since a test has no GPU.
#include <doctest/doctest.h>

#include <cstring>

#include "core/error.hpp"
#include "cuda/cuda_device_impl.hpp"

using namespace dojo;
using namespace dojo::cuda;

namespace {

int released = 0;
int asked = 0;

/// One GPU whose streams are always busy.
Driver busy_driver() {
  Driver d;
  d.cuDeviceGet = [](CUdevice* device, int) { return *device = 0, CUDA_SUCCESS; };
  d.cuDeviceGetName = [](char* name, int n, CUdevice) { return std::strncpy(name, "Busy GPU", size_t(n)), CUDA_SUCCESS; };
  d.cuDeviceGetAttribute = [](int* v, CUdevice_attribute, CUdevice) { return *v = 8, CUDA_SUCCESS; };
  d.cuDeviceTotalMem = [](size_t* bytes, CUdevice) { return *bytes = 1 << 30, CUDA_SUCCESS; };
  d.cuDriverGetVersion = [](int* v) { return *v = 13000, CUDA_SUCCESS; };
  d.cuDevicePrimaryCtxRetain = [](CUcontext* c, CUdevice) { return *c = nullptr, CUDA_SUCCESS; };
  d.cuDevicePrimaryCtxRelease = [](CUdevice) { return ++released, CUDA_SUCCESS; };
  d.cuDevicePrimaryCtxReset = [](CUdevice) { return ++released, CUDA_SUCCESS; };
  d.cuCtxSetCurrent = [](CUcontext) { return CUDA_SUCCESS; };
  d.cuStreamQuery = [](CUstream) { return ++asked, CUDA_ERROR_NOT_READY; };
  return d;
}

std::string given_up(CudaDevice& device) {
  try {
    device.synchronize();
  } catch (const RunStopped& stop) {
    CHECK(stop.status == Status::timeout);
    return stop.why.message;
  }
  return "it was not";
}

}  // namespace

TEST_CASE("a kernel that never ends on a GPU is given up at the run's limit, and no call waits for it afterwards") {
  const Driver driver = busy_driver();
  released = asked = 0;
  {
    CudaDevice device(driver, 0);
    RunControl control;
    control.max_seconds = 0.02;
    device.set_control(control);
    CHECK(given_up(device).starts_with("Busy GPU was still busy after 0.02 seconds"));
    CHECK(asked > 1);
  }
  CHECK(released == 0);  // to give the context back would wait for the kernel: the process's end does it
}

TEST_CASE("waiting for a GPU ends when the run is cancelled") {
  const Driver driver = busy_driver();
  CudaDevice device(driver, 0);
  asked = 0;
  RunControl control;
  control.max_seconds = 0;  // no limit
  control.cancelled = [] { return asked > 5; };
  device.set_control(control);
  CHECK(given_up(device) == "The run was cancelled.");
}
