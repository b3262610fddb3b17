#pragma once
// What becomes of the same file on its two ways to a GPU: NVRTC's PTX through ptxas (as the driver's compiler
// makes it, with the host functions left out), and nvcc -O3 for the GPU itself.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "ptx/sass.hpp"

namespace dojo::run {

/// One function's machine code, in numbers.
struct MachineCode {
  int registers = 0;     ///< a thread's
  int instructions = 0;  ///< without the no-operations and the endless branch that fill its end
  std::map<std::string, int>
      operations;  ///< how many of each, "LDS.128", "FFMA"; of memory accesses with their width
  std::vector<std::string> sequence;  ///< the same names in their order
};
MachineCode machine_code(const ptx::SassFunction&);

struct ComparedCode {
  std::string step, kernel;  ///< "reduce/2-shared", demangled
  MachineCode here, nvcc;
  bool same() const { return here.sequence == nvcc.sequence && here.registers == nvcc.registers; }
  /// Same loads, stores, atomics and barriers, whatever the arithmetic between them.
  bool same_accesses() const;
  /// "LDS.32 8, nvcc 2; LDS.128 0, nvcc 2": the accesses that differ, else the operations that differ most.
  std::string difference() const;
};

/// Compiles every reference of the steps both ways for sm_90 (what a step says of its architecture counts, as
/// on the GPU). Kernels in the order of steps; what only one of the two ways has is left out. `say` gets a
/// line for each step that can't be compared, with the reason. Throws Error where there is no nvcc or no
/// ptxas.
std::vector<ComparedCode> compare_with_nvcc(const Catalog&, const std::vector<const Step*>&,
                                            const std::function<void(const std::string&)>& say);

/// The table of docs/nvcc.md.
std::string nvcc_markdown(const std::vector<ComparedCode>&, const std::string& nvcc_version,
                          const std::string& date, const std::string& commit);
/// "13.0" of the nvcc that compare_with_nvcc() uses; empty: none.
std::string nvcc_version();

}  // namespace dojo::run
