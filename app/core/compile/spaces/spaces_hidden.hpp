#pragma once
// Names that an inner scope declares, and that hide a variable of the file there: members of the class,
// template parameters, structured bindings, captures with an initial value, enumerators. Parameters and
// locals are read with the bodies (spaces.cpp).
//
// Example: with `int scale;` at file scope, `struct T { int scale; __device__ int f() { return scale; } };`
// reads the member.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/compile/spaces/spaces_scan.hpp"

namespace dojo::compile_detail {

class HiddenNames : TokenScan {
 public:
  HiddenNames(const TokenFile&, const Declarations&, uint64_t& work);
  /// Does the name of token i mean something that an inner scope declares?
  bool hides(size_t i) const;

 private:
  struct Scope {
    size_t begin, end;  ///< token indices
  };
  using Names = std::set<std::string>;

  /// Keeps the names that a variable of the file has: no others are ever asked for.
  void add(const Names&, Scope);
  /// From i to the end of the block around it.
  Scope rest_of_block(size_t i) const;
  void class_body(size_t i);
  void template_parameters(size_t i);
  void bindings(size_t i);
  void captures(size_t i);
  void enumerators(size_t i);
  Names members(size_t open, size_t end) const;

  const Declarations& declared_;
  std::map<std::string, std::vector<Scope>> scopes_;  ///< by name
  std::map<std::string, Names> classes_;              ///< members by class
};

}  // namespace dojo::compile_detail
