#pragma once
// Words that the pass over host and device code knows: of the language, of the CUDA headers, of the
// libraries.
#include <set>
#include <string>

namespace dojo::compile_detail {

bool is_type_word(const std::string&);
bool is_statement_word(const std::string&);
/// __global__, __device__ and their like.
bool is_annotation(const std::string&);
/// Library functions that only host code has, among those our headers declare.
const std::set<std::string>& host_library();
/// Names of namespace std that only host code has.
const std::set<std::string>& host_std();
/// What only device code has.
const std::set<std::string>& device_library();
bool device_builtin_variable(const std::string&);

}  // namespace dojo::compile_detail
