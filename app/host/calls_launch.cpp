// Launches and what belongs to a kernel: <<<>>>, cudaLaunchKernel, attributes.
#include <driver_types.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "core/bytes.hpp"
#include "core/text/numbers.hpp"
#include "host/graphs.hpp"
#include "host/kept_text.hpp"
#include "host/runtime.hpp"
#include "host/state/launches.hpp"
#include "host/state/streams.hpp"
#include "host/state/unawaited.hpp"
#include "ptx/flow/result_read.hpp"
#include "simt/launch_cluster.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

// What an H100 returns for clusters that do not fit (CUDA 13.0 runtime).
constexpr int invalid_cluster_size = cudaErrorInvalidClusterSize;

bool multiple_of(const Dim3& grid, const Dim3& cluster) {
  return grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
}

constexpr uint32_t most_in_x = 0x7FFFFFFF;  // blocks of a grid

std::string shape(const Dim3& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

/// Why a launch failed, with the numbers.
std::string reason(Runtime& rt, const ptx::Function& kernel, const LaunchSpec& s, int code) {
  const DeviceInfo& d = rt.device().info();
  if (code == invalid_cluster_size) {
    const Dim3 c = simt::launch_cluster(kernel, s);
    if (!multiple_of(s.grid, c))
      return "the grid " + shape(s.grid) + " is not a multiple of the cluster " + shape(c);
    return "the cluster has " + std::to_string(c.count()) + " blocks, 8 are allowed (16 after " +
           "cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1))";
  }
  const Dim3& b = s.block;
  if (s.grid.count() == 0 || b.count() == 0)
    return "the launch is empty: grid " + shape(s.grid) + ", block " + shape(b);
  if (b.count() > uint64_t(d.threads_per_block)) {
    const bool exchanged = s.grid.count() >= 32 && s.grid.count() <= uint64_t(d.threads_per_block);
    return "the block " + shape(b) + " has " + grouped(double(b.count())) + " threads, this device allows " +
           std::to_string(d.threads_per_block) +
           (exchanged ? ". The grid comes first: <<<blocks, threads per block>>>"
                      : ". Launch more blocks of fewer threads");
  }
  if (b.z > 64)
    return "the block " + shape(b) + " has " + std::to_string(b.z) + " threads in z, of 64 allowed";
  if (s.grid.x > most_in_x)
    return "the grid " + shape(s.grid) + " is over " + grouped(double(most_in_x)) + " in x";
  if (s.grid.y > 65535 || s.grid.z > 65535) return "the grid " + shape(s.grid) + " is over 65,535 in y or z";
  if (code == cooperative_launch_too_large)
    return "a cooperative grid of " + grouped(double(s.grid.count())) +
           " blocks can't all be resident at once";
  const KernelResources k = rt.device().kernel_resources(s.kernel);
  const uint64_t smem = s.dynamic_smem + uint64_t(k.static_smem);
  if (smem > uint64_t(d.smem_per_block))
    return "the block needs " + grouped(double(smem)) + " bytes of shared memory, " +
           grouped(double(d.smem_per_block)) + " are allowed (up to " +
           grouped(double(d.smem_per_block_optin)) +
           " after cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes))";
  if (uint64_t(k.registers) * b.count() > uint64_t(d.registers_per_block))
    return std::to_string(k.registers) + " registers for each of " + std::to_string(b.count()) +
           " threads are more than a block may have";
  return cuda_error_text(code);
}

/// First half of what NVRTC makes of <<<>>>: allocates a buffer, into which the program writes the kernel's
/// arguments. launch_device() is the second half.
void parameter_buffer(Call& c) {
  Runtime& rt = c.rt;
  const ptx::Function* kernel = rt.kernel_at(c.ptr(0));
  if (!kernel) {
    rt.report(c, Severity::error, FindingKind::launch_error,
              "the launched function is no __global__ kernel of this file");
    rt.last_error = invalid_device_function;
    return c.ret<uint64_t>(0);
  }
  Launches::Pending p;
  p.kernel = kernel;
  p.spec.kernel = kernel->name;
  p.spec.grid = c.dim3(1);
  p.spec.block = c.dim3(2);
  p.spec.dynamic_smem = uint32_t(c.i32(3));
  p.spec.where = c.where;
  const uint64_t need = std::max<uint64_t>(kernel->param_bytes, 64);
  uint64_t buffer = 0, bytes = need;
  auto& spare_buffers = rt.launches().spare_buffers;
  auto spare = std::find_if(spare_buffers.begin(), spare_buffers.end(),
                            [&](const auto& b) { return b.second >= need; });
  if (spare != spare_buffers.end()) {
    std::tie(buffer, bytes) = *spare;
    spare_buffers.erase(spare);
  } else if (Region* r = rt.memory().allocate(need, Owner::host_global, "kernel parameters")) {
    r->initialized = true;
    buffer = r->base;
  }
  if (buffer) rt.launches().pending[buffer] = std::move(p);
  c.ret<uint64_t>(buffer);
}

/// Launches the kernel whose arguments now are in the buffer of parameter 0.
void launch_device(Call& c) {
  Runtime& rt = c.rt;
  const uint64_t buffer = c.ptr(0);
  auto& pending = rt.launches().pending;
  auto it = pending.find(buffer);
  if (it == pending.end()) return c.status(invalid_value);
  Launches::Pending p = std::move(it->second);
  pending.erase(it);
  const std::byte* params = c.read(buffer, p.kernel->param_bytes);
  p.spec.params.assign(params, params + p.kernel->param_bytes);
  rt.launches().spare_buffers.push_back({buffer, rt.memory().find(buffer)->size});
  if (!rt.streams().find(rt.device(), c.ptr(1), &p.spec.stream)) {
    rt.report(c, Severity::error, FindingKind::launch_error,
              "the launch's stream was not created, or is destroyed");
    return c.status(invalid_resource_handle);
  }
  c.status(rt.launch(c, *p.kernel, std::move(p.spec)));
}

/// First half of what clang makes of <<<>>>: pushes grid and block at the launch's line. The kernel's stub
/// pops them and calls cudaLaunchKernel.
void push_configuration(Call& c) {
  Launches::Configuration p;
  p.grid = c.dim3(0);
  p.block = c.dim3(1);
  p.dynamic_smem = c.ptr(2);
  p.stream = c.ptr(3);
  p.where = c.where;
  c.rt.launches().pushed.push_back(std::move(p));
  c.ret<int32_t>(0);
}

void pop_configuration(Call& c) {
  Launches& launches = c.rt.launches();
  if (launches.pushed.empty()) return c.status(invalid_value);
  const Launches::Configuration p = std::move(launches.pushed.back());
  launches.pushed.pop_back();
  const auto store = [&](uint64_t at, const Dim3& d) {
    const uint32_t words[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; ++i) c.store(at + 4 * uint64_t(i), words[i]);
  };
  store(c.ptr(0), p.grid);
  store(c.ptr(1), p.block);
  c.store<uint64_t>(c.ptr(2), p.dynamic_smem);
  c.store<uint64_t>(c.ptr(3), p.stream);
  launches.popped_where = p.where;
  c.ret<int32_t>(0);
}

void launch_by_arguments(Call& c, bool returned) {
  Runtime& rt = c.rt;
  const ptx::Function* kernel = rt.kernel_at(c.ptr(0));
  if (!kernel) return c.status(invalid_device_function);
  LaunchSpec s;
  s.kernel = kernel->name;
  s.grid = c.dim3(1);
  s.block = c.dim3(2);
  s.dynamic_smem = uint32_t(c.ptr(4));
  s.cooperative = c.i32(6) != 0;
  s.where = c.where;
  if (!c.stream(5, &s.stream)) return;
  if (!kernel->params.empty()) gather_arguments(c, *kernel, c.ptr(3), &s);
  c.status(rt.launch(c, *kernel, std::move(s), returned));
}

void launch_kernel(Call& c) { launch_by_arguments(c, true); }

/// cudaLaunchKernel, called by a kernel's stub or by the program. A stub has no line in the student's file,
/// so the line of the pushed configuration stands for it.
void launch_from_stub(Call& c) {
  const std::optional<SourceLoc> configured = std::exchange(c.rt.launches().popped_where, {});
  Call at_launch{c.rt, c.callee, c.args, c.result, configured.value_or(c.where)};
  launch_by_arguments(at_launch, !configured);
}

void launch_kernel_ex(Call& c) {
  Runtime& rt = c.rt;
  const ptx::Function* kernel = rt.kernel_at(c.ptr(1));
  if (!kernel) return c.status(invalid_device_function);
  LaunchSpec s;
  ConfigExtras extras;
  if (!read_config(c, c.ptr(0), &s, &extras)) return c.status(invalid_value);
  s.kernel = kernel->name;
  s.where = c.where;
  if (!rt.streams().find(rt.device(), extras.stream, &s.stream)) return c.status(invalid_resource_handle);
  if (!kernel->params.empty()) gather_arguments(c, *kernel, c.ptr(2), &s);
  c.status(rt.launch(c, *kernel, std::move(s), true));
}

void set_attribute(Call& c) {
  const ptx::Function* kernel = c.rt.kernel_at(c.ptr(0));
  if (!kernel) return c.status(invalid_device_function);
  if (c.i32(1) == cudaFuncAttributeNonPortableClusterSizeAllowed) {
    if (c.i32(2))
      c.rt.launches().large_clusters.insert(kernel->name);
    else
      c.rt.launches().large_clusters.erase(kernel->name);
  }
  if (c.i32(1) != cudaFuncAttributeMaxDynamicSharedMemorySize) return c.status(0);
  const CudaStatus s = c.rt.device().allow_dynamic_smem(kernel->name, c.i32(2));
  if (s.ok()) c.rt.launches().dynamic_smem_limit[kernel->name] = c.i32(2);
  c.status(s);
}

void get_attributes(Call& c) {
  const ptx::Function* kernel = c.rt.kernel_at(c.ptr(1));
  if (!kernel) return c.status(invalid_device_function);
  const KernelResources k = c.rt.device().kernel_resources(kernel->name);
  const DeviceInfo& d = c.rt.device().info();
  cudaFuncAttributes a{};
  a.sharedSizeBytes = size_t(k.static_smem);
  a.constSizeBytes = 0;
  a.localSizeBytes = size_t(k.local_bytes);
  a.numRegs = k.registers;
  const std::string& target = c.rt.module().target;  // "sm_75"
  a.ptxVersion = target.size() > 3 ? std::atoi(target.c_str() + 3) : 10 * d.cc_major + d.cc_minor;
  a.binaryVersion = 10 * d.cc_major + d.cc_minor;
  int threads = kernel->max_threads ? kernel->max_threads : d.threads_per_block;
  if (k.registers > 0) threads = std::min(threads, d.registers_per_block / k.registers / 32 * 32);
  a.maxThreadsPerBlock = threads;
  const auto& limits = c.rt.launches().dynamic_smem_limit;
  const auto limit = limits.find(kernel->name);
  a.maxDynamicSharedSizeBytes = limit != limits.end() ? limit->second : d.smem_per_block - k.static_smem;
  a.preferredShmemCarveout = -1;
  c.store(c.ptr(0), a);
  c.status(0);
}

/// cudaFuncGetName: the name as the compiler wrote it.
void get_kernel_name(Call& c) {
  const ptx::Function* kernel = c.rt.kernel_at(c.ptr(1));
  if (!kernel) return c.status(invalid_device_function);
  c.store<uint64_t>(c.ptr(0), kept_text(c, kernel->name));
  c.status(0);
}

/// cudaFuncGetParamInfo: where a parameter lies among the kernel's, and its bytes.
void get_kernel_parameter(Call& c) {
  const ptx::Function* kernel = c.rt.kernel_at(c.ptr(0));
  if (!kernel) return c.status(invalid_device_function);
  const uint64_t i = c.ptr(1);
  if (i >= kernel->params.size()) return c.status(invalid_value);
  c.store<uint64_t>(c.ptr(2), kernel->params[i].offset);
  if (c.ptr(3)) c.store<uint64_t>(c.ptr(3), kernel->params[i].bytes);
  c.status(0);
}

const Entry launch_entries[] = {
    {"__cudaCDP2GetParameterBufferV2", parameter_buffer},
    {"__cudaCDP2LaunchDeviceV2", launch_device},
    {"__cudaPushCallConfiguration", push_configuration},
    {"__cudaPopCallConfiguration", pop_configuration},
    {"cudaLaunchKernel", launch_from_stub},
    {"__dojo_LaunchKernel", launch_kernel},
    {"__dojo_LaunchKernelEx", launch_kernel_ex},
    {"__dojo_FuncSetAttribute", set_attribute},
    {"__cudaCDP2FuncGetAttributes", get_attributes},
    {"__dojo_FuncGetName", get_kernel_name},
    {"__dojo_FuncGetParamInfo", get_kernel_parameter},
};

}  // namespace

std::span<const Entry> launch_calls() { return launch_entries; }

bool gather_arguments(Call& c, const ptx::Function& kernel, uint64_t pointers, LaunchSpec* spec) {
  if (!pointers) return false;
  spec->params.assign(kernel.param_bytes, std::byte{0});
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    const auto& p = kernel.params[i];
    const uint64_t a = c.load<uint64_t>(pointers + 8 * i);
    copy_bytes(spec->params.data() + p.offset, c.read(a, p.bytes), p.bytes);
  }
  return true;
}

bool read_config(const Call& c, uint64_t at, LaunchSpec* s, ConfigExtras* extras) {
  const auto config = c.load<cudaLaunchConfig_t>(at);
  s->grid = {config.gridDim.x, config.gridDim.y, config.gridDim.z};
  s->block = {config.blockDim.x, config.blockDim.y, config.blockDim.z};
  s->dynamic_smem = uint32_t(config.dynamicSmemBytes);
  extras->stream = reinterpret_cast<uint64_t>(config.stream);
  constexpr unsigned most_attributes = 64;  // CUDA has fewer kinds
  if (config.numAttrs > most_attributes) return false;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const auto a = c.load<cudaLaunchAttribute>(reinterpret_cast<uint64_t>(config.attrs) +
                                               i * sizeof(cudaLaunchAttribute));
    if (a.id == cudaLaunchAttributeCooperative) s->cooperative = a.val.cooperative != 0;
    if (a.id == cudaLaunchAttributeProgrammaticStreamSerialization)
      s->programmatic = a.val.programmaticStreamSerializationAllowed != 0;
    if (a.id == cudaLaunchAttributePriority) s->priority = clamped_priority(a.val.priority);
    if (a.id == cudaLaunchAttributeClusterDimension) {
      s->cluster = {a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z};
      extras->names_cluster = true;
    }
  }
  return true;
}

bool cluster_fits(const Dim3& grid, const Dim3& cluster, uint64_t most) {
  return cluster.count() > 0 && multiple_of(grid, cluster) && cluster.count() <= most;
}

CudaStatus Runtime::launch(Call& c, const ptx::Function& kernel, LaunchSpec spec, bool returned) {
  const Dim3 cluster = simt::launch_cluster(kernel, spec);
  const bool fits = cluster_fits(spec.grid, cluster, launches().most_in_cluster(kernel.name));
  const auto& settings = streams().settings;
  if (const auto own = settings.find(spec.stream);
      own != settings.end() && own->second.priority_changed && !spec.priority)
    spec.priority = own->second.priority;
  if (const int refused = graphs().refuse_default_stream(c, spec.stream)) return {refused};
  if (fits && graphs().captures(spec.stream)) {
    GraphNode node;
    node.kind = GraphNode::Kind::kernel;
    node.where = c.where;
    node.kernel = &kernel;
    node.kernel_address = kernel_address_;
    const uint64_t stream = spec.stream;
    node.spec = std::move(spec);
    return graphs().add(stream, std::move(node));
  }
  const CudaStatus s = fits ? device_.launch(spec) : CudaStatus{invalid_cluster_size};
  if (s.ok()) {
    if (!native_) note_reach(kernel, spec);
    unawaited().note_launch(c, kernel, spec);
    return s;
  }
  if (returned && (!caller || ptx::reads_result(*caller, caller_at))) return s;
  Diagnostic d;
  d.kind = FindingKind::launch_error;
  d.where = c.where;
  d.kernel = kernel.demangled;
  d.message = "The launch of " + kernel.demangled +
              " failed, and the program did not check the error: " + cuda_error_name(s.code) + ": " +
              reason(*this, kernel, spec, s.code) + ". Check cudaGetLastError() after each launch.";
  if (unseen_launch_errors.size() < 20) unseen_launch_errors.push_back(std::move(d));
  return s;
}

}  // namespace dojo::host
