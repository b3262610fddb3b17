#pragma once
// A kernel's printf as text. The argument block is what NVCC passes to vprintf: each argument at its natural
// alignment, small integers as int, floats as double.
#include <cstdint>
#include <functional>
#include <string>

namespace dojo::simt {

/// Reads `n` bytes of the argument block from offset `at`. False: it has no more, and `to` stays as it is.
using ReadArgument = std::function<bool(uint64_t at, void* to, size_t n)>;
/// The zero-terminated text at an address.
using ReadText = std::function<std::string(uint64_t address)>;

/// Arguments that are missing count as zero. A conversion that printf does not have stays as it was written.
std::string format_printf(const std::string& format, const ReadArgument&, const ReadText&);

/// A conversion such as "%-8.3f" with no width and no precision above `most`: "%2000000000d" would otherwise
/// write two billion spaces for one instruction of the kernel.
std::string bounded_print_spec(const std::string& spec, int most);

}  // namespace dojo::simt
