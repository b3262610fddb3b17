// The clang front end: its two modules made one, its messages, and what it makes of whole programs.
#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

#include "../left_out.hpp"
#include "../whole_suite.hpp"
#include "core/compile/clang/clang_messages.hpp"
#include "core/compile/merge_ptx.hpp"
#include "shell.hpp"

using namespace dojo;
using namespace dojo::compile_detail;
using namespace dojo::test;

namespace {

size_t times(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("clang's module of kernels and its module of host code become one") {
  const std::string kernels =
      ".version 7.5\n.target sm_75\n.address_size 64\n"
      ".visible .const .align 4 .b8 table[16];\n"
      ".visible .global .align 4 .u32 scale = 10;\n"
      ".const .align 4 .b8 _ZL5order[8];\n"
      ".visible .entry _Z1kPf(\n\t.param .u64 _Z1kPf_param_0\n)\n{\n"
      "\t.loc\t1 3 5\n\tret;\n\t.loc\t2 9 1\n\t.local .align 4 .b8 depot[4];\n}\n"
      ".visible .func _Z4bothv()\n{\n\t.loc\t1 4 1\n\tret;\n}\n"
      "\t.file\t1 \".\" \"a.cu\"\n\t.file\t2 \"/inc/clang\" \"h.hpp\"\n";
  const std::string host =
      ".version 7.5\n.target sm_75\n.address_size 64\n"
      ".extern .func  (.param .b32 func_retval0) cudaLaunchKernel\n(\n"
      "\t.param .b64 cudaLaunchKernel_param_0,\n\t.param .b64 cudaLaunchKernel_param_1\n)\n;\n"
      ".global .align 4 .b8 table[16];\n"
      ".global .align 4 .b8 _ZL5order[8];\n"
      ".global .align 4 .u32 _ZL7counter = 1;\n"
      ".global .align 4 .b8 constinit[8];\n"
      ".extern .global .align 8 .u64 optarg;\n"
      ".visible .entry _Z16__device_stub__kPf(\n\t.param .u64 q\n)\n{\n\tret;\n}\n"
      ".visible .func _Z4bothv()\n{\n\tret;\n}\n"
      ".visible .func main()\n{\n\t.loc\t7 12 0\n\tmov.u64 \t%rd1, _Z16__device_stub__kPf;\n"
      "\tmov.u64 \t%rd2, _ZL5order;\n\tmov.u64 \t%rd3, constinit;\n\tmov.u64 \t%rd4, optarg;\n\tret;\n}\n"
      "\t.file\t7 \".\" \"a.cu\"\n";
  const std::string one = merge_ptx(kernels, host, {"/inc/clang"}, {"scale"}, {"counter"});
  CAPTURE(one);
  CHECK(times(one, ".version") == 1);
  CHECK(times(one, "_Z4bothv()") == 1);
  CHECK(times(one, " table[16]") == 1);
  CHECK(one.find("__device_stub__") == one.npos);
  CHECK(one.find("mov.u64 \t%rd1, _Z1kPf;") != one.npos);
  CHECK(one.find("mov.u64 \t%rd2, _ZL5order$host;") != one.npos);
  CHECK(one.find("_ZL7counter = 1") != one.npos);
  CHECK(one.find("mov.u64 \t%rd3, constinit$host;") != one.npos);  // a table that the compiler made
  CHECK(one.find("mov.u64 \t%rd4, optarg;") != one.npos);
  CHECK(one.find(".global .attribute(.managed) .align 4 .u32 scale") != one.npos);
  CHECK(one.find(".local .align 4 .b8 depot[4]") != one.npos);
  CHECK(one.find(".param .align 4 .b8 cudaLaunchKernel_param_1[12]") != one.npos);
  // Host and kernels name one file; the header's mark is gone.
  CHECK(times(one, ".file") == 1);
  CHECK(one.find(".loc\t1 12 0") != one.npos);
  CHECK(one.find(".loc\t1 9 1") == one.npos);
}

TEST_CASE("clang's messages: once for both passes, in our words, at the student's line") {
  const std::string log =
      "a.cu:2:48: error: use of undeclared identifier 'x'\n"
      "a.cu:9:3: warning: unused variable 'y' [-Wunused-variable]\n"
      "2 errors generated when compiling for sm_75.\n"
      "a.cu:2:48: error: use of undeclared identifier 'x'\n"
      "/inc/clang/mma.h:80:3: error: no matching function for call to 'f'\n"
      "a.cu:5:7: note: in instantiation of function template specialization 'g<int>' requested here\n"
      "a.cu:1:10: fatal error: 'nowhere.h' file not found\n"
      "a.cu:7:3: error: cannot use 'throw' with exceptions disabled\n"
      "a.cu:8:3: error: reference to __global__ function 'child' in __global__ function\n";
  const auto d =
      parse_clang_log(log, {"a.cu", {{1, "there is no header \"nowhere.h\" here"}}, {"/inc/clang"}});
  REQUIRE(d.size() == 6);
  CHECK(d[0].where == SourceLoc{"a.cu", 2, 48});
  CHECK(d[1].severity == Severity::warning);
  CHECK(d[1].message == "unused variable 'y'");
  CHECK(d[2].message == "in header \"mma.h\" line 80: no matching function for call to 'f'");
  CHECK(d[2].where == SourceLoc{"a.cu", 5, 7});
  CHECK(d[3].message == "there is no header \"nowhere.h\" here");
  CHECK(d[4].message.find("exceptions") == 0);
  CHECK(d[5].message.find("clang compiles no launch in a kernel: compile with NVRTC") == 0);
}

TEST_CASE("clang: the kernel of a stub is told from its name") {
  CHECK(kernel_of_stub("_Z16__device_stub__kPf") == "_Z1kPf");
  CHECK(kernel_of_stub("_Z32__device_stub__layer_norm_kernelILi1EEvPf") == "_Z17layer_norm_kernelILi1EEvPf");
  CHECK(kernel_of_stub("_Z1kPf").empty());
}

TEST_CASE("a compiler is chosen by name, and an unknown one is refused") {
  TempFolder t;
  const Shell s = shell(t, source_root().string(), "$W run reduce/1 --compiler gcc");
  CHECK(s.status == 2);
  CHECK(s.err.find("no compiler 'gcc'") != s.err.npos);
}

TEST_CASE("clang: a finding in what a built-in does is at the student's line, and scopes of atomics hold") {
  if (needs::left_out_without("clang-19")) return;
  TempFolder t;
  std::ofstream(t.path / "scopes.cu") << "__global__ void count(int* hits) {\n"
                                         "  const int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                         "\n"
                                         "  atomicAdd_block(hits, t);\n"
                                         "}\n"
                                         "int main() {\n"
                                         "  int* hits;\n"
                                         "  cudaMalloc(&hits, sizeof(int));\n"
                                         "  cudaMemset(hits, 0, sizeof(int));\n"
                                         "  count<<<2, 32>>>(hits);\n"
                                         "  cudaDeviceSynchronize();\n"
                                         "  cudaFree(hits);\n"
                                         "}\n";
  const Shell s =
      shell(t, source_root().string(), "$W play '" + (t.path / "scopes.cu").string() + "' --compiler clang");
  CAPTURE(s.out + s.err);
  CHECK(s.status != 0);
  CHECK((s.out + s.err).find("scopes.cu:4") != std::string::npos);
  CHECK((s.out + s.err).find("_block") != std::string::npos);
}

TEST_CASE("clang: a choice between loaded values is no branch, and two conditions are one") {
  if (needs::left_out_without("clang-19")) return;
  TempFolder t;
  std::ofstream(t.path / "choose.cu")
      << "__global__ void choose(const float* x, const unsigned char* mask, float* y, int rows, int n) {\n"
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  const float v = x[i] * 2.0f;\n"
         "  y[i] = mask[i] ? v : 0.0f;\n"
         "}\n"
         "__global__ void guarded(const float* x, float* y, int rows, int n, int k) {\n"
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  y[i] = i < rows && i + k < n ? x[i + k] : 0.0f;\n"
         "}\n"
         "int main() { choose<<<1, 1>>>(0, 0, 0, 0, 0); guarded<<<1, 1>>>(0, 0, 0, 0, 0); }\n";
  const Shell s =
      shell(t, source_root().string(), "$W code '" + (t.path / "choose.cu").string() + "' --compiler clang");
  CAPTURE(s.out + s.err);
  const size_t first = s.out.find("kernel choose"), second = s.out.find("kernel guarded");
  REQUIRE(first != s.out.npos);
  REQUIRE(second != s.out.npos);
  const std::string choose = s.out.substr(first, second - first), guarded = s.out.substr(second);
  const auto branches = [](const std::string& text) {
    size_t n = 0;
    for (size_t at = text.find(" bra "); at != text.npos; at = text.find(" bra ", at + 1)) ++n;
    return n;
  };
  CHECK(branches(choose) == 0);
  CHECK(branches(guarded) == 1);
}

TEST_CASE("clang: cuda::barrier and cuda::pipeline order what a block copies and reads") {
  if (needs::left_out_without("clang-19")) return;
  TempFolder t;
  const fs::path file = source_root() / "tests" / "clang" / "barriers.cu";
  const Shell s = shell(t, source_root().string(), "$W play '" + file.string() + "' --compiler clang");
  CHECK(s.status == 0);
  CHECK(s.out == read_or_empty(fs::path(file).replace_extension(".expected")));
}

TEST_CASE("clang: the sample programs print what they print with NVRTC") {
  if (needs::left_out_without("clang-19")) return;
  TempFolder t;
  Part part("sample programs", 12);
  for (const auto& e : fs::directory_iterator(source_root() / "tests" / "programs")) {
    const std::string name = e.path().stem().string();
    // WarpMergeSort is the toolkit's, and so are the types of memory pools. clang 19 has no launches in
    // kernels.
    if (e.path().extension() != ".cu" || name == "cub_warp" || name == "headers_together" ||
        name == "kernels_launch" || name == "pools" || !part.takes(name))
      continue;
    CAPTURE(name);
    const Shell s = shell(t, source_root().string(),
                          "$W play '" + e.path().string() + "' --compiler clang" +
                              (name == "arguments" ? " -- 5 2.5 word" : ""));
    CHECK(s.status == 0);
    CHECK(s.out == read_or_empty(fs::path(e.path()).replace_extension(".expected")));
  }
  CHECK(part.seen() >= 29);
}

TEST_CASE("clang: what LLVM remarks on loops is not printed, and its errors are messages") {
  if (needs::left_out_without("clang-19")) return;
  TempFolder t;
  // A loop that #pragma unroll names and LLVM leaves as it is.
  const Shell loop =
      shell(t, source_root().string(), "$W code reference/05-softmax/8-online.cu --compiler clang");
  CHECK(loop.status == 0);
  CHECK(loop.err == "");
  t.write("never.cu",
          "__device__ __attribute__((error(\"use the other\"))) int never();\n"
          "__global__ void k(int* x) { x[0] = never(); }\n");
  const Shell refused =
      shell(t, source_root().string(), "$W code '" + (t.path / "never.cu").string() + "' --compiler clang");
  CHECK(refused.status == 3);
  CHECK((refused.out + refused.err).find("use the other") != std::string::npos);
}

TEST_CASE("clang: unoptimised code takes the address of a stub's parameter, which keeps its name") {
  const std::string stub = "_Z22__device_stub__consume5Stage";
  const std::string head = ".version 8.5\n.target sm_90\n.address_size 64\n";
  const std::string host = head + ".visible .func " + stub + "(\n\t.param .align 8 .b8 " + stub +
                           "_param_0[32]\n)\n{\n\t.reg .b64 \t%rd<3>;\n\tmov.b64 \t%rd1, " + stub +
                           "_param_0;\n\tret;\n}\n.visible .func main()\n{\n\t.reg .b64 \t%rd<3>;\n"
                           "\tmov.b64 \t%rd1, " +
                           stub + ";\n\tcall.uni \n\t" + stub + ", \n\t(\n\tparam0\n\t);\n\tret;\n}\n";
  const std::string merged = merge_ptx(head, host, {}, {}, {});
  CHECK(times(merged, "%rd1, " + stub + "_param_0;") == 1);
  CHECK(times(merged, "%rd1, _Z7consume5Stage;") == 1);
}

TEST_CASE("clang: a compare-and-swap of cuda::atomic has the order that it is given") {
  if (needs::left_out_without("clang-19")) return;
  TempFolder t;
  std::ofstream(t.path / "swap.cu") << "#include <cuda/atomic>\n"
                                       "__global__ void swap(int* p) {\n"
                                       "  cuda::atomic_ref<int, cuda::thread_scope_device> a(*p);\n"
                                       "  int e = 0;\n"
                                       "  a.compare_exchange_strong(e, 1, cuda::memory_order_acquire);\n"
                                       "  a.compare_exchange_strong(e, 2, cuda::memory_order_release);\n"
                                       "}\n"
                                       "int main() { swap<<<1, 1>>>(0); }\n";
  const Shell s =
      shell(t, source_root().string(), "$W code '" + (t.path / "swap.cu").string() + "' --compiler clang");
  CAPTURE(s.out + s.err);
  CHECK(times(s.out, "atom.acquire.gpu") == 1);
  CHECK(times(s.out, "atom.release.gpu") == 1);
  CHECK(times(s.out, "acq_rel") == 0);
}

TEST_CASE("clang: code compiled as written keeps its clusters") {
  if (needs::left_out_without("clang-19")) return;
  TempFolder t;
  std::ofstream(t.path / "swap.cu")
      << "#include <cooperative_groups.h>\n"
         "#include <cstdio>\n"
         "__global__ void __cluster_dims__(2, 1, 1) swap(int* out) {\n"
         "  auto cluster = cooperative_groups::this_cluster();\n"
         "  __shared__ int mine;\n"
         "  mine = 5 + blockIdx.x;\n"
         "  cluster.sync();\n"
         "  out[blockIdx.x] = *cluster.map_shared_rank(&mine, blockIdx.x ^ 1);\n"
         "  cluster.sync();\n"
         "}\n"
         "int main() {\n"
         "  int *out, h[2];\n"
         "  cudaMalloc(&out, sizeof h);\n"
         "  swap<<<2, 1>>>(out);\n"
         "  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);\n"
         "  printf(\"%d %d\\n\", h[0], h[1]);\n"
         "  cudaFree(out);\n"
         "}\n";
  const Shell s =
      shell(t, source_root().string(), "$W play '" + (t.path / "swap.cu").string() + "' --compiler clang");
  CAPTURE(s.out + s.err);
  CHECK(s.status == 0);
  CHECK(s.out.find("6 5") != std::string::npos);
}
