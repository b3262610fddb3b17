// `exec`: a program that was compiled elsewhere, through our libcudart.so.13.
#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../has.hpp"
#include "exec_bench.hpp"
#include "run/sandbox/sandbox.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: output and exit status are the program's, the table of kernels follows") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  const ExecBench b;
  const Shell s = b("$W exec --json r.json $P 1000");
  CHECK(s.status == 9);
  CHECK(s.out == "cudaSuccess\nlast 3996.0, 3000 calls\n");
  CHECK(has(s.err, "natively with your rights"));
  CHECK(has(s.err, "bound by"));
  const auto j = nlohmann::json::parse(read_or_empty(b.t.path / "r.json"));
  CHECK(j["device"]["name"] == "simt:h100");
  const auto& run = j["runs"][0];
  CHECK(run["status"] == "pass");
  REQUIRE(run["launches"].size() == 3);
  CHECK(run["launches"][2]["kernel"] == "add");
  CHECK(run["launches"][2]["counters"]["smsp__inst_executed_op_global_st.sum"] == 32);
}

TEST_CASE("exec: in the sandbox a program has its folder, and neither other files nor the network") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("Landlock", run::landlock_version() > 0)) return;
  const ExecBench b;
  std::ofstream(b.t.path / "secret") << "a secret\n";
  Shell s = b("mkdir -p work; cd work; $W exec --sandbox --json ../r.json $P 1000");
  CHECK(s.status == 9);
  CHECK(s.out == "cudaSuccess\nlast 3996.0, 3000 calls\n");
  CHECK(has(s.err, "natively in a sandbox"));
  CHECK(fs::exists(b.t.path / "r.json"));
  s =
      b("cd work; $W exec --sandbox sh -c 'echo kept >here; cat here; cat ../secret /etc/passwd; echo x "
        ">../new'");
  CHECK(s.out == "kept\n");
  CHECK(has(s.err, "../secret: Permission denied"));
  CHECK(has(s.err, "/etc/passwd: Permission denied"));
  CHECK(!fs::exists(b.t.path / "new"));
  if (run::seccomp_built_in()) {
    s = b("cd work; $W exec --sandbox bash -c ': </dev/tcp/127.0.0.1/9'");
    CHECK(has(s.err, "Operation not permitted"));
  }
  // Host code that goes wrong is found with its line, as without the sandbox.
  s = b("cd work; $W exec --sandbox $P 1000 host");
  CHECK(has(s.err, "exec_sample.cc:"));
  s = b("HOME=$PWD $W exec --sandbox $P 1000");
  CHECK(s.status == 2);
  CHECK(has(s.err, "Change to a folder of the program's own"));
}

TEST_CASE("exec: a kernel past its array is found at its line, and the program sees the error") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  const ExecBench b;
  const Shell s = b("$W exec $P 100 short");
  CHECK(s.status == 5);
  CHECK(s.out == "cudaErrorIllegalAddress\n");
  CHECK(has(s.err, "sample.cu:5"));
  CHECK(has(s.err, "out_of_bounds"));
  CHECK(b("$W exec --error-exitcode 42 $P 100 short").status == 42);
}

TEST_CASE("exec: host code that reads device memory is told so before it dies") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  const ExecBench b;
  const Shell s = b("$W exec $P 100 host");
  CHECK(s.status == 128 + SIGSEGV);
  CHECK(has(s.err, "wrong_space"));
  CHECK(has(s.err, "exec_sample.cc:"));
  CHECK(has(s.err, "if (what == \"host\")"));  // the line itself
  CHECK(has(s.err, "host code reads a + 4, which is device memory"));
  CHECK(has(s.err, "a was allocated here"));
  CHECK(has(s.err, "cudaMemcpy"));
}

TEST_CASE("exec: what is not there says its name once; a second free is found") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  const ExecBench b;
  const Shell s = b("$W exec $P 100 missing");
  CHECK(s.status == 9);
  const size_t first = s.err.find("cudaIpcGetMemHandle is not supported");
  REQUIRE(first != std::string::npos);
  CHECK(s.err.find("cudaIpcGetMemHandle", first + 1) == std::string::npos);
  const Shell twice = b("$W exec $P 100 twice");
  CHECK(twice.status == 9);
  CHECK(has(twice.err, "use_after_free"));
}

TEST_CASE("exec: a captured graph runs each time it is launched") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  const ExecBench b;
  const Shell s = b("$W exec $P 1000 graph");
  CHECK(s.status == 9);
  CHECK(s.out == "cudaSuccess\nlast 3996.0, 3000 calls\n");
  CHECK_FALSE(has(s.err, "host_error"));
}

TEST_CASE("exec: a graph of kernel and host nodes is cloned, updated and launched") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  const ExecBench b;
  const Shell s = b("$W exec $P 1000 nodes");
  CHECK(s.status == 9);
  CHECK(s.out == "cudaSuccess\nlast 3996.0, 3000 calls\n");
  CHECK_FALSE(has(s.err, "not supported"));
}

TEST_CASE("exec: launches passed over run, and are not in the table") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  const ExecBench b;
  const Shell s = b("$W exec --skip 1 --count 1 --json r.json $P 100");
  CHECK(s.out == "cudaSuccess\nlast 396.0, 300 calls\n");
  CHECK(has(s.err, "1 launch on simt:h100, 2 passed over"));
  CHECK(nlohmann::json::parse(read_or_empty(b.t.path / "r.json"))["runs"][0]["launches"].size() == 1);
  CHECK(has(b("$W exec --only other $P 100").err, "0 launches on simt:h100, 3 passed over"));
}

TEST_CASE("exec: what can't run is told in one line") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  const ExecBench b;
  const Shell none = b("$W exec ./none");
  CHECK(none.status == 2);
  CHECK(has(none.err, "cannot run ./none: No such file"));
  CHECK(has(b("$W exec .").err, "cannot run .: it is a folder"));
  CHECK(has(b("$W exec /none").err, "cannot run /none: No such file"));
  CHECK(has(b("touch none.cu; $W exec ./none.cu").err, "run it with `warpdojo play`"));
  CHECK(has(b("$W exec").err, "name the program to run"));
  CHECK(has(b("$W exec --device cuda:0 $P").err, "SIMT machine only"));
  CHECK(has(b("$W exec --device simt:none $P").err, "simt:none"));
  const Shell plain = b("$W exec /bin/echo hello");
  CHECK(plain.out == "hello\n");
  CHECK(has(plain.err, "-cudart shared"));
  CHECK(b("$W exec --build 'exit 4' $P").status == 3);
}

TEST_CASE("exec: a program of nvcc; names of variables and lines of host code") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__managed__ int total = 1;
__constant__ float factor[2];
__global__ void scale(float* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  d[i] *= factor[0];
  if (i == 0) printf("total %d\n", total++);
}
int main(int argc, char**) {
  float* d_data;
  const int n = argc > 1 ? 100 : 128;
  cudaMalloc(&d_data, n * sizeof(float));
  cudaMemset(d_data, 0, n * sizeof(float));
  const float two = 2;
  cudaMemcpyToSymbol(factor, &two, sizeof two);
  scale<<<1, 128>>>(d_data, n);
  const cudaError_t e = cudaDeviceSynchronize();
  printf("%s, total %d\n", cudaGetErrorString(e), total);
  cudaFree(d_data);
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.status == 0);
  CHECK(s.out == "total 1\nno error, total 2\n");
  const Shell bad = b("$W exec ./p x");
  CHECK(has(bad.err, "p.cu:6"));
  CHECK(has(bad.err, "reads d[100]; d is the host's d_data and has 100 elements."));
  CHECK(has(bad.err, "p.cu:12"));  // where it was allocated
  // Compressed PTX of both kinds, and code of nvcc's own choice.
  for (const char* mode : {"size", "speed"}) {
    const Shell c = b(std::string("$N -cudart shared --compress-mode=") + mode + " -o c p.cu && $W exec ./c");
    CHECK(has(c.out, "no error, total 2"));
  }
}

TEST_CASE("exec: an allocation has its own line, also behind the toolkit's cudaMalloc of a typed pointer") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void fill(float* data, int n) {
  data[threadIdx.x + n] = 1;
}

static float* make(int count) {
  float* made = nullptr;
  cudaMalloc(&made, count * sizeof(float));
  return made;
}

int main() {
  fill<<<1, 32>>>(make(10), 5);
  cudaDeviceSynchronize();
}
)cu");
  for (const char* level : {"-O0", "-O2"}) {
    const Shell s = b(std::string("$W exec --build \"$N ") + level + " -o p p.cu\" ./p");
    CHECK(has(s.err, "data is the host's made and has 10 elements"));
    CHECK(has(s.err, "p.cu:8: allocated here"));
  }
}

TEST_CASE("exec: a program that is wrong nearly everywhere still runs to its end") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__device__ unsigned done;
__global__ void k(float* out) {
  __shared__ float s[64];
  for (int i = 0; i < 8; ++i) out[threadIdx.x] = s[(threadIdx.x + i) % 64];
  if (threadIdx.x == 0) atomicAdd(&done, 1);
}
int main() {
  float* out;
  cudaMalloc(&out, 256);
  k<<<2000, 64>>>(out);
  unsigned n = 0;
  cudaMemcpyFromSymbol(&n, done, 4);
  printf("%u %s\n", n, cudaGetErrorName(cudaGetLastError()));
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.out == "2000 cudaSuccess\n");
  CHECK(has(s.err, "uninitialized"));
}

TEST_CASE("exec: thrust") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <cstdio>
int main() {
  thrust::device_vector<int> v(10000);
  thrust::sequence(v.begin(), v.end());
  std::printf("%ld\n", thrust::reduce(v.begin(), v.end(), 0L));
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.status == 0);
  CHECK(s.out == "49995000\n");
  CHECK(has(s.err, "DeviceReduce"));
}

TEST_CASE("exec: several files, compiled apart or to relocatable code") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("a.cu", R"cu(#include <cstdio>
template <class T> __global__ void twice(T* p) { p[threadIdx.x] *= 2; }
static __device__ int mark = 3;
void other(float* p);
int main() {
  float* p;
  cudaMallocManaged(&p, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i) p[i] = i;
  twice<<<1, 64>>>(p);
  other(p);
  twice<<<1, 64>>>(p);
  cudaDeviceSynchronize();
  int m = 0;
  cudaMemcpyFromSymbol(&m, mark, sizeof m);
  printf("%g %d\n", p[63], m);
}
)cu");
  b.t.write("b.cu", R"cu(template <class T> __global__ void twice(T* p) { p[threadIdx.x] *= 2; }
static __device__ int mark = 4;
__global__ void plus(float* p) { p[threadIdx.x] += mark; }
void other(float* p) {
  plus<<<1, 64>>>(p);
  twice<<<1, 64>>>(p);
}
)cu");
  for (const char* how : {"", "-rdc=true"}) {
    const Shell s = b(std::string("$W exec --build \"$N ") + how + " -o m a.cu b.cu\" ./m");
    CHECK(s.out == "520 3\n");  // ((63 * 2) + 4) * 2 * 2
  }
}

TEST_CASE(
    "exec: the width of banks can be set and asked for; the device may use every pool, and no other has it") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void k() {}
int main() {
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  int codes = cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  codes += cudaFuncSetSharedMemConfig(k, cudaSharedMemBankSizeEightByte);
  codes += cudaDeviceGetSharedMemConfig(&banks);
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMemAccessDesc access{};
  access.location = {cudaMemLocationTypeDevice, 0};
  access.flags = cudaMemAccessFlagsProtReadWrite;
  codes += cudaMemPoolSetAccess(pool, &access, 1);
  access.location.id = 1;
  const bool refused = cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidDevice;
  cudaMemAccessFlags own, other;
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  codes += cudaMemPoolGetAccess(&own, pool, &here);
  codes += cudaMemPoolGetAccess(&other, pool, &access.location);
  printf("%d %d %d %d %d\n", codes, banks == cudaSharedMemBankSizeFourByte, refused, own, other);
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.out == "0 1 1 3 0\n");
  CHECK(!has(s.err, "not supported"));
}

TEST_CASE(
    "exec --memory: a program has 12 GiB unless more is asked for, and is told where they are used up") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
#include <cstdlib>
int main(int, char** arguments) {
  void* p = nullptr;
  printf("%s", cudaGetErrorName(cudaMalloc(&p, size_t(atoi(arguments[1])) << 30)));
}
)cu");
  const Shell usual = b(build_and_run + " 20");
  CHECK(usual.out == "cudaErrorMemoryAllocation");
  CHECK(has(usual.err, "an allocation of 20.0 GiB failed: 12.0 of 12 GiB are free; exec --memory N gives"));
  const Shell more = b("$W exec --memory 24 ./p 20");
  CHECK(more.out == "cudaSuccess");
  CHECK(!has(more.err, "allocation"));
  const Shell all = b("$W exec --memory 100 ./p 81");
  CHECK(all.out == "cudaErrorMemoryAllocation");
  CHECK(has(all.err, "80.0 of 80 GiB are free, which is the device's memory"));
}
