#pragma once
// printf's formatting, for host code and for kernels. The arguments are packed in order, each at its natural
// alignment, as compilers for GPUs pass them to vprintf: small integers as int, floats as double.
#include <cstdint>
#include <string>
#include <string_view>

namespace dojo {

/// Where the arguments and the strings they point to come from.
class PrintfArguments {
 public:
  virtual ~PrintfArguments() = default;
  /// The next argument of `bytes` (4 or 8) bytes.
  virtual uint64_t next(unsigned bytes) = 0;
  /// The text at `address`, of at most `most` characters: with a precision it needs no final zero.
  virtual std::string text(uint64_t address, uint64_t most) = 0;
};

/// Conversions d i u o x X c s p f F e E g G a A %, flags, width, precision, '*', and length words. An
/// unknown conversion is copied as written.
std::string format_printf(std::string_view format, PrintfArguments&);

}  // namespace dojo
