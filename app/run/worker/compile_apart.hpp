#pragma once
#include "core/compile.hpp"

namespace dojo::run {

/// compile() for any request. NVRTC 13.0 stays in another state after it has compiled with -G: what the same
/// process compiles next is optimised differently (other registers, copies in local memory), so counts would
/// depend on what was compiled before. Requests with `debug` are therefore compiled in a forked child.
/// `limit_s`: processor time of that child, after which the result is a diagnostic of kind "timeout"; 0:
/// none.
Compiled compile_apart(const CompileRequest&, int limit_s = 0);

}  // namespace dojo::run
