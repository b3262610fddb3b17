// What `exec` reads of a program's file: fat binaries and line tables, whole and damaged; and the modules
// that a program of the driver API loads.
#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "../has.hpp"
#include "exec/fat_binary.hpp"
#include "exec/line_table.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

namespace {

template <class T>
void put(std::string& to, T v) {
  to.append(reinterpret_cast<const char*>(&v), sizeof v);
}

/// An entry of PTX for one architecture.
std::string ptx_entry(uint32_t arch, const std::string& text, uint16_t kind = 1, uint64_t flags = 0) {
  std::string e;
  put(e, kind), put(e, uint16_t(0x101)), put(e, uint32_t(64)), put(e, uint64_t(text.size()));
  put(e, uint32_t(flags ? text.size() : 0)), put(e, uint32_t(0)), put(e, uint32_t(0)), put(e, arch);
  put(e, uint64_t(0)), put(e, flags), put(e, uint64_t(0)), put(e, uint64_t(flags ? 1000 : 0));
  return e + text;
}
std::string fat_data(const std::string& entries) {
  std::string d;
  put(d, uint32_t(0xba55ed50)), put(d, uint16_t(1)), put(d, uint16_t(16)), put(d, uint64_t(entries.size()));
  return d + entries;
}
struct FatWrapper {
  uint32_t magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  const void* list = nullptr;
};
exec::FoundPtx found_in(const std::string& data, int arch) {
  FatWrapper w;
  w.data = data.data();
  return exec::find_ptx(&w, arch).at(0);
}

/// A DWARF 5 line program: two files, three rows from address 0x1000 on.
std::string line_program() {
  std::string tables;
  tables += std::string("\1\1\1\1\0\0\0\1\0\0\0\1", 12);  // lengths of the standard operations 1 to 12
  put(tables, uint8_t(1)), tables += "\1\x08";            // folders: a path, as text
  put(tables, uint8_t(1)), tables += std::string("/src\0", 5);
  put(tables, uint8_t(1)), tables += "\1\x08";
  put(tables, uint8_t(2)), tables += std::string("a.cu\0b.hpp\0", 11);
  std::string code;
  code += std::string("\0\x09\2", 3), put(code, uint64_t(0x1000));  // address
  code += std::string("\3\x09\1", 3);                               // line 10, a row
  code += std::string("\4\1\2\4\1", 5);                             // file 1, 4 bytes on, a row
  code += std::string("\4\0\2\4\3\2\1", 7);                         // file 0, 4 bytes on, line 12, a row
  code += std::string("\2\4\0\1\1", 5);                             // 4 bytes on, the end
  std::string head;
  put(head, uint8_t(1)), put(head, uint8_t(1)), put(head, uint8_t(1)), put(head, int8_t(-5));
  put(head, uint8_t(14)), put(head, uint8_t(13));
  std::string unit;
  put(unit, uint16_t(5)), put(unit, uint8_t(8)), put(unit, uint8_t(0));
  put(unit, uint32_t(head.size() + tables.size()));
  unit += head + tables + code;
  std::string all;
  put(all, uint32_t(unit.size()));
  return all + unit;
}

}  // namespace

TEST_CASE("exec: of several PTX texts the one that suits the device") {
  const std::string three = fat_data(ptx_entry(80, "eighty") + ptx_entry(75, "seventy") +
                                     ptx_entry(90, "ninety") + ptx_entry(90, "code", 2));
  CHECK(found_in(three, 86).text == "eighty");
  CHECK(found_in(three, 90).text == "ninety");
  CHECK(found_in(three, 70).text == "seventy");  // none fits: the lowest
  CHECK(found_in(three, 70).arch == 75);
  CHECK(found_in(fat_data(ptx_entry(75, "x", 2)), 90).why_not.find("code=compute_75") != std::string::npos);
  CHECK(found_in(fat_data(""), 90).why_not == "it holds no PTX");
  CHECK(found_in(fat_data(ptx_entry(75, std::string("x\0\0", 3))), 90).text == "x");
}

TEST_CASE("exec: linked files are one PTX text each") {
  const std::string a = fat_data(ptx_entry(75, "a")), b = fat_data(ptx_entry(75, "b"));
  const void* list[] = {a.data(), b.data(), nullptr};
  FatWrapper w;
  w.version = 2;
  w.list = list;
  const auto found = exec::find_ptx(&w, 90);
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "a");
  CHECK(found[1].text == "b");
}

TEST_CASE("exec: a damaged fat binary is refused with a reason") {
  FatWrapper w;
  w.magic = 1;
  CHECK_FALSE(exec::find_ptx(&w, 90).at(0).why_not.empty());
  CHECK_FALSE(exec::find_ptx(nullptr, 90).at(0).why_not.empty());
  CHECK_FALSE(found_in(std::string(64, 'x'), 90).why_not.empty());
  std::string long_payload = fat_data(ptx_entry(75, "text"));
  long_payload[16 + 8] = char(0xff);  // more bytes than there are
  CHECK(found_in(long_payload, 90).why_not == "it holds no PTX");
  for (const uint64_t flags : {0x2000, 0x8000}) {
    const auto packed = found_in(fat_data(ptx_entry(75, "not compressed at all", 1, flags)), 90);
    CHECK(packed.text.empty());
    CHECK(packed.why_not.find("--no-compress") != std::string::npos);
  }
}

TEST_CASE("exec: lines of native code") {
  const exec::LineProgram p = exec::read_debug_lines(line_program(), "", "");
  REQUIRE(p.rows.size() == 4);
  CHECK(p.rows[0].address == 0x1000);
  CHECK(p.rows[0].line == 10);
  CHECK(p.files[p.rows[1].file] == "/src/b.hpp");
  CHECK(p.rows[1].address == 0x1004);
  CHECK(p.files[p.rows[2].file] == "/src/a.cu");
  CHECK(p.rows[2].line == 12);
  CHECK(p.rows[3].end);
  CHECK(p.rows[3].address == 0x100c);
}

TEST_CASE("exec: damaged line tables end, and harm nothing") {
  const std::string whole = line_program();
  for (size_t n = 0; n < whole.size(); ++n) exec::read_debug_lines(whole.substr(0, n), "", "");
  std::mt19937 random(1);
  size_t rows = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string s = whole;
    for (int k = 0; k < 3; ++k) s[4 + random() % (s.size() - 4)] = char(random());
    rows += exec::read_debug_lines(s, "strings", "").rows.size();
  }
  CHECK(rows > 0);
}

TEST_CASE("exec: a program of the driver API loads PTX, launches, and reads its variables") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("k.cu", R"cu(__device__ int total = 40;
extern "C" __global__ void scale(float* p, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) p[i] *= by;
  if (i == 0) total += 2;
}
)cu");
  b.t.write("p.cpp", R"cu(#include <cuda.h>

#include <cstdio>
#include <vector>
int main(int argc, char**) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction scale;
  CUdeviceptr p, total;
  char name[80];
  size_t bytes = 0;
  int threads = 0, n = 64, sum = 0;
  printf("%d\n", cuInit(0) || cuDeviceGet(&device, 0) ||
                     cuCtxCreate(&context, nullptr, 0, device) ||
                     cuDeviceGetName(name, sizeof name, device));
  if (cuModuleLoad(&module, "none.ptx") != CUDA_ERROR_FILE_NOT_FOUND) return 2;
  if (cuModuleLoadData(&module,
                       "\x7f"
                       "ELF") != CUDA_ERROR_NO_BINARY_FOR_GPU)
    return 3;
  if (cuModuleLoad(&module, "k.ptx") || cuModuleGetFunction(&scale, module, "scale")) return 4;
  if (cuModuleGetFunction(&scale, module, "other") != CUDA_ERROR_NOT_FOUND) return 5;
  cuModuleGetFunction(&scale, module, "scale");
  cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale);
  cuMemAlloc(&p, 65 * sizeof(float));
  if (argc > 1) cuMemFree(p), cuMemAlloc(&p, n * sizeof(float));
  cuMemsetD32(p, 0x40400000, n);  // 3.0f
  float by = 2, out[64];
  void* arguments[] = {&p, &by, &n};
  cuLaunchKernel(scale, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr);
  struct {
    CUdeviceptr p;
    float by;
    int n;
  } packed = {p, 2, n};
  size_t size = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  cuLaunchKernel(scale, 1, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra);
  const CUresult done = cuCtxSynchronize();
  const char* word = "";
  cuGetErrorName(done, &word);
  if (done) return printf("%s\n", word), 1;
  cuMemcpyDtoH(out, p, sizeof out);
  cuModuleGetGlobal(&total, &bytes, module, "total");
  cuMemcpyDtoH(&sum, total, sizeof sum);
  printf("%s %g %g, %d in %zu bytes, %d threads\n", word, out[0], out[63], sum, bytes, threads);
  void* function = nullptr;
  CUdriverProcAddressQueryResult status;
  const CUresult found = cuGetProcAddress("cuMemFree", &function, 12000, 0, &status);
  printf("%d %d\n", found, function != nullptr);
  printf("%d\n", reinterpret_cast<CUresult (*)(CUdeviceptr)>(function)(p));
  CUmipmappedArray array;
  CUDA_ARRAY3D_DESCRIPTOR d = {};
  return cuMipmappedArrayCreate(&array, &d, 1) == CUDA_ERROR_NOT_SUPPORTED ? 0 : 6;
}
)cu");
  const Shell s =
      b("$N -ptx -arch=compute_75 -lineinfo k.cu && $N -g -cudart none -o p p.cpp -lcuda && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "0\nCUDA_SUCCESS 12 12, 44 in 4 bytes, 1024 threads\n0 1\n0\n");
  CHECK(has(s.err, "machine code"));
  CHECK(has(s.err, "cuMipmappedArrayCreate is not supported yet and returns CUDA_ERROR_NOT_SUPPORTED"));
  const Shell bad = b("$W exec ./p x");
  CHECK(bad.out == "0\nCUDA_ERROR_ILLEGAL_ADDRESS\n");
  CHECK(has(bad.err, "k.cu:4"));
}

TEST_CASE("exec: a call of the driver API that fails returns an error of that API") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("k.cu", "extern \"C\" __global__ void poke(int* p, int i) { p[i] = 1; }\n");
  b.t.write("p.cpp", R"cu(#include <cuda.h>

#include <cstdio>
int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module = nullptr, second = nullptr;
  CUlinkState link;
  CUfunction poke;
  CUdeviceptr p;
  cuInit(0), cuDeviceGet(&device, 0), cuCtxCreate(&context, nullptr, 0, device);
  printf("%d", cuModuleLoad(&module, nullptr));
  cuLinkCreate(0, nullptr, nullptr, &link);
  printf(" %d", cuLinkAddFile(link, CU_JIT_INPUT_PTX, nullptr, 0, nullptr, nullptr));
  cuModuleLoad(&module, "k.ptx"), cuModuleGetFunction(&poke, module, "poke");
  cuMemAlloc(&p, 64);
  int i = 1 << 20;
  void* arguments[] = {&p, &i};
  const char* word = "none";
  cuGetErrorName(cuLaunchKernel(poke, 1, 1, 1, 2000, 1, 1, 0, nullptr, arguments, nullptr), &word);
  printf(" %s\n", word);
  cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  printf("%d\n", cuModuleLoad(&second, "k.ptx"));  // waits for the kernel, which is wrong
}
)cu");
  const Shell s =
      b("$N -ptx -arch=compute_75 -lineinfo k.cu && $N -cudart none -o p p.cpp -lcuda && $W exec ./p");
  CHECK(s.out == "1 1 CUDA_ERROR_INVALID_VALUE\n700\n");
  CHECK(has(s.err, "k.cu:1"));
}

TEST_CASE("exec: a program that compiles its kernel with NVRTC to machine code runs on the PTX") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <vector>
int main() {
  nvrtcProgram program;
  const char* text =
      "extern \"C\" __global__ void k(int* p) { p[threadIdx.x] += "
      "threadIdx.x; }";
  const char* options[] = {"-arch=sm_90"};
  nvrtcCreateProgram(&program, text, "k.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 1, options)) return 2;
  size_t bytes = 0;
  nvrtcGetCUBINSize(program, &bytes);
  std::vector<char> code(bytes);
  nvrtcGetCUBIN(program, code.data());
  CUmodule module;
  CUfunction k;
  CUdeviceptr p;
  cuInit(0);
  if (cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr)) return 3;
  cuModuleGetFunction(&k, module, "k");
  cuMemAlloc(&p, 32 * sizeof(int));
  cuMemsetD32(p, 100, 32);
  void* arguments[] = {&p};
  cuLaunchKernel(k, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  int out[32];
  cuMemcpyDtoH(out, p, sizeof out);
  printf("%d %d\n", out[0], out[31]);
}
)cu");
  const Shell s = b("$N -g -cudart none -o p p.cpp -lcuda -lnvrtc && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "100 131\n");
  CHECK(has(s.err, "1 launch on simt:h100"));
}

TEST_CASE(
    "exec: calls of cuBLAS are computed on the host, and the report says that they were not simulated") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  // By columns: A is 3 x 2, B 2 x 2; x is 1, 2, 3 with an increment of 2.
  const float a[6] = {1, 3, 5, 2, 4, 6}, x[6] = {1, 0, 2, 0, 3, 0}, bs[4] = {1, 1, 2, 0};
  float *d, *dx, *db, *dc, out[6], r = 0, one = 1, two = 2, none = 0, *dr;
  cudaMalloc(&d, sizeof a), cudaMalloc(&dx, sizeof x), cudaMalloc(&db, sizeof bs), cudaMalloc(&dc, sizeof a);
  cudaMalloc(&dr, sizeof r);
  cublasHandle_t h;
  cublasCreate(&h);
  cublasSetVector(6, sizeof(float), a, 1, d, 1);
  cublasSetVector(6, sizeof(float), x, 1, dx, 1);
  cublasSetMatrix(2, 2, sizeof(float), bs, 2, db, 2);
  cublasSdot(h, 3, d, 1, dx, 2, &r);  // 1 1 + 3 2 + 5 3
  printf("%g", r);
  cublasSdot(h, 3, d, 1, dx, -2, &r);  // 1 3 + 3 2 + 5 1
  printf(" %g", r);
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
  cublasSnrm2(h, 2, d + 1, 3, dr);  // 3, 4
  cudaMemcpy(&r, dr, sizeof r, cudaMemcpyDeviceToHost);
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
  printf(" %g\n", r);
  cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 3, 2, 2, &one, d, 3, db, 2, &none, dc, 3);
  cublasGetMatrix(3, 2, sizeof(float), dc, 3, out, 3);
  for (float v : out) printf("%g ", v);
  cublasSgemm(h, CUBLAS_OP_T, CUBLAS_OP_T, 2, 2, 3, &two, d, 3, dx, 2, &none, dc, 2);
  cudaMemcpy(out, dc, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", out[0], out[1]);
  cublasSaxpy(h, 3, &two, d, 1, dx, 2);
  cublasSscal(h, 2, &two, dx + 2, 2);
  cublasSgemv(h, CUBLAS_OP_T, 3, 2, &one, d, 3, d, 1, &one, dx, 5);
  cudaMemcpy(out, dx, sizeof out, cudaMemcpyDeviceToHost);
  for (float v : out) printf("%g ", v);
  const int bad = cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 3, 2, 2, &one, d, 2, db, 2, &none, dc, 3);
  printf("%d %d\n", bad == CUBLAS_STATUS_INVALID_VALUE,
         cublasSrotmg(h, &one, &one, &one, &two, dc) == CUBLAS_STATUS_NOT_SUPPORTED);
  return cublasDestroy(h);
}
)cu");
  const Shell s = b("$N -g -cudart shared -o p p.cpp -lcublas && $W exec --json r.json ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "22 14 5\n3 7 11 2 6 10 44 56\n38 0 16 0 26 44 1 1\n");
  CHECK(has(s.err, "cublasSrotmg_v2 is not supported yet and returns CUBLAS_STATUS_NOT_SUPPORTED"));
  CHECK(has(s.err, "cublasSgemm is computed on the host: it is not simulated"));
  CHECK(has(read_or_empty(b.t.path / "r.json"), "not_simulated"));
}
