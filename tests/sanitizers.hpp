#pragma once
// What a build with sanitizers (preset asan: `WARPDOJO_PRESET=asan ./warpdojo test`) changes of what tests
// may expect: everything takes several times as long and as much memory, and AddressSanitizer reserves
// terabytes of address room and makes system calls of its own.

namespace dojo::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// A limit of seconds or MiB that leaves a program alone; ten times as high where sanitizers watch it.
constexpr int roomy(int limit) { return sanitized ? 10 * limit : limit; }

}  // namespace dojo::test
