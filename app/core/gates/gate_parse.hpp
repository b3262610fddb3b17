#pragma once
// The text of a gate as a tree: `EXPR [OP EXPR]`, sums, products, calls, counters, kernel(NAME).X,
// reference(STEP) and such, and the place where it is judged: "EXPR OP EXPR (n=1000, simt:a5000)".
#include <memory>
#include <string>
#include <vector>

#include "core/gates/place.hpp"

namespace dojo::gates {

struct Node {
  enum Kind {
    number,
    name,
    negate,
    add,
    subtract,
    multiply,
    divide,
    call,
    kernel,     ///< kernel(NAME).X
    worked,     ///< worked.X
    reference,  ///< reference(STEP)
    calls,      ///< calls(FUNCTION)
    ptx,        ///< ptx(OPCODE)
    source      ///< source(WORD)
  } kind;
  double value = 0;
  std::string text;  ///< name, function, kernel, step, opcode or word
  std::vector<std::unique_ptr<Node>> items;
  size_t at = 0;  ///< column in the expression, from 0
};
using NodePtr = std::unique_ptr<Node>;

struct Gate {
  NodePtr left, right;
  std::string op;
  Place place;  ///< instead of the step's own device and size
};

/// What the gate's nodes of one kind name, in order: the words of source(WORD), the opcodes of ptx(OPCODE).
std::vector<std::string> named(const std::string& gate, Node::Kind);
/// Is `name` one of them?
bool names(const std::string& gate, Node::Kind, const std::string& name);
/// The counters and figures that the gate bounds from above: "texture_sectors" of "4 * texture_sectors <= n".
/// Those of kernel(K), of worked and of references are left out.
std::vector<std::string> bounded_above(const std::string& gate);
/// The quantity that holds how often a word occurs in the source.
inline std::string source_quantity(const std::string& word) { return "source(" + word + ")"; }

/// Throws an Error that names the expression and the character.
[[noreturn]] void fail(const std::string& expr, size_t at, const std::string& what);
/// A comparison, and a value; throw an Error for text that is neither.
Gate parse_gate(const std::string& expr);
NodePtr parse_expression(const std::string& expr);

}  // namespace dojo::gates
