#include "core/labs/pages.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

namespace dojo {

namespace {
constexpr size_t huge = size_t(2) << 20;
constexpr size_t least_mapped = 2 * huge;  // below, the heap's own recycling is quicker
}  // namespace

void FreePages::operator()(std::byte* p) const {
  if (bytes >= least_mapped)
    ::munmap(p, bytes);
  else
    std::free(p);
}

Pages zeroed_pages(size_t bytes) {
  if (bytes == 0) return {nullptr, {}};
  if (bytes < least_mapped) {
    void* p = std::aligned_alloc(64, (bytes + 63) & ~size_t(63));
    if (p) std::memset(p, 0, bytes);
    return {static_cast<std::byte*>(p), {bytes}};
  }
  void* p =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return {nullptr, {}};
  ::madvise(p, bytes, MADV_HUGEPAGE);  // a wish: without it the pages are small
  return {static_cast<std::byte*>(p), {bytes}};
}

}  // namespace dojo
