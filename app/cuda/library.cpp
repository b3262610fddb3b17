#include "cuda/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <sstream>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "cuda/baselines/baselines.h"
#include "cuda/cuda_device_impl.hpp"

namespace dojo::cuda {
namespace {

/// Of libdojo_baselines.so beside the program; none where it was not built.
std::span<const DojoBaseline> baselines() {
  static const auto all = []() -> std::span<const DojoBaseline> {
    const auto path = program_path().parent_path() / "libdojo_baselines.so";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    auto get =
        library ? reinterpret_cast<const DojoBaseline* (*)(int*)>(dlsym(library, "dojo_baselines")) : nullptr;
    int n = 0;
    const DojoBaseline* first = get ? get(&n) : nullptr;
    return {first, first ? size_t(n) : 0};
  }();
  return all;
}

bool names(const char* list, const std::string& name) {
  std::istringstream words(list);
  for (std::string w; words >> w;)
    if (w == name) return true;
  return false;
}

}  // namespace

std::vector<LibraryRun> run_libraries(Device& device, const Step& step, const Size& size,
                                      const Instance& instance) {
  std::vector<LibraryRun> runs;
  auto* gpu = dynamic_cast<CudaDevice*>(&device);
  if (!gpu) return runs;
  for (const DojoBaseline& b : baselines()) {
    if (step.lab != b.lab || !names(b.steps, step.name)) continue;
    LibraryRun r;
    r.name = b.library;
    std::vector<void*> pointers;
    std::vector<int64_t> pointer_bytes;
    for (const Buffer& x : instance.buffers) {
      uint64_t address = 0;
      const uint64_t bytes = uint64_t(x.count()) * size_of(x.elem);
      if (!gpu->allocate(&address, bytes, Owner::device, x.name, {}).ok()) r.error = "out of device memory";
      if (address && !x.data.empty()) gpu->upload(address, x.data);
      pointers.push_back(reinterpret_cast<void*>(address));
      pointer_bytes.push_back(int64_t(bytes));
    }
    std::vector<const char*> size_names;
    std::vector<int64_t> size_values;
    for (const auto& [name, value] : size) {
      size_names.push_back(name.c_str());
      size_values.push_back(value);
    }
    DojoBaselineCall call{pointers.data(),
                          pointer_bytes.data(),
                          int(pointers.size()),
                          size_names.data(),
                          size_values.data(),
                          int(size.size()),
                          nullptr};
    char text[256] = {};
    auto body = [&](CUstream s) {
      call.stream = s;
      return b.run(&call, text, sizeof text);
    };
    if (r.error.empty() && body(nullptr) != 0) r.error = text;
    if (r.error.empty()) {
      gpu->synchronize();
      for (size_t i = 0; i < instance.buffers.size(); ++i) {
        const Buffer& x = instance.buffers[i];
        std::vector<std::byte> got(uint64_t(x.count()) * size_of(x.elem));
        if (x.role != Role::in) gpu->download(got, reinterpret_cast<uint64_t>(pointers[i]));
        r.outputs.buffers.push_back(std::move(got));
      }
      r.time = gpu->time_external([&](CUstream s) { return body(s) == 0; });
      if (r.time.n == 0) r.error = "the library's work could not be captured into a graph";
    }
    for (void* p : pointers) gpu->release(reinterpret_cast<uint64_t>(p), {});
    runs.push_back(std::move(r));
  }
  return runs;
}

}  // namespace dojo::cuda
