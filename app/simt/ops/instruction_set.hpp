#pragma once
// The machine's instruction set: every family of this room, for the decoder.
#include <map>
#include <memory>
#include <string>

#include "simt/decode/instruction_set.hpp"

namespace dojo::simt {

const InstructionSet& instruction_set();

/// Decodes a module for this instruction set; each function when it is first run. Instructions that the
/// machine can't run are no error until they are reached: running one throws RunStopped "unsupported" naming
/// the instruction and its line. `alone`: DeviceModel::alone.
std::shared_ptr<const Program> decode(std::shared_ptr<const ptx::Module>, const SymbolTable&,
                                      bool alone = false);

}  // namespace dojo::simt
