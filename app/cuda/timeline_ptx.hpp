#pragma once
#include <cstdint>
#include <string>

namespace dojo::cuda {

/// One record a block, written by the instrumented twin of a kernel. Times are %globaltimer nanoseconds
/// (32 ns steps on an H100).
struct BlockStamp {
  uint64_t start, end;
  uint32_t sm, pad;
};
static_assert(sizeof(BlockStamp) == 24);

/// PTX of the twin: every kernel gets one more 8-byte parameter, a BlockStamp array with one entry a block
/// (linear block index, x fastest, `end` zeroed). At entry the block's first thread stores %smid and
/// %globaltimer; before every return one lane of each warp raises `end` to %globaltimer.
std::string add_block_stamps(const std::string& stripped_ptx);

}  // namespace dojo::cuda
