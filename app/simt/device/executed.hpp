#pragma once
// A capability of the SIMT machine that no other device has: it counts every PTX instruction.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dojo {
class Device;
}

namespace dojo::simt {

/// How often a warp executed each PTX instruction, by mangled function.
using ExecutedInstructions = std::map<std::string, std::vector<uint64_t>>;

/// Of the launches since load() that ran with RunControl::lines; null where the device can't count them.
const ExecutedInstructions* executed_instructions(const Device&);

}  // namespace dojo::simt
