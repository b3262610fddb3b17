#pragma once
// The program's own headers. They are searched as nvcc does: beside the including file, then in the folders
// of -I. The toolkit's headers and the shims keep their closed search (core/compile/includes.hpp). A source
// file travels with its headers as one text, a bundle. Only whole programs may send one; a lab's step has no
// headers of its own.
#include <string>
#include <vector>

namespace dojo {

/// Example: {"src/kernels.h", "#pragma once ..."}.
struct OwnHeader {
  std::string name;  ///< its path as messages and line tables show it
  std::string text;
};

/// Reads the headers that `file` includes, directly and through headers. Limits: 200 files and 8 MiB in all.
/// Only files that end in .h, .hh, .hpp, .hxx, .cuh, .cu, .c, .cc, .cpp, .inc, .inl or .def are read, so that
/// no #include opens another kind of file. Names that are not found are left to the closed search.
std::vector<OwnHeader> own_headers(const std::string& file, const std::string& text,
                                   const std::vector<std::string>& folders);

struct Bundle {
  std::string text;  ///< of the file itself
  std::vector<OwnHeader> headers;
  std::vector<std::string> folders;  ///< of -I, in the order of the search
  std::vector<OwnHeader> units;      ///< further source files, each with its own bundle as text
};
/// A bundle as one string. Without headers and units it is the text itself. Else it is a mark that begins
/// with a zero byte, then every string as LENGTH:BYTES.
std::string pack(const Bundle&);
/// The reverse of pack(). A string without the mark is a bundle of a text alone; so is a damaged one.
Bundle unpack(const std::string&);

namespace compile_detail {
/// Index in Bundle::headers of the header that `from` includes as `name`; -1 if it is none of the program's.
/// "x.h" is searched beside `from` first, <x.h> in the folders only. The CUDA samples' helper_*.h count as
/// ours where a shim stands in for them.
int find_own(const Bundle&, const std::string& from, const std::string& name, bool quoted);
}  // namespace compile_detail

}  // namespace dojo
