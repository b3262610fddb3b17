#pragma once
// NVRTC's math library keeps tables (__cudart_i2opi_f, __cudart_sin_cos_coeffs) in device memory. Host code
// is compiled with the same library, so sin(1e6) in main reads a table that the host can't reach. Host code
// gets copies of its own.
#include <string>

namespace dojo::compile_detail {

/// The PTX with a second copy of every table, and of each library function that reads one and that kernels
/// call too. The copies' names end in "$host", and functions that no kernel calls use them. Returns `ptx`
/// unchanged when no host function reads a table.
std::string with_host_tables(const std::string& ptx);

}  // namespace dojo::compile_detail
