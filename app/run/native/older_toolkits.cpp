#include "run/native/older_toolkits.hpp"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <string>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

namespace dojo::run {
namespace {
namespace fs = std::filesystem;

/// Arguments that name an architecture stand in one word or in two.
constexpr const char* wrapper = R"sh(#!/bin/sh
# Made by `warpdojo exec --build`: the toolkit's nvcc, and what it no longer takes.
real='{nvcc}'
header='{header}'
said=$(mktemp) || exec "$real" "$@"
trap 'rm -f "$said"' EXIT
"$real" "$@" 2>"$said"
status=$?
if [ $status -eq 0 ]; then cat "$said" >&2; exit 0; fi

known=" $("$real" --list-gpu-arch | tr '\n' ' ') "
# Whether "$1" names an architecture that this nvcc lacks.
old() {{
  for n in $(printf '%s\n' "$1" | grep -oE '(sm|compute|lto)_[0-9]+' | sed 's/.*_//'); do
    case "$known" in *" compute_$n "*) ;; *) return 0 ;; esac
  done
  return 1
}}
left= names=
if grep -qE "gpu architecture|option 'gpu-code'" "$said"; then
  count=$#
  while [ $count -gt 0 ]; do
    word=$1; shift; count=$((count - 1))
    case "$word" in
      -arch | --gpu-architecture | -code | --gpu-code | -gencode | --generate-code)
        if [ $count -gt 0 ] && old "$1"; then left="$left $1"; shift; count=$((count - 1)); continue; fi ;;
      -arch=* | --gpu-architecture=* | -code=* | --gpu-code=* | -gencode=* | --generate-code=*)
        if old "$word"; then left="$left ${{word#*=}}"; continue; fi ;;
    esac
    set -- "$@" "$word"
  done
  if [ -n "$left" ]; then
    "$real" "$@" 2>"$said"
    status=$?
  fi
fi
if [ $status -ne 0 ] && grep -qE '{names}' "$said"; then
  "$real" -include "$header" "$@" 2>"$said"
  status=$?
  names=1
fi
if [ $status -eq 0 ] && [ -n "$left" ]; then
  echo "warpdojo: nvcc was called without architectures that CUDA 13 no longer has:$left" >&2
fi
if [ $status -eq 0 ] && [ -n "$names" ]; then
  echo "warpdojo: names that CUDA 13 removed (clockRate, cudaThreadSynchronize ...) are those of CUDA 12" >&2
fi
cat "$said" >&2
exit $status
)sh";

/// What cudafe says of a name that is gone.
constexpr const char* removed =
    "has no member \"(clockRate|memoryClockRate|deviceOverlap|computeMode|kernelExecTimeoutEnabled|"
    "singleToDoublePrecisionPerfRatio|cooperativeMultiDeviceLaunch|maxTexture1DLinear)\"|"
    "identifier \"cudaThread(Synchronize|Exit|SetLimit|GetLimit|SetCacheConfig|GetCacheConfig)\"";

/// CUDA 12's names by CUDA 13's calls. The properties keep CUDA 13's at their beginning, so code that was
/// compiled without this header takes them, too.
constexpr const char* header_text =
    R"cu(// Made by `warpdojo exec --build`: names of CUDA 12 that CUDA 13 removed.
#pragma once
#if defined(__CUDACC__) && defined(__cplusplus)
#include <cuda_runtime.h>
#if CUDART_VERSION >= 13000
static inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSetLimit(cudaLimit l, size_t n) { return cudaDeviceSetLimit(l, n); }
static inline cudaError_t cudaThreadGetLimit(size_t* n, cudaLimit l) { return cudaDeviceGetLimit(n, l); }
static inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache c) { return cudaDeviceSetCacheConfig(c); }
static inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* c) { return cudaDeviceGetCacheConfig(c); }
struct dojo_properties_of_12 : cudaDeviceProp {
  int clockRate, memoryClockRate, deviceOverlap, computeMode, kernelExecTimeoutEnabled;
  int singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch, maxTexture1DLinear;
};
static inline cudaError_t cudaGetDeviceProperties(dojo_properties_of_12* p, int device) {
  const cudaError_t e = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(p), device);
  if (e != cudaSuccess) return e;
  cudaDeviceGetAttribute(&p->clockRate, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&p->memoryClockRate, cudaDevAttrMemoryClockRate, device);
  cudaDeviceGetAttribute(&p->computeMode, cudaDevAttrComputeMode, device);
  cudaDeviceGetAttribute(&p->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
  cudaDeviceGetAttribute(&p->singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio,
                         device);
  cudaDeviceGetAttribute(&p->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth, device);
  p->deviceOverlap = p->asyncEngineCount > 0;
  p->cooperativeMultiDeviceLaunch = 0;
  return cudaSuccess;
}
#define cudaDeviceProp dojo_properties_of_12
#endif
#endif
)cu";

/// Writes a file if its text differs: a build that runs at the same time may be reading it.
void keep(const fs::path& file, const std::string& text) {
  if (read_file(file) == text) return;
  if (const std::string why = replace_file(file, text); !why.empty()) throw std::runtime_error(why);
}
}  // namespace

fs::path toolkit_with_older_names() {
  const fs::path toolkit = fs::path(cuda_root()).lexically_normal();
  const fs::path cache = cache_folder();
  if (cache.empty()) return toolkit;
  try {
    // One folder per toolkit: its path is part of the name.
    std::string name = toolkit.string();
    for (char& c : name)
      if (c == '/') c = '_';
    const fs::path at = cache / "nvcc" / name;
    fs::create_directories(at / "bin");
    const auto link = [](const fs::path& folder, const fs::path& entry) {
      std::error_code ec;
      const fs::path to = folder / entry.filename();
      if (fs::symlink_status(to, ec).type() == fs::file_type::not_found) fs::create_symlink(entry, to, ec);
    };
    for (const auto& e : fs::directory_iterator(toolkit))
      if (e.path().filename() != "bin") link(at, e.path());
    for (const auto& e : fs::directory_iterator(toolkit / "bin"))
      if (e.path().filename() != "nvcc") link(at / "bin", e.path());
    keep(at / "older_names.h", header_text);
    const fs::path nvcc = at / "bin" / "nvcc";
    keep(nvcc, fmt::format(wrapper, fmt::arg("nvcc", (toolkit / "bin" / "nvcc").string()),
                           fmt::arg("header", (at / "older_names.h").string()), fmt::arg("names", removed)));
    fs::permissions(nvcc, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                              fs::perms::others_read | fs::perms::others_exec);
    return at;
  } catch (const std::exception&) {
    return toolkit;
  }
}

}  // namespace dojo::run
