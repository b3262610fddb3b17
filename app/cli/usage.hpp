#pragma once
// Wrong usage in our own words: the parser's exceptions say what happened, never how it is shown.
#include <CLI/CLI.hpp>
#include <string>

namespace dojo::cli {

/// One line: which argument is wrong, what it takes, and where the help is.
std::string usage_words(const CLI::App& root, const CLI::ParseError&);

/// A device name as people shorten it: "a100" is "simt:a100", "cuda" is "cuda:0". Others stay as they are.
std::string full_device_name(const std::string&);

}  // namespace dojo::cli
