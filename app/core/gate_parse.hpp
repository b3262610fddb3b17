#pragma once
// The text of a gate as a tree: `EXPR [OP EXPR]`, sums, products, calls, counters and reference(STEP).
#include <memory>
#include <string>
#include <vector>

namespace dojo::gates {

struct Node {
  enum Kind { number, name, negate, add, subtract, multiply, divide, call, kernel, reference } kind;
  double value = 0;
  std::string text;  ///< name, function, kernel or step
  std::vector<std::unique_ptr<Node>> items;
  size_t at = 0;  ///< column in the expression, from 0
};
using NodePtr = std::unique_ptr<Node>;

struct Gate {
  NodePtr left, right;
  std::string op;
};

/// Throws an Error that names the expression and the character.
[[noreturn]] void fail(const std::string& expr, size_t at, const std::string& what);
/// A comparison, and a value; throw an Error for text that is neither.
Gate parse_gate(const std::string& expr);
NodePtr parse_expression(const std::string& expr);

}  // namespace dojo::gates
