#include "core/compile/spaces/spaces_words.hpp"

namespace dojo::compile_detail {

bool is_type_word(const std::string& s) {
  static const std::set<std::string> words = {
      "void",      "bool",     "char",   "short",  "int",      "long",   "float",     "double",
      "signed",    "unsigned", "auto",   "const",  "volatile", "static", "constexpr", "constinit",
      "consteval", "extern",   "inline", "struct", "class",    "enum",   "typename",  "register"};
  return words.count(s) > 0;
}
bool is_statement_word(const std::string& s) {
  static const std::set<std::string> words = {
      "return", "else",      "case",     "goto", "throw",  "new",     "delete",   "sizeof",
      "if",     "while",     "for",      "do",   "switch", "default", "break",    "continue",
      "using",  "namespace", "operator", "and",  "or",     "not",     "co_return"};
  return words.count(s) > 0;
}
bool is_annotation(const std::string& s) {
  return s == "__global__" || s == "__device__" || s == "__host__" || s == "__constant__" ||
         s == "__managed__" || s == "__shared__" || s == "__grid_constant__";
}

const std::set<std::string>& host_library() {
  static const std::set<std::string> names = {"cudaMemcpy",
                                              "cudaMemset",
                                              "cudaMallocManaged",
                                              "cudaMallocHost",
                                              "cudaHostAlloc",
                                              "cudaFreeHost",
                                              "cudaDeviceSynchronize",
                                              "cudaEventSynchronize",
                                              "cudaEventElapsedTime",
                                              "cudaStreamSynchronize",
                                              "cudaStreamCreate",
                                              "cudaEventCreate",
                                              "cudaSetDevice",
                                              "cudaGetDeviceProperties",
                                              "cudaMemcpyToSymbol",
                                              "cudaMemcpyFromSymbol",
                                              "cudaFuncSetAttribute",
                                              "cudaLaunchKernel",
                                              "cudaLaunchCooperativeKernel",
                                              "cudaDeviceReset",
                                              "cudaMemcpy2D",
                                              "cudaMallocPitch",
                                              "rand",
                                              "srand",
                                              "exit",
                                              "abort",
                                              "atoi",
                                              "atof",
                                              "strtol",
                                              "strtod",
                                              "qsort",
                                              "bsearch",
                                              "calloc",
                                              "realloc",
                                              "fprintf",
                                              "puts",
                                              "putchar",
                                              "fopen",
                                              "fclose",
                                              "fflush",
                                              "scanf",
                                              "sscanf",
                                              "snprintf",
                                              "sprintf",
                                              "time",
                                              "getenv",
                                              "strlen",
                                              "strcmp",
                                              "strncmp",
                                              "strdup",
                                              "drand48"};
  return names;
}
const std::set<std::string>& host_std() {
  static const std::set<std::string> names = {
      "cout",        "cerr",     "endl",       "vector",      "string",        "sort",
      "fill",        "generate", "accumulate", "mt19937",     "random_device", "unique_ptr",
      "make_unique", "iota",     "to_string",  "stable_sort", "shuffle",       "transform"};
  return names;
}
const std::set<std::string>& device_library() {
  static const std::set<std::string> names = {"__syncthreads",
                                              "__syncwarp",
                                              "__shfl_sync",
                                              "__shfl_down_sync",
                                              "__shfl_up_sync",
                                              "__shfl_xor_sync",
                                              "__ballot_sync",
                                              "__any_sync",
                                              "__all_sync",
                                              "__activemask",
                                              "__threadfence",
                                              "__threadfence_block",
                                              "__threadfence_system",
                                              "__ldg",
                                              "atomicAdd",
                                              "atomicMax",
                                              "atomicMin",
                                              "atomicCAS",
                                              "atomicExch",
                                              "atomicSub",
                                              "atomicInc",
                                              "atomicOr",
                                              "atomicAnd",
                                              "atomicXor",
                                              "clock64"};
  return names;
}
bool device_builtin_variable(const std::string& s) {
  return s == "threadIdx" || s == "blockIdx" || s == "blockDim" || s == "gridDim" || s == "warpSize";
}

}  // namespace dojo::compile_detail
