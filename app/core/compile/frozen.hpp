#pragma once
// A file compiled twice must be the same program, else a regrade could give other points. NVRTC lets no
// caller redefine __DATE__ and __TIME__, so that the pass rewrites their first character: the pre-include
// defines d_DATE__ and d_TIME__ as fixed texts of the same form. Columns stay.
#include <string>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

/// A name that `##` might complete to __DATE__ or __TIME__ behind the pass's back.
struct JoinedName {
  std::string text;  ///< "__TI"; empty: none
  int line = 0, column = 0;
};

/// Rewrites the names in `source` in place, in directives too.
JoinedName freeze_date_and_time(std::string& source, const TokenFile&);

}  // namespace dojo::compile_detail
