// The device runtime: what nvcc makes of <<<>>> in a kernel (CUDA's second version of dynamic parallelism),
// and the few calls that such kernels make beside it; cudaGraphSetConditional().
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "core/graph_condition.hpp"
#include "simt/ops/calls.hpp"
#include "simt/ops/runtime/device_runtime.hpp"
#include "simt/state/access.hpp"
#include "simt/state/device_launches.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

constexpr uint64_t stream_tail_launch = 3;  // cudaStreamTailLaunch
constexpr uint64_t first_stream = 0x1000;   // handles of streams that kernels make: all behave as one
constexpr uint64_t cuda_invalid_value = 1;  // cudaErrorInvalidValue
constexpr uint64_t cuda_no_memory = 2;      // cudaErrorMemoryAllocation
constexpr uint64_t least_parameter_bytes = 64;

/// Writes through the pointer that argument `i` is.
void store(const LaneCall& c, size_t i, uint64_t v) {
  if (std::byte* to = lane_bytes(c.x, c.lane, c.argument(i), sizeof v)) std::memcpy(to, &v, sizeof v);
}
struct Words3 {
  uint32_t x, y, z;
};
Dim3 dim3_of(const Words3& w) { return {w.x, w.y, w.z}; }

void parameter_buffer(const LaneCall& c, const SourceLoc& where) {
  const ptx::Function* kernel = function_at(*c.x.program, c.argument(0));
  if (!kernel || !kernel->kernel || !kernel->defined) return c.result(0);
  Region* r = c.x.memory->allocate(std::max<uint64_t>(kernel->param_bytes, least_parameter_bytes),
                                   Owner::device, "parameters of a launch in a kernel", where);
  if (!r) return c.result(0);
  DeviceWork w;
  w.function = uint32_t(kernel - c.x.program->module().functions.data());
  w.grid = dim3_of(c.argument<Words3>(1));
  w.block = dim3_of(c.argument<Words3>(2));
  w.dynamic_smem = c.argument<uint32_t>(3);
  w.where = where;
  w.params.resize(kernel->param_bytes);
  c.x.machine->launches().prepared[r->base] = std::move(w);
  c.result(r->base);
}

void launch(const LaneCall& c) {
  DeviceLaunches& all = c.x.machine->launches();
  const auto found = all.prepared.find(c.argument(0));
  if (found == all.prepared.end()) return c.result(cuda_invalid_value);
  DeviceWork w = std::move(found->second);
  if (const std::byte* from = c.x.memory->at(found->first, w.params.size()); from && !w.params.empty())
    std::memcpy(w.params.data(), from, w.params.size());
  w.buffer = found->first;
  all.prepared.erase(found);
  w.tail = c.argument(1) == stream_tail_launch;
  all.asked.push_back(std::move(w));
  c.result(0);
}

void copy(const LaneCall& c, const SourceLoc& where) {
  DeviceWork w;
  w.function = DeviceLaunches::copy;
  w.to = c.argument(0);
  w.from = c.argument(1);
  w.bytes = c.argument(2);
  w.where = where;
  c.x.machine->launches().asked.push_back(std::move(w));
  c.result(0);
}

/// cudaGraphSetConditional. Two threads that set a condition at once leave it undefined on a GPU; here the
/// last lane's value stays, and those of one warp are told.
void set_conditions(const Inst* p, Exec& x, const CallSite& site) {
  std::map<uint64_t, uint32_t> lanes;  // by condition
  DOJO_FOR_LANES(l, x.mask) {
    const LaneCall c{x, site, l};
    const uint64_t handle = c.argument(0);
    GraphCondition* condition = graph_condition(*x.memory, handle);
    if (!condition)
      throw RunStopped(Status::finding,
                       finding(x, p, FindingKind::host_error,
                               "cudaGraphSetConditional of a handle that is no condition of a graph. "
                               "cudaGraphConditionalHandleCreate() makes one; give it to the kernel.",
                               int(l)));
    condition->value = c.argument<uint32_t>(1);
    condition->is_set = 1;
    ++lanes[handle];
  }
  for (const auto& [handle, count] : lanes)
    if (count > 1) {
      Diagnostic d =
          finding(x, p, FindingKind::race,
                  std::to_string(count) +
                      " threads of a warp call cudaGraphSetConditional for one condition at once: on a "
                      "GPU its value is undefined. Let one thread of the grid call it.",
                  std::countr_zero(x.mask));
      d.severity = Severity::warning;
      emit(x, std::move(d));
    }
}

}  // namespace

bool call_device_runtime(const Inst* p, Exec& x, const ptx::Function& callee, const CallSite& site) {
  if (callee.name == "cudaGraphSetConditional") {
    set_conditions(p, x, site);
    return true;
  }
  if (!callee.name.starts_with("__cudaCDP2")) return false;
  const std::string_view name = std::string_view(callee.name).substr(10);
  const SourceLoc where = place_of(*x.program, x.frame->code->index, p->ptx);
  const auto for_lanes = [&](auto&& what) {
    DOJO_FOR_LANES(l, x.mask) what(LaneCall{x, site, l});
    return true;
  };
  if (name == "GetParameterBufferV2")
    return for_lanes([&](const LaneCall& c) { parameter_buffer(c, where); });
  if (name == "LaunchDeviceV2") return for_lanes(launch);
  if (name == "MemcpyAsync") return for_lanes([&](const LaneCall& c) { copy(c, where); });
  if (name == "StreamCreateWithFlags")
    return for_lanes([&](const LaneCall& c) {
      store(c, 0, first_stream + c.x.machine->launches().streams++);
      c.result(0);
    });
  if (name == "Malloc")
    return for_lanes([&](const LaneCall& c) {
      Region* r = x.memory->allocate(c.argument(1), Owner::device, "cudaMalloc in a kernel", where);
      store(c, 0, r ? r->base : 0);
      c.result(r ? 0 : cuda_no_memory);
    });
  if (name == "Free")
    return for_lanes([&](const LaneCall& c) {
      const uint64_t a = c.argument(0);
      c.result(!a || x.memory->release(a, where) ? 0 : cuda_invalid_value);
    });
  if (name == "StreamDestroy" || name == "GetLastError" || name == "PeekAtLastError" ||
      name == "GetErrorString")
    return for_lanes([](const LaneCall& c) { c.result(0); });
  return false;
}

}  // namespace dojo::simt
