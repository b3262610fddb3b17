#pragma once
// A tool of the CUDA Toolkit as a child process, in a private temporary folder.
#include <string>
#include <vector>

#include "core/files/scratch_folder.hpp"

namespace dojo {

/// Runs args[0] (a path) with a limit on output (64 MiB, both streams together) and on processor time
/// (seconds, each process; ten times as long by the clock, for what sleeps). Returns its exit status,
/// 128 + signal, -1 (could not be started) or -2 (the limit on time).
int run_child(const std::vector<std::string>& args, const std::string& folder, int time_limit_s,
              std::string* output);

}  // namespace dojo
