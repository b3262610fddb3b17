#pragma once
// The closed header search. Only the toolkit's headers, labs/include and the standard headers' shims can be
// included; anything else is replaced, before the compiler sees it, by a name that no folder has. So a path
// outside is never opened, and no message can quote it.
#include <functional>
#include <map>
#include <string>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

struct IncludeScan {
  std::map<int, std::string> refused;  ///< line -> what to say when the compiler stops there
  bool heavy = false;                  ///< includes a header that is worth a precompiled one
  std::vector<std::string> headers;    ///< names included in active regions
};

/// Rewrites `source` in place (same number of lines): "x.h" becomes <x.h>, so that neither the current folder
/// nor the file's own is searched; refused names, computed includes, #embed, #import, #include_next become
/// <~>, and #line is blanked.
/// `own(name, quoted)` answers with the key of a header of the program's own, or with nothing.
/// `whole`: a program of `play`, which may use the stand-ins for Thrust and CUB's device-wide algorithms.
/// `later`: it is compiled as C++20.
using OwnSearch = std::function<std::string(const std::string& name, bool quoted)>;
IncludeScan close_includes(std::string& source, const TokenFile&, const OwnSearch& own = {},
                           bool whole = false, bool later = false);

/// The first use of one of CUB's device-wide functions that this kind of program can't use. line 0: none.
struct DeviceCub {
  int line = 0, column = 0;
  std::string why;
};
DeviceCub find_device_cub(const TokenFile&, bool whole);

}  // namespace dojo::compile_detail
