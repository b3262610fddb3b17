#pragma once
// A call of one function or kernel of a student's file with arrays and scalars: what an instructor's test
// asks for (grade/harness.hpp). No lab, no reference, no gates: the report has one run.
#include <optional>
#include <string>
#include <vector>

#include "core/problem.hpp"
#include "run/runner.hpp"

namespace dojo::run {

struct CallRequest {
  std::string file;    ///< as messages name it
  std::string source;  ///< CUDA C++
  std::string name;    ///< base name of the host function, or of the kernel
  bool kernel = false;
  Dim3 grid, block;           ///< of a kernel
  uint32_t dynamic_smem = 0;  ///< bytes, of a kernel
  std::vector<Buffer> buffers;
  std::vector<Arg> args;
  std::string device;                            ///< empty: simt:h100
  double time_limit_s = 60;                      ///< of processor time: a backstop
  uint64_t max_warp_instructions = 100'000'000;  ///< the same limit on every machine
  int threads = 0;
};

/// What the call left behind; empty when the file did not compile or the run ended early.
struct CallOutputs {
  std::vector<std::vector<std::byte>> buffers;  ///< as CallRequest::buffers
  std::vector<std::byte> returned;              ///< by a host function
};

/// Bytes of arrays that one call may have, in all.
inline constexpr uint64_t most_call_bytes = uint64_t(256) << 20;

/// Compiles and calls. What the file does is in the report; throws Error for a device or arrays that can't be
/// had.
Report run_call(const CallRequest&, const RunHooks&, CallOutputs&);

}  // namespace dojo::run
