#pragma once
// What both halves of the pass over host and device code share: the tokens with their brackets, and what the
// file declares.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/compile/spaces/spaces.hpp"

namespace dojo::compile_detail {

enum Target : uint8_t { host = 1, device = 2, both = 3, global = 4 };

struct FunctionRange {
  std::string name;
  uint8_t target = host;
  size_t params = 0;          ///< index of '('
  size_t begin = 0, end = 0;  ///< body tokens, braces included
};

struct VariableInfo {
  bool on_device = false;        ///< __device__, __constant__ or __shared__
  bool constant_memory = false;  ///< __constant__
  bool constant_value = false;   ///< const or constexpr scalar: nvcc lets kernels use it
};

/// What a file declares at namespace and class scope.
struct Declarations {
  std::vector<FunctionRange> functions;
  std::map<std::string, uint8_t> declared;  ///< targets by name, of prototypes and constexpr functions
  std::map<std::string, VariableInfo> variables;
  std::set<std::string> managed, namespaces;
};

/// The tokens of a file, and its brackets.
class TokenScan {
 public:
  TokenScan(const TokenFile& f, uint64_t& work) : f_(f), t_(f.tokens), work_(work) {}
  /// Brackets that never close make every search run to the end: such a file isn't judged beyond this.
  static constexpr uint64_t most_work = 20'000'000;

 protected:
  const std::string& text(size_t i) const {
    static const std::string none;
    return i < t_.size() ? t_[i].text : none;
  }
  bool identifier(size_t i) const { return i < t_.size() && t_[i].kind == TokenKind::identifier; }

  /// Index after the bracket that closes the one at i.
  size_t close(size_t i, size_t end) const {
    const std::string open = text(i), shut = open == "(" ? ")" : open == "[" ? "]" : "}";
    int depth = 0;
    for (; i < end && ++work_ < most_work; ++i) {
      if (t_[i].text == open)
        ++depth;
      else if (t_[i].text == shut && --depth == 0)
        return i + 1;
    }
    return end;
  }
  /// Index after the '>' that closes the '<' at i.
  size_t close_angle(size_t i, size_t end) const {
    int depth = 0;
    for (; i < end && ++work_ < most_work; ++i) {
      const std::string& s = t_[i].text;
      if (s == "<")
        ++depth;
      else if (s == ">" && --depth <= 0)
        return i + 1;
      else if (s == ">>>" && (depth -= 3) <= 0)
        return i + 1;
      else if (s == "(" || s == "[" || s == "{")
        i = close(i, end) - 1;
      else if (s == ";")
        return i;
    }
    return end;
  }

  const TokenFile& f_;
  const std::vector<Token>& t_;
  uint64_t& work_;
};

/// Reads the declarations; notes host and managed variables in the result of the whole pass.
Declarations read_declarations(const TokenFile&, SpaceCheck&, uint64_t& work);

}  // namespace dojo::compile_detail
