#pragma once
// Does a function read what a call in it returns? `f();` and `if (f() != 0)` differ in this alone.
#include "ptx/module.hpp"

namespace dojo::ptx {

/// `call`: index of a call instruction of `f`. True where an instruction reads the register that holds the
/// call's result, and where there is doubt. A result that code compiled as written keeps in a variable counts
/// as read.
bool reads_result(const Function& f, size_t call);

}  // namespace dojo::ptx
