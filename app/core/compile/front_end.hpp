#pragma once
// A compiler of CUDA C++ to PTX. What both share is done before: the token pass, the closed header search.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"

namespace dojo::compile_detail {

/// Defined in device code only: a text that asks for it has other functions on the host.
inline constexpr std::string_view device_macro = "__CUDA_ARCH__";

/// A header of the program's own, after the passes. The texts include it by its key, which no folder has.
struct OwnText {
  std::string key;   ///< "own0/kernels.h"
  std::string name;  ///< "src/kernels.h"
  std::string text;
  std::map<int, std::string> refused;  ///< as in Translation
};

struct Translation {
  std::string file;    ///< as messages and line tables name it
  std::string source;  ///< with #includes closed; the student's lines and columns
  std::string arch;    ///< "compute_90"
  std::vector<std::string> defines;
  std::string standard = "c++17";
  bool debug = false;
  bool heavy = false;         ///< includes a header that is worth a precompiled one
  bool groups_first = false;  ///< cooperative_groups.h is included with no macro defined before it
  std::vector<std::string> managed, host_variables;  ///< as in Compiled
  std::map<int, std::string> refused;                ///< #include line -> what to say when it can't be opened
  std::vector<OwnText> headers;
};

struct Translated {
  std::string ptx;  ///< kernels and host functions; empty on failure
  std::vector<Diagnostic> diagnostics;
};

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;
  virtual const char* name() const = 0;  ///< "nvrtc", "clang"
  /// False: `why` says what to install.
  virtual bool available(std::string* why) const = 0;
  /// Never throws on bad source.
  virtual Translated translate(const Translation&) const = 0;
};

const FrontEnd& nvrtc_front_end();
const FrontEnd& clang_front_end();
/// The one that $WARPDOJO_FRONT_END names; else NVRTC if it is there, else clang if that is, else NVRTC.
const FrontEnd& front_end();

/// The text with another name of the same width in place of device_macro, which nothing defines: columns
/// stay.
std::string without_device_macro(std::string text);
Diagnostic compile_problem(const std::string& file, int line, std::string message);
/// File names of a line table as reports show them: the student's as it was asked for, ours relative to the
/// checkout.
void shorten_files(std::string& ptx, const Translation&);

}  // namespace dojo::compile_detail
