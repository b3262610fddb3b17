// The GPUs of this machine: what each is, and "cuda:N" by name.
#include <fmt/format.h>

#include "core/error.hpp"
#include "cuda/cuda_device.hpp"
#include "cuda/cuda_device_impl.hpp"

namespace dojo::cuda {
namespace {

int attribute(const Driver& d, CUdevice device, CUdevice_attribute a) {
  int v = 0;
  d.cuDeviceGetAttribute(&v, a, device);
  return v;
}

// FP32 lanes an SM, by compute capability (CUDA C++ Programming Guide, arithmetic instruction throughput).
int fp32_lanes(int major, int minor) {
  if (major == 8 && minor == 0) return 64;
  if (major == 7) return 64;
  return 128;
}

}  // namespace

DeviceInfo describe_gpu(const Driver& d, int ordinal) {
  CUdevice dev = 0;
  must(d.cuDeviceGet(&dev, ordinal), "cuDeviceGet");
  DeviceInfo i;
  i.kind = DeviceKind::cuda;
  i.name = fmt::format("cuda:{}", ordinal);
  char title[256] = {};
  d.cuDeviceGetName(title, sizeof title, dev);
  i.title = title;
  auto get = [&](CUdevice_attribute a) { return attribute(d, dev, a); };
  i.cc_major = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  i.cc_minor = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  i.sms = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  i.warps_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / 32;
  i.blocks_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  i.threads_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  i.registers_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  i.registers_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  i.smem_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  i.smem_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  i.smem_per_block_optin = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  i.smem_reserved = get(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  i.const_bytes = get(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  i.l2_bytes = get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  i.clock_mhz = get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000.0;
  i.memory_clock_mhz = get(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) / 1000.0;
  i.memory_bus_bits = get(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  i.peak_gbps = 2.0 * i.memory_clock_mhz * 1e6 * (i.memory_bus_bits / 8.0) * 1e-9;
  i.peak_gflops = 2.0 * fp32_lanes(i.cc_major, i.cc_minor) * i.sms * i.clock_mhz * 1e-3;
  size_t total = 0;
  d.cuDeviceTotalMem(&total, dev);
  i.global_bytes = total;
  d.cuDriverGetVersion(&i.driver_version);
  return i;
}

void register_cuda() {
  DeviceFamily f;
  f.scheme = "cuda";
  f.list = [](std::vector<std::string>* why_not) {
    std::vector<DeviceInfo> found;
    std::string why;
    const Driver* d = driver(&why);
    int n = 0;
    if (d) d->cuDeviceGetCount(&n);
    for (int i = 0; i < n; ++i) found.push_back(describe_gpu(*d, i));
    if (found.empty() && why_not)
      why_not->push_back("cuda: " + (why.empty() ? std::string("no GPU found") : why));
    return found;
  };
  f.open = [](const std::string& name) -> std::unique_ptr<Device> {
    std::string why;
    const Driver* d = driver(&why);
    if (!d) throw Error(fmt::format("{} can't be used: {}. Use a simt: device instead.", name, why));
    int n = 0, ordinal = 0;
    d->cuDeviceGetCount(&n);
    try {
      ordinal = std::stoi(name.substr(name.find(':') + 1));
    } catch (const std::exception&) {
      ordinal = -1;
    }
    if (ordinal < 0 || ordinal >= n)
      throw Error(fmt::format("there is no {}: this machine has {} GPU{}, cuda:0 to cuda:{}", name, n,
                              n == 1 ? "" : "s", n - 1));
    return std::make_unique<CudaDevice>(*d, ordinal);
  };
  register_family(std::move(f));
}

}  // namespace dojo::cuda
