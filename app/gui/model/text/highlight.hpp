#pragma once
// CUDA C++ and PTX in colours: each line cut into runs of one class. Only what a reader needs to see the
// structure; not a parser.
#include <string>
#include <vector>

namespace dojo::gui {

enum class Token : unsigned char {
  plain,
  keyword,
  type,
  cuda,
  builtin,
  function,
  number,
  string,
  comment,
  preprocessor,
  punctuation
};

struct Run {
  int from = 0, to = 0;  ///< bytes of the line
  Token token = Token::plain;
};

/// State carried from a line to the next.
struct LexState {
  bool block_comment = false;
};

/// The runs of one line, covering it without gaps.
std::vector<Run> highlight(const std::string& line, LexState&);
/// PTX: directives, opcodes, registers.
std::vector<Run> highlight_ptx(const std::string& line);
/// Every line of a file.
std::vector<std::vector<Run>> highlight_all(const std::vector<std::string>& lines, bool ptx = false);

}  // namespace dojo::gui
