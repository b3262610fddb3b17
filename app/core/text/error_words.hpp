#pragma once
// Exceptions in words for people. Our own (Error, RunStopped) are written for them already. Of a library's
// exception only what happened is said, never the library's wording: "[json.exception.type_error.302]" helps
// no user.
#include <exception>
#include <string>

namespace dojo {

/// One line about any exception: what happened and, for files, where.
std::string error_words(const std::exception&);

/// What is said of a line that is not TOML.
inline constexpr const char* toml_words = "not valid TOML: look for a missing quote, bracket or value";

}  // namespace dojo
