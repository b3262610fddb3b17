#pragma once
// A program of several source files: each is compiled by itself, then their PTX becomes one module, by the
// rules of a linker.
#include <string>
#include <vector>

#include "core/types.hpp"

namespace dojo::compile_detail {

struct Unit {
  std::string file;  ///< as messages name it
  std::string ptx;
};

/// One module of all units. What a file keeps to itself (static, unnamed namespaces, strings) stays apart:
/// a second `counter` becomes unit2::counter. Of what several files may define (templates, inline functions)
/// the first stays. Two definitions of one name, and variables that no file defines, are told in `problems`.
std::string link_units(const std::vector<Unit>&, std::vector<Diagnostic>* problems);

}  // namespace dojo::compile_detail
