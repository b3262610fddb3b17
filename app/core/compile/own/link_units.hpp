#pragma once
// Programs of several source files. Each file is compiled alone; then their PTX is linked to one module by
// the rules of C++ linkage.
#include <string>
#include <vector>

#include "core/types.hpp"

namespace dojo::compile_detail {

struct Unit {
  std::string file;  ///< the name that messages show
  std::string ptx;
};

/// Links all units to one module. Names with internal linkage (static, unnamed namespaces, string literals)
/// stay separate: the second file's `counter` becomes unit2::counter. Of weak definitions (templates, inline
/// functions) the first stays. `problems` gets duplicate definitions, and variables that no file defines.
std::string link_units(const std::vector<Unit>&, std::vector<Diagnostic>* problems);

/// Is it CUDA's library for launches in kernels (libcudadevrt), whose calls the machine answers itself?
bool is_device_runtime(const Unit&);
/// Does a unit use a function or variable that another one defines?
bool need_each_other(const std::vector<Unit>&);

}  // namespace dojo::compile_detail
