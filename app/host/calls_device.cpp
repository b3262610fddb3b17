// Devices: properties, attributes, limits, and the last error.
#include <driver_types.h>

#include <algorithm>

#include "core/collections/rounding.hpp"
#include "host/kept_text.hpp"
#include "host/runtime.hpp"
#include "host/state/streams.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

/// Fields of cudaDeviceProp that CUDA 13 removed. labs/include/shims/dojo_pre.hpp appends them to the struct
/// in this order.
struct OldFields {
  int clock_rate, memory_clock_rate, compute_mode, device_overlap, kernel_timeout;
};

void properties(Call& c) {
  if (c.i32(1) != 0) return c.status(invalid_device);
  const DeviceInfo& d = c.rt.device().info();
  cudaDeviceProp p{};
  d.title.copy(p.name, sizeof p.name - 1);
  p.totalGlobalMem = d.global_bytes;
  p.sharedMemPerBlock = size_t(d.smem_per_block);
  p.regsPerBlock = d.registers_per_block;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = d.threads_per_block;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = d.threads_per_block;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = d.const_bytes;
  p.major = d.cc_major;
  p.minor = d.cc_minor;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = d.sms;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 2;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = d.memory_bus_bits;
  p.l2CacheSize = int(std::min<uint64_t>(d.l2_bytes, 2147483647));
  p.maxThreadsPerMultiProcessor = d.warps_per_sm * 32;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = size_t(d.smem_per_sm);
  p.regsPerMultiprocessor = d.registers_per_sm;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.computePreemptionSupported = 1;
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = size_t(d.smem_per_block_optin);
  p.maxBlocksPerMultiProcessor = d.blocks_per_sm;
  p.reservedSharedMemPerBlock = size_t(d.smem_reserved);
  p.memoryPoolsSupported = 1;
  p.clusterLaunch = d.cc_major >= 9;
  const OldFields old{int(d.clock_mhz * 1000), int(d.memory_clock_mhz * 1000), 0, 1, 0};
  c.store(c.ptr(0), p);
  if (!c.rt.native()) c.store(c.ptr(0) + sizeof p, old);
  c.status(0);
}

void attribute(Call& c) {
  if (c.i32(2) != 0) return c.status(invalid_device);
  const DeviceInfo& d = c.rt.device().info();
  int v = 0;
  switch (c.i32(1)) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
      v = d.threads_per_block;
      break;
    case cudaDevAttrMaxBlockDimZ:
      v = 64;
      break;
    case cudaDevAttrMaxGridDimX:
      v = 2147483647;
      break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      v = 65535;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      v = d.smem_per_block;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      v = d.smem_per_block_optin;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      v = d.smem_per_sm;
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      v = d.smem_reserved;
      break;
    case cudaDevAttrTotalConstantMemory:
      v = int(d.const_bytes);
      break;
    case cudaDevAttrWarpSize:
      v = 32;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
      v = d.registers_per_block;
      break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      v = d.registers_per_sm;
      break;
    case cudaDevAttrClockRate:
      v = int(d.clock_mhz * 1000);
      break;
    case cudaDevAttrMemoryClockRate:
      v = int(d.memory_clock_mhz * 1000);
      break;
    case cudaDevAttrGlobalMemoryBusWidth:
      v = d.memory_bus_bits;
      break;
    case cudaDevAttrL2CacheSize:
      v = int(d.l2_bytes);
      break;
    case cudaDevAttrMultiProcessorCount:
      v = d.sms;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      v = d.warps_per_sm * 32;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      v = d.blocks_per_sm;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      v = d.cc_major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      v = d.cc_minor;
      break;
    case cudaDevAttrAsyncEngineCount:
      v = 2;
      break;
    case cudaDevAttrMaxPitch:
      v = 2147483647;
      break;
    case cudaDevAttrTextureAlignment:
      v = 512;
      break;
    case cudaDevAttrClusterLaunch:
      v = d.cc_major >= 9;
      break;
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrMemoryPoolsSupported:
      v = 1;
      break;
    default:
      break;  // 0: this device doesn't have it
  }
  c.store<int32_t>(c.ptr(0), v);
  c.status(0);
}

/// cudaDeviceGetLimit: CUDA's default limits (stack 1 KiB per thread, printf buffer 1 MiB, heap 8 MiB).
void get_limit(Call& c) {
  uint64_t v = 0;
  if (const auto set = c.rt.limits.find(c.i32(1)); set != c.rt.limits.end()) {
    c.store<uint64_t>(c.ptr(0), set->second);
    return c.status(0);
  }
  switch (c.i32(1)) {
    case cudaLimitStackSize:
      v = 1024;
      break;
    case cudaLimitPrintfFifoSize:
      v = 1 << 20;
      break;
    case cudaLimitMallocHeapSize:
      v = 8 << 20;
      break;
    default:
      return c.status(invalid_value);
  }
  c.store<uint64_t>(c.ptr(0), v);
  c.status(0);
}

/// cudaDeviceSetLimit: limits are kept as an H200 rounds them (driver 580), and do not apply.
void set_limit(Call& c) {
  const uint64_t v = c.ptr(1);
  const int limit = c.i32(0);
  const uint64_t unit = limit == cudaLimitStackSize        ? 16
                        : limit == cudaLimitPrintfFifoSize ? 128
                        : limit == cudaLimitMallocHeapSize ? 4096
                                                           : 1;
  c.rt.limits[limit] = round_up(v, unit);
  c.status(0);
}

void set_int(Call& c, int v) {
  c.store<int32_t>(c.ptr(0), v);
  c.status(0);
}

const Entry device_entries[] = {
    {"cudaGetDeviceProperties", properties},
    {"__cudaCDP2DeviceGetAttribute", attribute},
    {"__cudaCDP2GetDeviceCount", [](Call& c) { set_int(c, 1); }},
    {"__cudaCDP2GetDevice", [](Call& c) { set_int(c, 0); }},
    {"cudaSetDevice", [](Call& c) { c.status(c.i32(0) == 0 ? 0 : invalid_device); }},
    {"cudaInitDevice", [](Call& c) { c.status(c.i32(0) == 0 ? 0 : invalid_device); }},
    {"cudaSetDeviceFlags", [](Call& c) { c.status(0); }},
    {"cudaDeviceSetLimit", set_limit},
    {"__cudaCDP2DeviceGetLimit", get_limit},
    {"cudaDeviceSetCacheConfig", [](Call& c) { c.status(0); }},
    {"cudaDeviceSetSharedMemConfig", [](Call& c) { c.status(0); }},
    {"__cudaCDP2DeviceGetCacheConfig", [](Call& c) { set_int(c, 0); }},
    {"__cudaCDP2DeviceGetSharedMemConfig", [](Call& c) { set_int(c, 1); }},
    {"cudaDeviceGetStreamPriorityRange",
     [](Call& c) {
       if (c.ptr(0)) c.store<int32_t>(c.ptr(0), lowest_priority);
       if (c.ptr(1)) c.store<int32_t>(c.ptr(1), highest_priority);
       c.status(0);
     }},
    {"cudaDeviceCanAccessPeer", [](Call& c) { set_int(c, 0); }},
    {"cudaDriverGetVersion", [](Call& c) { set_int(c, c.rt.device().info().driver_version); }},
    {"__cudaCDP2RuntimeGetVersion", [](Call& c) { set_int(c, 13000); }},
    {"__cudaCDP2GetLastError",
     [](Call& c) {
       c.ret<int32_t>(c.rt.last_error);
       c.rt.last_error = 0;
       c.rt.unseen_launch_errors.clear();
     }},
    {"__cudaCDP2PeekAtLastError",
     [](Call& c) {
       c.ret<int32_t>(c.rt.last_error);
       c.rt.unseen_launch_errors.clear();
     }},
    {"__cudaCDP2GetErrorString", [](Call& c) { c.ret(kept_text(c, cuda_error_text(c.i32(0)))); }},
    {"__cudaCDP2GetErrorName", [](Call& c) { c.ret(kept_text(c, cuda_error_name(c.i32(0)))); }},
};

}  // namespace

uint64_t kept_text(Call& c, const std::string& s) {
  static const char prefix[] = "runtime text: ";
  for (const auto& r : c.rt.memory().regions())
    if (r->owner == Owner::host_global && r->name == prefix + s) return r->base;
  Region* r = c.rt.memory().allocate(s.size() + 1, Owner::host_global, prefix + s);
  if (!r) return 0;
  std::memcpy(r->data, s.c_str(), s.size() + 1);
  r->initialized = r->read_only = true;
  return r->base;
}

std::span<const Entry> device_calls() { return device_entries; }

}  // namespace dojo::host
