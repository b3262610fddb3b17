#pragma once
// Parameters of functions whose address is taken. The parser gives each a variable in local memory, named
// after it; the interpreter copies the parameter there before the function runs.
#include <cstdint>

namespace dojo::ptx {

/// Behind the parameter's name in that of its variable (Function::locals).
inline constexpr const char* on_stack = " (on the stack)";
/// What a function that takes any number of arguments can be passed behind the named ones.
inline constexpr uint64_t most_variadic_bytes = 512;

}  // namespace dojo::ptx
