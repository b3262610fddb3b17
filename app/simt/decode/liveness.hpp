#pragma once
// Which registers an instruction reads and writes.
#include <cstdint>
#include <vector>

#include "ptx/module.hpp"

namespace dojo::simt {

/// Guards and partial writes read too.
void reads_and_writes(const ptx::Instruction&, std::vector<uint32_t>& reads, std::vector<uint32_t>& writes);

}  // namespace dojo::simt
