#pragma once
// Extensions of GNU C++ that nvcc takes and NVRTC does not, written as standard C++: ranges of case labels,
// `case 1 ... 9:`, and __typeof__.
#include <string>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

/// The source in standard words; line numbers stay. Empty: it has no such extension. A range has at most 1024
/// values, those of a file 65536, and its ends are literals. Examples:
/// "case 1 ... 3:" becomes "case 1: case 2: case 3:", "__typeof__(a[0])" "__dojo_type_of_t<decltype(a[0])>".
std::string in_plain_words(const std::string& source, const TokenFile&);

}  // namespace dojo::compile_detail
