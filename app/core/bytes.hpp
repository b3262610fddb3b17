#pragma once
#include <cstddef>
#include <cstring>

namespace dojo {

/// memcpy that may copy nothing: an empty container has no address to give, and memcpy must not get one.
inline void copy_bytes(void* to, const void* from, size_t n) {
  if (n) std::memcpy(to, from, n);
}

/// Is the program built with AddressSanitizer? It reserves terabytes, so a limit on address space would end
/// it.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool address_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool address_sanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool address_sanitizer = false;
#endif

}  // namespace dojo
