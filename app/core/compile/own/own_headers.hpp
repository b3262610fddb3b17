#pragma once
// Headers of a program's own. A program finds them beside the including file and in the folders of -I, as
// nvcc does; the toolkit's headers and the shims keep their closed search (core/compile/includes.hpp). File
// and headers go to the compiler as one text, a bundle: only requests of whole programs may be one.
#include <string>
#include <vector>

namespace dojo {

/// Example: {"src/kernels.h", "#pragma once ..."}.
struct OwnHeader {
  std::string name;  ///< as messages and line tables show it: a path as the file's own is one
  std::string text;
};

/// Reads the headers that a program includes, and those that they include. At most 200 files and 8 MiB in
/// all; a header's name ends in .h, .hh, .hpp, .hxx, .cuh, .cu, .c, .cc, .cpp, .inc, .inl or .def, so that no
/// #include reads another kind of file. What is not found is left to the closed search.
std::vector<OwnHeader> own_headers(const std::string& file, const std::string& text,
                                   const std::vector<std::string>& folders);

struct Bundle {
  std::string text;  ///< of the file itself
  std::vector<OwnHeader> headers;
  std::vector<std::string> folders;  ///< of -I, in the order of the search
  std::vector<OwnHeader> units;      ///< further source files, each with its own bundle as text
};
/// The text itself when there is nothing but it. Else a zero byte, then each string behind its length.
std::string pack(const Bundle&);
/// A text that is no bundle is one without headers.
Bundle unpack(const std::string&);

namespace compile_detail {
/// Index of the header that `name`, included by `from`, stands for; -1: none of the program's own. "x.h" is
/// looked for beside `from` first, <x.h> in the folders only. Headers of samples for which shims exist
/// (helper_*.h) are the shims'.
int find_own(const Bundle&, const std::string& from, const std::string& name, bool quoted);
}  // namespace compile_detail

}  // namespace dojo
