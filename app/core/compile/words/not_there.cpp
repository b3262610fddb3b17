#include "core/compile/messages.hpp"

#include <cctype>
#include <string_view>

namespace dojo::compile_detail {

namespace {

/// Names by their beginning, and what a program can do without them. The first that fits counts.
struct Missing {
  std::string_view begins, instead;
};

constexpr std::string_view kReferences =
    "texture references went with CUDA 12. Make a texture object with cudaCreateTextureObject";
constexpr std::string_view kCubes =
    "surfaces of cube maps and mipmaps do not exist here. Use an array of two dimensions, or a layered one";
constexpr std::string_view kGraphs =
    "graphs are made of captured streams, and of kernel, copy, fill, host, memory, event, conditional, child "
    "and empty nodes";
constexpr std::string_view kTensorMaps =
    "tensor copies do not exist here. Copy with cp.async or cooperative_groups::memcpy_async";

constexpr Missing missing[] = {
    {"cudaBindTexture", kReferences},
    {"cudaBindSurface", kReferences},
    {"cudaUnbindTexture", kReferences},
    {"surfCubemap", kCubes},
    {"cudaMallocMipmappedArray", kCubes},
    {"cudaGraph", kGraphs},
    {"cudaStreamBeginCapture", kGraphs},
    {"cudaStreamEndCapture", kGraphs},
    {"cuTensorMap", kTensorMaps},
    {"cudaMemPool", "memory pools can't be shared between processes here"},
    {"cudaIpc", "memory shared between processes does not exist here"},
};

/// cuInit, cuMemAlloc, cuLaunchKernel, CUresult, CU_STREAM_DEFAULT, CUDA_SUCCESS: the driver API's functions
/// go on with a capital letter, its types and values begin with CU.
bool driver_api(std::string_view name) {
  if (name.size() < 3) return false;
  const auto third = static_cast<unsigned char>(name[2]);
  return (name.starts_with("cu") && std::isupper(third)) ||
         (name.starts_with("CU") && (std::islower(third) || third == '_')) || name == "CUDA_SUCCESS" ||
         name.starts_with("CUDA_ERROR_");
}

}  // namespace

std::string plain_names(std::string message) {
  struct Renamed {
    std::string_view internal, plain;
  };
  // The longer name first. What follows a prefix stays: "__cudaCDP2Malloc" is cudaMalloc.
  static constexpr Renamed all[] = {
      {"_thrst", "thrust"},    {"_dmcpy", "memcpy"},  {"_dmset", "memset"},         {"__cudaCDP2", "cuda"},
      {"__dojo_file", "FILE"}, {"__dojo_std", "std"}, {"__dojo_thrust_std", "std"},
  };
  for (const Renamed& r : all)
    for (size_t at = message.find(r.internal); at != message.npos;
         at = message.find(r.internal, at + r.plain.size()))
      message.replace(at, r.internal.size(), r.plain);
  constexpr std::string_view own = "__dojo_";
  for (size_t at = message.find(own); at != message.npos; at = message.find(own, at)) {
    const size_t next = at + own.size();
    const bool runtime = next < message.size() && std::isupper(static_cast<unsigned char>(message[next]));
    message.replace(at, own.size(), runtime ? "cuda" : "");
  }
  return message;
}

std::string not_there(const std::string& message) {
  if (message.find("user-provided copy-constructor to a device-side kernel launch") != std::string::npos ||
      message.find("user-provided destructor to a device-side kernel launch") != std::string::npos)
    return "a kernel's argument can't be of a class with a copy constructor or destructor of its own here, "
           "and a "
           "lambda can't hold one: pass a plain struct or a pointer, or run the compiled program with "
           "warpdojo exec.";
  constexpr std::string_view before = "identifier \"", after = "\" is undefined";
  const size_t at = message.find(before);
  const size_t end = message.find(after);
  if (at == std::string::npos || end == std::string::npos || end < at + before.size()) return {};
  const std::string name = message.substr(at + before.size(), end - at - before.size());
  for (const Missing& m : missing)
    if (name.starts_with(m.begins)) return name + " is not supported: " + std::string(m.instead) + ".";
  if (driver_api(name))
    return name +
           " is of the driver API, which is not supported here: use the runtime API, whose names begin with "
           "cuda, or "
           "run the compiled program with warpdojo exec.";
  return {};
}

}  // namespace dojo::compile_detail
