#pragma once
// C++ of the course's own (a lab's problem.cpp, an instructor's tests) as a shared object that the program
// loads. Compiled by $CXX, else c++, against the headers of the checkout or of the installed package.
#include <filesystem>
#include <string>

namespace dojo::run {

struct NativeSource {
  std::filesystem::path file;
  std::string what;     ///< as messages begin: "The lab 'reduce' needs its problem.cpp compiled"
  std::string options;  ///< more options of the compiler
};

/// Compiles to a temporary name and renames, so that two processes never load half a file. Throws Error with
/// the compiler's first message and its line, or with what to install when there is no compiler.
void compile_shared_object(const NativeSource&, const std::filesystem::path& object);

}  // namespace dojo::run
