#pragma once
// A student's .cu file to PTX, with NVRTC in process. The library is loaded at run time: without it
// everything else still starts, and compiling says what to install.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace dojo {

struct CompileRequest {
  std::string file;    ///< shown in messages and line tables
  std::string source;  ///< the text
  std::string arch = "compute_90";
  std::vector<std::string> defines;  ///< "NAME=VALUE"
  std::string standard = "c++17";    ///< or c++20; nvcc's default is C++17
  bool debug = false;                ///< -G: keeps reads and writes in source order
  bool program = false;              ///< `play`: the file has a main, and the standard headers' shims
  bool catches = false;              ///< another source file of the program has handlers of exceptions

  bool operator==(const CompileRequest&) const = default;
};

/// What ptxas says of one kernel.
struct KernelResources {
  int registers = 0;    ///< as Nsight reports them: at least 16 on sm_90
  int static_smem = 0;  ///< bytes
  int local_bytes = 0;  ///< stack and spills, per thread
  int const_bytes = 0;
  bool estimated = true;  ///< no ptxas: registers estimated from the PTX
};

struct Compiled {
  bool ok = false;
  std::string ptx;                      ///< kernels and host functions, with line table
  std::vector<Diagnostic> diagnostics;  ///< errors (if !ok) and warnings, with file, line and column
  double milliseconds = 0;
  /// Namespace-scope variables declared without __device__, __constant__ or __managed__ (host side), and
  /// those declared __managed__, as the token pass saw them (unmangled names).
  std::vector<std::string> host_variables, managed_variables;
  /// What a line allocates: the variable that cudaMalloc, malloc ... fill there ("d_in"), for messages.
  std::map<int, std::string> allocation_names;
};

/// Compiles a file: token pass (host/device confusion, in nvcc's words), NVRTC with the closed header
/// search (toolkit include folders, labs/include, our shims), messages mapped back to the student's
/// file and columns. Never throws on bad source.
Compiled compile(const CompileRequest&);

/// For a process that compiles many times: headers that are slow to read (cooperative_groups.h, CUB ...) are
/// precompiled on first use, which doubles that first compile and makes the following five times quicker. The
/// PTX is the same. Off at start.
void keep_headers_warm(bool);

/// What ptxas makes of stripped PTX (kernels and what they reach; strip with ptx::strip_host).
struct Assembled {
  bool ok = false;
  bool refused = false;                            ///< ptxas found an error in the PTX
  int ptx_line = 0;                                ///< of that error; 0: of no line
  std::string message;                             ///< why not ("no ptxas found", its error text)
  std::vector<std::byte> cubin;                    ///< with line info; for the SASS skeleton
  std::map<std::string, KernelResources> kernels;  ///< by mangled name
};
/// sm: "sm_90". Runs ptxas as a child with a time limit, in a private temporary folder.
Assembled assemble(const std::string& stripped_ptx, const std::string& sm);

}  // namespace dojo
