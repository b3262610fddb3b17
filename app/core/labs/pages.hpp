#pragma once
// Large zeroed memory, which the kernel is asked to give in huge pages: one fault in place of 512.
#include <cstddef>
#include <memory>

namespace dojo {

struct FreePages {
  size_t bytes = 0;  ///< as asked for; 0: nothing
  void operator()(std::byte*) const;
};
using Pages = std::unique_ptr<std::byte[], FreePages>;

/// Zeroed memory of that many bytes, aligned to 64. Null when there is none (or none is asked for).
Pages zeroed_pages(size_t bytes);

}  // namespace dojo
