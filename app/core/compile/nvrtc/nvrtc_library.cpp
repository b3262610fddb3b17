#include "core/compile/nvrtc/nvrtc_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/compile.hpp"
#include "core/paths.hpp"

namespace dojo::compile_detail {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> candidates() {
  std::vector<std::string> in_toolkit;
  std::error_code ec;
  const fs::path root = cuda_root();
  for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
    for (fs::directory_iterator it(root / folder, ec), end; !ec && it != end; it.increment(ec)) {
      const std::string name = it->path().filename().string();
      if (name.rfind("libnvrtc.so.", 0) == 0) in_toolkit.push_back(it->path().string());
    }
    if (!in_toolkit.empty()) break;
  }
  // The highest version first; the shortest name of it is the one others link.
  std::sort(in_toolkit.begin(), in_toolkit.end(),
            [](const std::string& a, const std::string& b) { return a > b; });
  for (const char* n : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) in_toolkit.push_back(n);
  return in_toolkit;
}

NvrtcLibrary load() {
  NvrtcLibrary out;
  void* handle = nullptr;
  for (const std::string& c : candidates())
    if ((handle = dlopen(c.c_str(), RTLD_NOW | RTLD_LOCAL))) break;
  if (!handle) {
    out.why =
        "no compiler was found: install clang-19 (apt-get install clang-19), or the CUDA Toolkit with its "
        "compiler "
        "library libnvrtc.so (CUDAToolkit_ROOT names its folder); no GPU is needed";
    return out;
  }
  bool ok = true;
  auto get = [&](auto& f, const char* name) {
    f = reinterpret_cast<std::decay_t<decltype(f)>>(dlsym(handle, name));
    ok = ok && f;
  };
  get(out.version, "nvrtcVersion");
  get(out.create, "nvrtcCreateProgram");
  get(out.destroy, "nvrtcDestroyProgram");
  get(out.compile, "nvrtcCompileProgram");
  get(out.ptx_size, "nvrtcGetPTXSize");
  get(out.ptx, "nvrtcGetPTX");
  get(out.log_size, "nvrtcGetProgramLogSize");
  get(out.log, "nvrtcGetProgramLog");
  get(out.error_string, "nvrtcGetErrorString");
  if (!ok || out.version(&out.major, &out.minor) != NVRTC_SUCCESS) {
    out.why =
        "the CUDA compiler library (libnvrtc.so) that was found can't be used: install CUDA Toolkit 12 or "
        "newer";
    return out;
  }
  out.loaded = true;
  return out;
}

}  // namespace

const NvrtcLibrary& nvrtc_library() {
  static const NvrtcLibrary library = load();
  return library;
}

}  // namespace dojo::compile_detail
