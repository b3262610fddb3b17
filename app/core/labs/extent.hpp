#pragma once
// The notation of sizes, in the terminal and in the window.
#include <cstdint>
#include <string_view>

namespace dojo {

/// One extent as people write it: "4194304", "2^22", "4M", "4Mi". k, M and G are powers of two. Throws Error.
int64_t parse_extent(std::string_view);

}  // namespace dojo
