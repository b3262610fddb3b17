#pragma once
// A folder in which tests of `warpdojo exec` build and run programs.
#include <filesystem>
#include <string>

#include "../left_out.hpp"
#include "../same_architecture.hpp"
#include "../sanitizers.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"
#include "shell.hpp"

namespace dojo::exec_test {

using test::Shell;
using test::TempFolder;

/// For the programs: arrays that go to the device and come back.
inline const char* const arrays = R"cu(#pragma once
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>
template <class T>
T* device(const std::vector<T>& v) {
  T* d = nullptr;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T>
std::vector<T> host(const T* d, size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
template <class T>
void print(const T* d, size_t n) {
  for (T x : host(d, n)) printf("%g ", double(x) + 0.0);
  printf("\n");
}
/// Rounded to four digits behind the point.
template <class T>
void print(const char* what, const T* d, size_t n) {
  printf("%s", what);
  for (T x : host(d, n)) printf(" %g", std::round(double(x) * 1e4) / 1e4 + 0.);
  printf("\n");
}
)cu";

struct ExecBench {
  TempFolder t;
  ExecBench() { t.write("arrays.hpp", arrays); }
  /// $P is the sample program, which is built beside this test.
  Shell operator()(const std::string& line) const {
    const fs::path sample = program_path().parent_path() / "exec_sample";
    return test::shell(t, find_root().string(),
                       "cd '" + t.path.string() + "'; P='" + sample.string() + "'; N='" +
                           (cuda_root() / "bin" / "nvcc").string() + "'; " + line);
  }
};

/// AddressSanitizer wants to be loaded first and takes the signals; and exec is built with CUDA 13 only.
inline const char* const exec_built = "exec: a build with CUDA 13 and without sanitizers";
inline bool has_exec() {
  std::error_code ec;
  return !test::sanitized && fs::exists(program_path().parent_path() / "exec" / "libcudart.so.13", ec);
}
inline bool has_nvcc() {
  std::error_code ec;
  return fs::exists(cuda_root() / "bin" / "nvcc", ec) && needs::same_architecture("uname -m");
}

inline const std::string build_and_run = "$W exec --build \"$N -O2 -std=c++17 -o p p.cu\" ./p";

}  // namespace dojo::exec_test
