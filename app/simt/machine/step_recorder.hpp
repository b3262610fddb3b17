#pragma once
// Records one block instruction by instruction (core/step_trace.hpp). Blocks that are not recorded pay
// nothing.
#include <map>
#include <utility>

#include "core/step_trace.hpp"
#include "ptx/lines/source_variables.hpp"
#include "simt/state/exec.hpp"

namespace dojo::simt {

class StepRecorder {
 public:
  /// At the block's start. Forgets what `out` holds of an earlier attempt.
  StepRecorder(StepTrace& out, const Program&, Block&);
  /// Runs the split that `x` holds from `p` until it can't go on, as run_warp does.
  void run(const Inst* p, Exec& x);
  void found(const Exec&, const Diagnostic&);
  void end();

 private:
  const Inst* one(const Inst* p, Exec& x);
  bool wanted() const { return out_.executed >= out_.skip && out_.steps.size() < out_.most; }
  uint32_t code_of(const Code&, uint32_t ptx);
  uint32_t register_of(const Code&, uint32_t reg);
  void note_access(const Inst*, const Exec&, uint32_t mask, StepTrace::Step&);
  void add_access(const Exec&, const uint64_t* addresses, uint32_t mask, uint32_t bytes, ptx::Space,
                  bool store, bool atomic, StepTrace::Step&);
  void note_writes(const Code&, const ptx::Instruction&, const std::byte* frame, uint32_t mask,
                   StepTrace::Step&);
  void note_shared(StepTrace::Step&);
  void note_releases();
  std::string text_of(const ptx::Instruction&);

  StepTrace& out_;
  const Program& program_;
  Block& block_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> codes_, registers_;
  std::map<uint32_t, std::vector<StepTrace::Shown>> shown_;  ///< by function
  std::vector<std::vector<ptx::SourceVariable>> variables_;  ///< by function
  std::vector<size_t> lines_;                                ///< offsets of the PTX text's lines
  std::vector<std::byte> shared_;                            ///< as it was after the last recorded step
  struct Waiting {
    uint32_t mask = 0;
    size_t step = 0;
    bool known = false;  ///< the step is among the recorded
  };
  std::vector<Waiting> waiting_;
  uint32_t epoch_ = 0;
  bool shared_due_ = true;  ///< something may have been written since
};

/// How each register's bits are best shown, from the instructions that use it.
std::vector<StepTrace::Shown> shown_registers(const ptx::Function&);

/// What a register holds in the source's words: "threadIdx.x", or its variables by the debug information.
std::string variable_of(const ptx::Function&, const std::vector<ptx::SourceVariable>&, uint32_t reg);

}  // namespace dojo::simt
