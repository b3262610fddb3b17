#pragma once
#include "core/compile.hpp"

namespace dojo::run {

/// compile() for any request. NVRTC 13.0 stays in another state after it has compiled with -G: what the same process
/// compiles next is optimised differently (other registers, copies in local memory), so counts would depend on what was
/// compiled before. Requests with `debug` are therefore compiled in a forked child.
Compiled compile_apart(const CompileRequest&);

}  // namespace dojo::run
