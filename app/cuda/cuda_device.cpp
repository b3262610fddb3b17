// A real GPU behind the Device interface: memory, launches, streams and events. Work runs when it is queued,
// as on any GPU; what was queued is also recorded, and take_launches() replays it as a CUDA graph to time it
// (see replay.cpp). Read results back before take_launches(): a replay runs the kernels again on the same
// buffers.
#include "cuda/cuda_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "cuda/cuda_device_impl.hpp"
#include "ptx/module.hpp"

namespace dojo::cuda {
CudaDevice::CudaDevice(const Driver& driver, int ordinal) : d_(driver), info_(describe_gpu(driver, ordinal)) {
  must(d_.cuDeviceGet(&device_, ordinal), "cuDeviceGet");
  must(d_.cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
  must(d_.cuCtxSetCurrent(context_), "cuCtxSetCurrent");
}

CudaDevice::~CudaDevice() {
  if (hung_) return;  // every call would wait for the kernel; the process's end is what ends it
  unload();
  for (auto& [handle, s] : streams_) d_.cuStreamDestroy(s);
  for (auto& [handle, e] : events_) d_.cuEventDestroy(e.event);
  for (auto& [address, a] : live_) free_now(address, a);
  if (begin_) d_.cuEventDestroy(begin_);
  if (end_) d_.cuEventDestroy(end_);
  if (poisoning_) d_.cuStreamDestroy(poisoning_);
  if (flush_) d_.cuMemFree(flush_);
  if (own_module_) d_.cuModuleUnload(own_module_);
  // After a fault every call fails until the context is made anew: the next file of this process must not pay
  // for it.
  if (stopped_)
    d_.cuDevicePrimaryCtxReset(device_);
  else
    d_.cuDevicePrimaryCtxRelease(device_);
}

void CudaDevice::take_turn() {
  if (turn_) return;
  // By its place in the machine: its number depends on what each process may see.
  const auto get = [&](CUdevice_attribute a) {
    int v = 0;
    d_.cuDeviceGetAttribute(&v, a, device_);
    return v;
  };
  turn_ =
      GpuTurn::take(fmt::format("gpu-{:x}-{:x}-{:x}", get(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID),
                                get(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID), get(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID)));
}

CudaStatus CudaDevice::allocate(uint64_t* address, uint64_t bytes, Owner owner, std::string name,
                                SourceLoc where) {
  if (bytes == 0) {
    *address = 0;
    return {};
  }
  take_turn();
  Allocation a;
  a.bytes = bytes;
  a.owner = owner;
  const uint64_t guarded = guarded_bytes(bytes);
  CUresult r = CUDA_SUCCESS;
  CUdeviceptr p = 0;
  std::byte* host = nullptr;
  if (owner == Owner::pinned) {
    void* h = nullptr;
    r = d_.cuMemHostAlloc(&h, guarded, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    p = reinterpret_cast<CUdeviceptr>(h);
    host = static_cast<std::byte*>(h);
  } else if (owner == Owner::managed) {
    r = d_.cuMemAllocManaged(&p, guarded, CU_MEM_ATTACH_GLOBAL);
    host = reinterpret_cast<std::byte*>(p);
  } else {
    r = d_.cuMemAlloc(&p, guarded);
  }
  if (r != CUDA_SUCCESS)
    return {r == CUDA_ERROR_OUT_OF_MEMORY ? cuda_error::memory_allocation : runtime_code(r)};
  // Poison: a float read before it is written is a NaN; the guard is looked at after the run. Host code and
  // kernels of any stream may store to this memory at once: the fill ends first, and waits for no kernel.
  if (host) {
    std::memset(host, kPoison, guarded);
  } else {
    if (!poisoning_)
      must(d_.cuStreamCreateWithPriority(&poisoning_, CU_STREAM_NON_BLOCKING, 0), "cuStreamCreate");
    d_.cuMemsetD8Async(p, kPoison, guarded, poisoning_);
    wait_for(poisoning_);
  }
  memory_.adopt(p, bytes, owner, std::move(name), std::move(where))->data = host;
  live_[p] = a;
  *address = p;
  return {};
}

void CudaDevice::free_now(uint64_t address, const Allocation& a) {
  if (hung_) return;
  if (a.owner == Owner::pinned)
    d_.cuMemFreeHost(reinterpret_cast<void*>(address));
  else
    d_.cuMemFree(address);
}

CudaStatus CudaDevice::release(uint64_t address, SourceLoc where) {
  if (address == 0) return {};
  auto it = live_.find(address);
  if (it == live_.end()) return {cuda_error::invalid_value};
  check_guard(address, it->second);
  // Recorded launches may use the buffer: it goes when they have been replayed.
  deferred_.push_back({address, it->second});
  live_.erase(it);
  memory_.release(address, std::move(where));
  return {};
}

void CudaDevice::release_deferred() {
  for (auto& [address, a] : deferred_) free_now(address, a);
  deferred_.clear();
  if (!hung_) textures_.release();
}

CUstream CudaDevice::stream(uint64_t handle) const {
  auto it = streams_.find(handle);
  return it == streams_.end() ? nullptr : it->second;
}

CudaStatus CudaDevice::copy(uint64_t dst, uint64_t src, uint64_t bytes, uint64_t s, bool blocking) {
  if (bytes == 0) return {};
  std::byte *hd = memory_.at(dst, bytes), *hs = memory_.at(src, bytes);
  CUresult r = CUDA_SUCCESS;
  if (blocking || hd || hs) {
    // Host memory of the interpreter is pageable: such a copy orders everything before it, as cudaMemcpy
    // does.
    if (CudaStatus st = synchronize(); !st.ok()) return st;
  }
  if (hd && hs)
    std::memmove(hd, hs, bytes);
  else if (hd)
    r = d_.cuMemcpyDtoH(hd, src, bytes);
  else if (hs) {
    r = d_.cuMemcpyHtoD(dst, hs, bytes);
    wait_for(nullptr);  // such a copy may return early, and a stream that does not block waits for none
  } else {
    r = d_.cuMemcpyDtoDAsync(dst, src, bytes, stream(s));
    Work w;
    w.kind = Work::copy;
    w.dst = dst, w.src = src, w.bytes = bytes, w.stream = s;
    work_.push_back(w);
  }
  return {r == CUDA_SUCCESS ? 0 : runtime_code(r)};
}

/// Rows by the driver's copy of boxes. Those of two host sides, and slices that are no whole rows apart, go
/// one by one.
CudaStatus CudaDevice::copy_box(const CopyBox& b, uint64_t s, bool blocking) {
  if (b.empty()) return {};
  std::byte *hd = memory_.at(b.to.base, b.span(b.to)), *hs = memory_.at(b.from.base, b.span(b.from));
  const auto whole = [&](const CopyBox::Side& side) { return b.slices == 1 || side.slice % side.row == 0; };
  if ((hd && hs) || b.rows * b.slices == 1 || !whole(b.to) || !whole(b.from))
    return Device::copy_box(b, s, blocking);
  CUDA_MEMCPY3D p{};
  p.dstMemoryType = hd ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  p.dstHost = hd, p.dstDevice = b.to.base, p.dstPitch = b.to.row;
  p.dstHeight = b.slices == 1 ? b.rows : b.to.slice / b.to.row;
  p.srcMemoryType = hs ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  p.srcHost = hs, p.srcDevice = b.from.base, p.srcPitch = b.from.row;
  p.srcHeight = b.slices == 1 ? b.rows : b.from.slice / b.from.row;
  p.WidthInBytes = b.width, p.Height = b.rows, p.Depth = b.slices;
  return copy_area(p, s, blocking, hd || hs);
}

CudaStatus CudaDevice::copy_area(const CUDA_MEMCPY3D& box, uint64_t s, bool blocking, bool host) {
  if (blocking || host)
    if (CudaStatus st = synchronize(); !st.ok()) return st;
  if (host) {
    const CUresult r = d_.cuMemcpy3D(&box);
    wait_for(nullptr);  // as in copy()
    return {runtime_code(r)};
  }
  const CUresult r = d_.cuMemcpy3DAsync(&box, stream(s));
  Work w;
  w.kind = Work::box;
  w.area = box, w.stream = s;
  work_.push_back(std::move(w));
  return {runtime_code(r)};
}

CudaStatus CudaDevice::fill_box(const FillBox& box, uint32_t value, uint64_t s, bool) {
  if (box.empty()) return {};
  if (std::byte* h = memory_.at(box.dst, box.span());
      h && !memory_.find(box.dst)->freed && memory_.find(box.dst)->owner != Owner::managed) {
    if (CudaStatus st = synchronize(); !st.ok()) return st;  // kernels before it may still use pinned memory
    box.fill(h, value);
    return {};
  }
  CUresult r = issue_fill(box, value, stream(s));
  Work w;
  w.kind = Work::fill;
  w.filled = box, w.value = value, w.stream = s;
  work_.push_back(w);
  return {r == CUDA_SUCCESS ? 0 : runtime_code(r)};
}

KernelResources CudaDevice::kernel_resources(const std::string& mangled) {
  KernelResources k;
  CUfunction f = function(mangled, false);
  if (!f) return k;
  auto get = [&](CUfunction_attribute a) {
    int v = 0;
    d_.cuFuncGetAttribute(&v, a, f);
    return v;
  };
  k.registers = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
  if (info_.cc_major >= 9)
    k.registers = std::max(16, k.registers);  // what a launch takes, and Nsight reports
  k.static_smem = get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  k.local_bytes = get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  k.const_bytes = get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  k.estimated = false;
  return k;
}

int CudaDevice::max_active_blocks(const std::string& mangled, uint32_t threads, uint32_t dynamic_smem) {
  int blocks = 0;
  if (CUfunction f = function(mangled, false))
    d_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, int(threads), dynamic_smem);
  return blocks;
}

CudaStatus CudaDevice::allow_dynamic_smem(const std::string& mangled, int bytes) {
  CUfunction f = function(mangled, false);
  if (!f) return {cuda_error::invalid_device_function};
  allowed_smem_[mangled] = bytes;
  return {runtime_code(d_.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes))};
}

namespace {
/// A launch as the driver takes it.
struct LaunchConfig {
  CUlaunchAttribute attributes[4];
  CUlaunchConfig config{};
  LaunchConfig(const LaunchSpec& s, CUstream on) {
    unsigned n = 0;
    if (s.cooperative) {
      attributes[n].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
      attributes[n++].value.cooperative = 1;
    }
    if (s.programmatic) {
      attributes[n].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
      attributes[n++].value.programmaticStreamSerializationAllowed = 1;
    }
    if (s.priority) {
      attributes[n].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
      attributes[n++].value.priority = *s.priority;
    }
    if (s.cluster.count() > 1) {
      attributes[n].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
      attributes[n].value.clusterDim.x = s.cluster.x;
      attributes[n].value.clusterDim.y = s.cluster.y;
      attributes[n++].value.clusterDim.z = s.cluster.z;
    }
    config.gridDimX = s.grid.x, config.gridDimY = s.grid.y, config.gridDimZ = s.grid.z;
    config.blockDimX = s.block.x, config.blockDimY = s.block.y, config.blockDimZ = s.block.z;
    config.sharedMemBytes = s.dynamic_smem;
    config.hStream = on;
    config.attrs = attributes;
    config.numAttrs = n;
  }
  LaunchConfig(const LaunchConfig&) = delete;  // the configuration points into it
  LaunchConfig& operator=(const LaunchConfig&) = delete;
};
}  // namespace

int CudaDevice::max_active_clusters(const LaunchSpec& s) {
  int clusters = 0;
  LaunchConfig launch(s, nullptr);
  if (CUfunction f = function(s.kernel, false)) d_.cuOccupancyMaxActiveClusters(&clusters, f, &launch.config);
  return clusters;
}

CUresult CudaDevice::issue(const LaunchSpec& s, CUstream on, bool twin, uint64_t stamps) {
  CUfunction f = function(s.kernel, twin);
  if (!f) return CUDA_ERROR_NOT_FOUND;
  // The driver wants a pointer to each argument; the parameter block is one buffer laid out as PTX says.
  std::vector<std::byte> block = s.params;
  size_t size = block.size();
  if (twin) {
    size = (size + 7) / 8 * 8;
    block.resize(size + 8);
    std::memcpy(block.data() + size, &stamps, 8);
    size += 8;
  }
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, block.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  LaunchConfig launch(s, on);
  return d_.cuLaunchKernelEx(&launch.config, f, nullptr, block.empty() ? nullptr : extra);
}

CudaStatus CudaDevice::launch(const LaunchSpec& s) {
  if (s.grid.count() == 0 || s.block.count() == 0 || s.block.count() > uint64_t(info_.threads_per_block))
    return {cuda_error::invalid_configuration};
  CUresult r = issue(s, stream(s.stream), false, 0);
  if (r != CUDA_SUCCESS) return {r == CUDA_ERROR_INVALID_VALUE ? cuda_error::invalid_value : runtime_code(r)};
  Work w;
  w.kind = Work::launch;
  w.spec = s;
  w.stream = s.stream;
  work_.push_back(std::move(w));
  return {};
}

uint64_t CudaDevice::create_stream(int priority, bool non_blocking) {
  CUstream s = nullptr;
  if (d_.cuStreamCreateWithPriority(&s, non_blocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT,
                                    priority) != CUDA_SUCCESS)
    return 0;
  streams_[++next_handle_] = s;
  priorities_[next_handle_] = priority;
  if (!non_blocking) blocking_.insert(next_handle_);
  return next_handle_;
}

CudaStatus CudaDevice::destroy_stream(uint64_t handle) {
  if (!streams_.count(handle)) return {cuda_error::invalid_resource_handle};
  wait_for(streams_[handle]);  // kept until the device goes: recorded work names it
  return {};
}

uint64_t CudaDevice::create_event() {
  Event e;
  if (d_.cuEventCreate(&e.event, CU_EVENT_DEFAULT) != CUDA_SUCCESS) return 0;
  events_[++next_handle_] = e;
  return next_handle_;
}

CudaStatus CudaDevice::record_event(uint64_t event, uint64_t s) {
  auto it = events_.find(event);
  if (it == events_.end()) return {cuda_error::invalid_resource_handle};
  Work w;
  w.kind = Work::record;
  w.event = event, w.stream = s;
  work_.push_back(w);
  it->second.recorded = true;
  return {runtime_code(d_.cuEventRecord(it->second.event, stream(s)))};
}

CudaStatus CudaDevice::wait_event(uint64_t s, uint64_t event) {
  auto it = events_.find(event);
  if (it == events_.end()) return {cuda_error::invalid_resource_handle};
  Work w;
  w.kind = Work::wait;
  w.event = event, w.stream = s;
  work_.push_back(w);
  return {runtime_code(d_.cuStreamWaitEvent(stream(s), it->second.event, CU_EVENT_WAIT_DEFAULT))};
}

CudaStatus CudaDevice::elapsed(float* ms, uint64_t a, uint64_t b) {
  auto i = events_.find(a), j = events_.find(b);
  if (i == events_.end() || j == events_.end() || !i->second.recorded || !j->second.recorded)
    return {cuda_error::invalid_resource_handle};
  wait([&] { return d_.cuEventQuery(j->second.event); });
  return {runtime_code(d_.cuEventElapsedTime(ms, i->second.event, j->second.event))};
}

}  // namespace dojo::cuda
