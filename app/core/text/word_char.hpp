#pragma once
// The characters of names in C and of words in English texts.
#include <cctype>

namespace dojo {

/// A letter of ASCII, a digit or '_'.
inline bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace dojo
