#pragma once
// What passes over whole programs ask about functions, blocks and variables. They see tokens, no types: each
// answer says what it does where tokens do not tell.
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

using Tokens = std::vector<Token>;

/// A replacement of source[begin, end). Insertions have begin == end.
struct SourceEdit {
  size_t begin = 0, end = 0;
  std::string text;
};
/// The source with all edits; those at one place in their order. Edits within a replaced part are dropped.
std::string edited(const std::string& source, std::vector<SourceEdit>);

bool any_of_words(const Token&, std::initializer_list<std::string_view> words);
/// Index of the bracket that closes the one at `open`; t.size() if none does.
size_t closing(const Tokens&, size_t open);
/// Index of the bracket that opens what `close` closes; t.size() if none does.
size_t opening(const Tokens&, size_t close);

/// Does the identifier at k, whose statement begins at `first`, look like the name of a variable that is
/// declared there? Types and overloaded functions are not taken for one.
bool declared(const Tokens&, size_t first, size_t k);

/// Names of variables of the function around the try block at `at` that are in scope there.
std::set<std::string> variables_before(const Tokens&, size_t at);

/// The head of the function whose body opens at `body`.
struct FunctionHead {
  bool found = false, lambda = false;
  size_t begin = 0;       ///< index of its first token, behind template<...> and attributes
  size_t open = 0;        ///< of its parameters' list; the ] of a lambda without one
  size_t close = 0;       ///< of its parameters' list
  bool structor = false;  ///< a constructor or destructor, as far as its name tells
};
/// Not found where the brace opens no function: a loop, a class, a list of values.
FunctionHead function_head(const Tokens&, size_t body);

/// Does the function whose body opens at `body` run on the device? Its head has __device__ or __global__, or
/// a macro that stands for them. Words of lambdas are comments by now (compile.cpp).
bool on_device(const std::string& source, const Tokens&, const FunctionHead&, size_t body,
               const std::map<std::string, Macro>& macros);

}  // namespace dojo::compile_detail
