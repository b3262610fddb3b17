#pragma once
// `exec`: a program whose host part runs natively, its CUDA calls answered by our libcudart.so.13 (app/exec).
#include <string>
#include <vector>

#include "core/native/native_run.hpp"

namespace dojo::run {

struct ExecRequest {
  NativeRunOptions options;
  std::string build;                 ///< a command for the shell that builds the program first; empty: none
  std::vector<std::string> command;  ///< the program and its arguments
  bool sandbox = false;              ///< no network, no files but the current folder's and the system's
};

struct ExecEnded {
  int exit_status = 0;  ///< the program's; 128 + the number of the signal that ended it
  int signal = 0;
  bool begun = false;                    ///< a process of it made CUDA calls
  std::vector<NativeRunResult> results;  ///< of each of its processes that made CUDA calls
};

/// What nvcc must be told so that a program can run here: NVCC_APPEND_FLAGS for a device of this architecture
/// (75, 90).
std::string exec_build_flags(int arch);
/// Runs the build command with those flags in its environment. Returns its exit status.
int exec_build(const ExecRequest&);
/// Runs the program with the user's rights, or in a sandbox, its standard streams untouched. Throws Error
/// when it can't be started.
ExecEnded exec_program(const ExecRequest&);

}  // namespace dojo::run
