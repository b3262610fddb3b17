#pragma once
// The compiler's mathematics library keeps tables (__cudart_i2opi_f, __cudart_sin_cos_coeffs) in the device's
// memory. Host code is interpreted with the same library: sin(1e6) of main reads them too.
#include <string>

namespace dojo::compile_detail {

/// The module with copies of these tables, and of the library functions that read them, for what no kernel
/// reaches; their names end in "$host". As it was where kernels alone, or host code alone, reads none.
std::string with_host_tables(const std::string& ptx);

}  // namespace dojo::compile_detail
