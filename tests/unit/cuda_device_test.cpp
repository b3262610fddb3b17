// What the GPU device does when a kernel never ends: on a made-up driver, since a test has no GPU.
#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

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
  d.cuDeviceGetName = [](char* name, int n, CUdevice) {
    return std::strncpy(name, "Busy GPU", size_t(n)), CUDA_SUCCESS;
  };
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

TEST_CASE(
    "a kernel that never ends on a GPU is given up at the run's limit, and no call waits for it afterwards") {
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

namespace {

std::vector<std::string> calls;

std::string name_of(const void* handle) { return std::to_string(reinterpret_cast<uintptr_t>(handle)); }

/// Notes what is issued: streams and events are numbers in order of creation, from 1 and from 101.
Driver noting_driver() {
  static uintptr_t streams, events;
  streams = 0, events = 100;
  calls.clear();
  Driver d = busy_driver();
  d.cuStreamQuery = [](CUstream) { return CUDA_SUCCESS; };
  d.cuCtxSynchronize = [] { return CUDA_SUCCESS; };
  d.cuStreamCreateWithPriority = [](CUstream* s, unsigned, int) {
    return *s = reinterpret_cast<CUstream>(++streams), CUDA_SUCCESS;
  };
  d.cuStreamDestroy = [](CUstream) { return CUDA_SUCCESS; };
  d.cuEventCreate = [](CUevent* e, unsigned) {
    return *e = reinterpret_cast<CUevent>(++events), CUDA_SUCCESS;
  };
  d.cuEventDestroy = [](CUevent) { return CUDA_SUCCESS; };
  d.cuEventRecord = [](CUevent e, CUstream s) {
    return calls.push_back("record " + name_of(e) + " on " + name_of(s)), CUDA_SUCCESS;
  };
  d.cuStreamWaitEvent = [](CUstream s, CUevent e, unsigned) {
    return calls.push_back(name_of(s) + " waits for " + name_of(e)), CUDA_SUCCESS;
  };
  d.cuMemsetD8Async = [](CUdeviceptr at, unsigned char, size_t, CUstream s) {
    return calls.push_back("fill " + std::to_string(at) + " on " + name_of(s)), CUDA_SUCCESS;
  };
  return d;
}

/// Streams that must have waited, directly or through others, for the fill at `before` when the fill at
/// `after` is issued.
bool ordered(uint64_t before, uint64_t after) {
  std::set<std::string> holds, events;  // streams and events behind the first fill
  for (const std::string& c : calls) {
    const std::string last = c.substr(c.rfind(' ') + 1);
    if (c.starts_with("fill " + std::to_string(before) + " "))
      holds.insert(last);
    else if (c.starts_with("fill " + std::to_string(after) + " "))
      return holds.count(last) > 0;
    else if (c.starts_with("record ") && holds.count(last))
      events.insert(c.substr(7, c.find(' ', 7) - 7));
    else if (c.find(" waits for ") != std::string::npos && events.count(last))
      holds.insert(c.substr(0, c.find(' ')));
  }
  return false;
}

}  // namespace

TEST_CASE("a replay keeps the order that the host's waiting gave the work of different streams") {
  const Driver driver = noting_driver();
  CudaDevice device(driver, 0);
  const uint64_t a = device.create_stream(0, true), b = device.create_stream(0, true);
  device.fill(1001, 0, 4, a, false);
  device.fill(1002, 0, 4, b, false);
  device.synchronize_stream(a);
  device.fill(1003, 0, 4, b, false);
  calls.clear();
  CHECK(device.issue_work(reinterpret_cast<CUstream>(uintptr_t(99))));
  CHECK(ordered(1001, 1003));
  CHECK(ordered(1002, 1003));
  CHECK_FALSE(ordered(1001, 1002));
}

TEST_CASE("a replay keeps the order between the default stream and the streams that block") {
  const Driver driver = noting_driver();
  CudaDevice device(driver, 0);
  const uint64_t blocks = device.create_stream(0, false), apart = device.create_stream(0, true);
  device.fill(1001, 0, 4, blocks, false);
  device.fill(1002, 0, 4, apart, false);
  device.fill(1003, 0, 4, 0, false);
  device.fill(1004, 0, 4, blocks, false);
  device.fill(1005, 0, 4, apart, false);
  calls.clear();
  CHECK(device.issue_work(reinterpret_cast<CUstream>(uintptr_t(99))));
  CHECK(ordered(1001, 1003));
  CHECK(ordered(1003, 1004));
  CHECK_FALSE(ordered(1002, 1003));
  CHECK_FALSE(ordered(1003, 1005));
}
