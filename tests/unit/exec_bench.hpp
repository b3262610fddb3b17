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

struct ExecBench {
  TempFolder t;
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
