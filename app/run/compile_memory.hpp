#pragma once
// Programs compiled lately. A file that runs at several sizes, or on several hidden inputs, is compiled once.
#include <functional>

#include "core/compile.hpp"

namespace dojo::run {

using Compile = std::function<Compiled(const CompileRequest&)>;

/// `compile`, but what it made of the last `programs` requests that compiled without an error is given again
/// for an equal request by the same front end. Compiled::milliseconds is the first compilation's. A program
/// of its own (`play`) is compiled each time: it may include files beside it. For several threads.
Compile remembering(Compile compile, size_t programs = 8);

}  // namespace dojo::run
