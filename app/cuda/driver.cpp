#include "cuda/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <mutex>

#include "core/error.hpp"

namespace dojo::cuda {
namespace {

// cuda.h maps cuMemAlloc to cuMemAlloc_v2 and so on: stringify after that expansion.
#define DOJO_TEXT2(x) #x
#define DOJO_TEXT(x) DOJO_TEXT2(x)

struct Loaded {
  Driver table;
  bool usable = false;
  std::string why;
};

Loaded load() {
  Loaded l;
  // Whole modules at once: a kernel that is loaded when it is first launched waits for the device to be idle,
  // and never comes while another one spins until it has run (a wait kernel, a consumer before its producer).
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    l.why = "no NVIDIA driver on this machine (libcuda.so.1 not found)";
    return l;
  }
#define DOJO_LOAD(name)                                                                     \
  l.table.name = reinterpret_cast<decltype(l.table.name)>(dlsym(library, DOJO_TEXT(name))); \
  if (!l.table.name) l.why = fmt::format("the NVIDIA driver is too old: it lacks {}", DOJO_TEXT(name));
  DOJO_DRIVER_FUNCTIONS(DOJO_LOAD)
#undef DOJO_LOAD
  if (!l.why.empty()) return l;
  if (CUresult r = l.table.cuInit(0); r != CUDA_SUCCESS) {
    const char* text = nullptr;
    l.table.cuGetErrorName(r, &text);
    l.why =
        fmt::format("the NVIDIA driver is there but finds no usable GPU ({})", text ? text : "unknown error");
    return l;
  }
  l.usable = true;
  return l;
}

const Loaded& loaded() {
  static const Loaded l = load();
  return l;
}

}  // namespace

const Driver* driver(std::string* why) {
  const Loaded& l = loaded();
  if (l.usable) return &l.table;
  if (why) *why = l.why;
  return nullptr;
}

std::string describe(CUresult r) {
  const Driver* d = driver();
  const char *name = nullptr, *text = nullptr;
  if (d) {
    d->cuGetErrorName(r, &name);
    d->cuGetErrorString(r, &text);
  }
  return fmt::format("{} ({})", name ? name : "CUDA error", text ? text : std::to_string(int(r)));
}

int runtime_code(CUresult r) { return int(r); }

void must(CUresult r, const char* call) {
  if (r != CUDA_SUCCESS) throw Error(fmt::format("the GPU driver refused {}: {}", call, describe(r)), 71);
}

}  // namespace dojo::cuda
