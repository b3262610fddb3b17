#pragma once
// The words that each instruction may carry, and why some instructions are refused.
#include <string>
#include <vector>

#include "ptx/module.hpp"

namespace dojo::simt {

/// A part of the opcode that the machine doesn't know, or nothing.
std::string unknown_word(const ptx::Instruction&);
/// Why an instruction that has no entry at all is refused, or nothing.
std::string why_refused(const ptx::Instruction&);
/// First words of all opcodes that have an entry, or of those that are refused with a reason.
std::vector<std::string> instruction_names(bool refused);

}  // namespace dojo::simt
