#include "core/compile/messages.hpp"

#include <cctype>
#include <string_view>

namespace dojo::compile_detail {

namespace {

/// Names by their beginning, and what a program can do without them. The first that fits counts.
struct Missing {
  std::string_view begins, instead;
};

constexpr std::string_view kFiles =
    "a program runs without files. Make its input in main, or read it from an argument";
constexpr std::string_view kTextures =
    "textures and surfaces do not exist here. Read global memory through a pointer";
constexpr std::string_view kCopies3d =
    "copies in three dimensions do not exist here. Copy slice by slice with cudaMemcpy2D";
constexpr std::string_view kGraphs =
    "graphs are made of captured streams, and of kernel, copy, fill and empty nodes";
constexpr std::string_view kTensorMaps =
    "tensor copies do not exist here. Copy with cp.async or cooperative_groups::memcpy_async";

constexpr Missing missing[] = {
    {"fopen", kFiles},
    {"fclose", kFiles},
    {"fread", kFiles},
    {"fwrite", kFiles},
    {"fgets", kFiles},
    {"fscanf", kFiles},
    {"freopen", kFiles},
    {"ifstream", kFiles},
    {"ofstream", kFiles},
    {"tex1D", kTextures},
    {"tex2D", kTextures},
    {"tex3D", kTextures},
    {"texCubemap", kTextures},
    {"surf1D", kTextures},
    {"surf2D", kTextures},
    {"surf3D", kTextures},
    {"cudaCreateTextureObject", kTextures},
    {"cudaDestroyTextureObject", kTextures},
    {"cudaCreateSurfaceObject", kTextures},
    {"cudaDestroySurfaceObject", kTextures},
    {"cudaBindTexture", kTextures},
    {"cudaMallocArray", kTextures},
    {"cudaMalloc3D", kCopies3d},
    {"cudaMemcpy3D", kCopies3d},
    {"cudaMemset3D", kCopies3d},
    {"make_cudaExtent", kCopies3d},
    {"make_cudaPos", kCopies3d},
    {"make_cudaPitchedPtr", kCopies3d},
    {"cudaGraph", kGraphs},
    {"cudaStreamBeginCapture", kGraphs},
    {"cudaStreamEndCapture", kGraphs},
    {"cuTensorMap", kTensorMaps},
    {"cudaMemPool", "memory pools do not exist here. Use cudaMallocAsync"},
    {"cudaIpc", "memory shared between processes does not exist here"},
};

/// cuInit, cuMemAlloc, cuLaunchKernel: the driver API's names go on with a capital letter.
bool driver_api(std::string_view name) {
  return name.size() > 2 && name.starts_with("cu") && std::isupper(static_cast<unsigned char>(name[2]));
}

}  // namespace

std::string not_there(const std::string& message) {
  constexpr std::string_view before = "identifier \"", after = "\" is undefined";
  const size_t at = message.find(before);
  const size_t end = message.find(after);
  if (at == std::string::npos || end == std::string::npos || end < at + before.size()) return {};
  const std::string name = message.substr(at + before.size(), end - at - before.size());
  for (const Missing& m : missing)
    if (name.starts_with(m.begins)) return name + " is not supported: " + std::string(m.instead) + ".";
  if (driver_api(name)) return name + " is not supported: use the runtime API, whose names begin with cuda.";
  return {};
}

}  // namespace dojo::compile_detail
