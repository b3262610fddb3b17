#pragma once
// A program that several students handed in is run once. Two files are one program when they differ in
// comments, blanks and line breaks alone. A row is shared when its status follows from results and counters,
// and its message names no line: no line of one student's file gets into another's row, and the row is the
// one that the second run would give.
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "grade/row.hpp"

namespace dojo::grade {

/// Tokens and directives in their order, one per line. Empty for files that are never shared: those over
/// 64 KiB, and those whose meaning may hang on lines or blanks (__LINE__, assert, #line, macros with
/// parameters, raw strings of several lines).
std::string program_key(const std::string& source);

/// Safe from several threads. A row comes back only for the text that earned it, so that a worker which a
/// student took over can help no other program.
class SharedRows {
 public:
  std::optional<Row> find(const std::string& step, const std::string& key) const;
  void add(const std::string& step, const std::string& key, const Row&);

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Row> rows_;
};

}  // namespace dojo::grade
