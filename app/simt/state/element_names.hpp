#pragma once
// What a finding calls threads and memory, in the student's own terms: "thread 39 of block 1", "data[2]".
//
// The size of an element comes from the kernel's signature: of `scale(float*, int)` every pointer has
// elements of four bytes. Where pointers differ, the width of the access decides. A pointer to a structure
// has no known size; then the name gives bytes: "data + 24".
#include <string>
#include <vector>

#include "simt/state/exec.hpp"

namespace dojo::simt {

/// "thread 39", or "thread (3,4,0)" in a block with more than one dimension.
std::string thread_name(const Dim3& block, const Dim3& thread);
/// "block 1", or "block (1,2,0)" in a grid with more than one dimension.
std::string block_name(const Dim3& grid, const Dim3& block);
/// "thread 39 of block 1"; no block in a grid of one.
std::string lane_name(const Exec&, uint32_t lane);
/// "Thread 39 of block 1", or "Host code".
std::string subject(const Exec&, uint32_t lane);

/// An access to global memory, by the parameter that leads there and, where that differs, by what the host
/// calls it: "data[2]", "data[4] to data[7]", "half[2] (the host's in[514])", or byte_name.
std::string element_name(const Exec&, const Inst*, uint64_t address, uint32_t bytes);
/// "data + 12292 (8196 bytes past its end)": AddressSpace::describe with the parameter's name.
std::string byte_name(const Exec&, const Inst*, uint64_t address);
/// What a waiting thread polls, in shared or global memory: "ready" for a variable, "flags[3]" in an array.
std::string watched_name(const Exec&, const Inst*, uint64_t address, uint32_t bytes);
/// The parameter that holds the handle of a texture or surface; else `host`, its name on the host.
std::string handle_name(const Exec&, uint64_t handle, const std::string& host);
/// An access to shared memory: "tile[5]", "bytes 20 to 23 of the dynamic shared memory".
std::string shared_name(const Exec&, const Inst*, uint64_t offset, uint32_t bytes);
/// The array that an offset of shared memory is in: "tile", "the dynamic shared memory"; else its offset.
std::string shared_array(const Exec&, uint64_t offset);

/// An allocation and what the launch's parameters point to in it, the largest part first. The names of a part
/// are joined by commas; an allocation that no parameter points to has the host's name.
struct NamedPart {
  uint64_t base = 0, bytes = 0;
  std::string name;
};
std::vector<NamedPart> named_parts(const Exec&, const Region&);

/// An access outside every allocation: which array it was computed from, and how long that is.
struct Overrun {
  std::string element;  ///< "data[1030]"; empty: not known
  std::string extent;   ///< "data has 1024 elements", "data is the host's in and has 1024 elements"
  const Region* region = nullptr;
};
Overrun overrun(const Exec&, const Inst*, uint64_t address, uint32_t bytes);

/// An access to a thread's own array, or beyond it, by the debug information of code that is compiled as
/// written.
struct LocalElement {
  std::string element;  ///< "t[40]" or "m[4][0]"; empty: not known
  std::string extent;   ///< "t has 40 elements", "m has 4 × 8 elements"
};
LocalElement local_element(const Exec&, const Inst*, uint64_t address);

/// An access outside the block's shared memory: "s[272]; s has 272 elements."
std::string shared_overrun(const Exec&, const Inst*, uint64_t address, uint32_t bytes);

/// "tile" of "_ZZ6kernelPfE4tile".
std::string plain_name(std::string_view symbol);

}  // namespace dojo::simt
