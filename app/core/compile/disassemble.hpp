#pragma once
// Machine code as text, where the CUDA Toolkit has a disassembler.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dojo {

struct Disassembly {
  bool ok = false;
  std::string tool;     ///< "nvdisasm" or "cuobjdump"
  std::string message;  ///< why not, and what would help
  /// By mangled function, then address in bytes: "@!P0 BRA `(.L_x_1)".
  std::map<std::string, std::map<uint32_t, std::string>> functions;
};

/// nvdisasm, else cuobjdump, of the CUDA Toolkit or of PATH, as a child with a time limit.
Disassembly disassemble(const std::vector<std::byte>& cubin);

/// Reads what `nvdisasm -c` or `cuobjdump -sass` print.
std::map<std::string, std::map<uint32_t, std::string>> parse_disassembly(const std::string& text);

}  // namespace dojo
