// Sample programs (tests/programs) that `warpdojo exec` runs as `play` does: those whose calls have a face of
// their own in app/exec.
#include <doctest/doctest.h>

#include "core/files/whole_file.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using namespace dojo::exec_test;

TEST_CASE("exec: sample programs print what they print under play") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  for (const char* name : {"graph_conditions", "graph_dot", "graph_nodes", "mipmaps", "pools", "queries"}) {
    CAPTURE(name);
    const fs::path source = source_root() / "tests" / "programs" / (std::string(name) + ".cu");
    b.t.write("p.cu", read_or_empty(source));
    const Shell s = b(build_and_run);
    CHECK(s.status == 0);
    CHECK(s.out == read_or_empty(fs::path(source).replace_extension(".expected")));
    CHECK(s.err.find("not supported") == std::string::npos);
  }
}

TEST_CASE("exec: device code of one file calls functions and uses variables of another") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("shared.h", R"cu(#pragma once
__device__ float scale(float v);
extern __constant__ float table[4];
extern __device__ int calls;
template <class T> __global__ void fill(T* p, T v) { p[threadIdx.x] = v; }
void fill_in_b(int* p);
)cu");
  b.t.write("a.cu", R"cu(#include "shared.h"
#include <cstdio>
__constant__ float table[4] = {1, 2, 4, 8};
__device__ int calls;
static __device__ int mark = 3;
__global__ void apply(float* x) {
  x[threadIdx.x] = scale(x[threadIdx.x]);
  if (threadIdx.x == 0) printf("mark %d\n", mark);
}
int main() {
  float* x;
  int *p, n = 0;
  cudaMallocManaged(&x, 64 * sizeof(float));
  cudaMallocManaged(&p, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) x[i] = i;
  apply<<<1, 64>>>(x);
  fill<<<1, 64>>>(p, 5);
  fill_in_b(p);
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&n, calls, sizeof n);
  printf("%g %d %d %s\n", x[3], p[7], n, cudaGetErrorName(cudaGetLastError()));
}
)cu");
  b.t.write("b.cu", R"cu(#include "shared.h"
static __device__ int mark = 4;
__device__ float scale(float v) {
  atomicAdd(&calls, mark - 3);
  return v * table[int(v) % 4];
}
void fill_in_b(int* p) { fill<<<1, 32>>>(p, 6); }
)cu");
  const Shell s = b("$W exec --build \"$N -rdc=true -o p a.cu b.cu\" ./p");
  CHECK(s.out == "mark 3\n24 6 64 cudaSuccess\n");
  CHECK(s.status == 0);
}

TEST_CASE("exec: a default stream per thread is a stream like others; another process's memory is told") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  // While a stream is captured, the legacy default stream may not be used; a thread's own one may.
  b.t.write("p.cu", R"cu(#include <cstdio>
#include <thread>
__global__ void add(int* x) { x[threadIdx.x] += 1; }
int main() {
  int* x[2];
  std::thread all[2];
  for (int i = 0; i < 2; ++i) {
    cudaMalloc(&x[i], 128);
    all[i] = std::thread([=] {
      cudaMemsetAsync(x[i], 0, 128);
      add<<<1, 32>>>(x[i]);
      cudaStreamSynchronize(0);
    });
  }
  for (std::thread& t : all) t.join();
  int h[2];
  for (int i = 0; i < 2; ++i) cudaMemcpy(&h[i], x[i], sizeof(int), cudaMemcpyDeviceToHost);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  add<<<1, 32>>>(x[0]);  // the legacy stream may not be used now
  const cudaError_t e = cudaGetLastError();
  cudaGraph_t graph;
  cudaStreamEndCapture(s, &graph);
  cudaIpcMemHandle_t handle;
  const cudaError_t ipc = cudaIpcGetMemHandle(&handle, x[0]);
  printf("%d %d %s %s\n", h[0], h[1], cudaGetErrorName(e), cudaGetErrorName(ipc));
}
)cu");
  const Shell own = b("$W exec --build \"$N --default-stream per-thread -o p p.cu\" ./p");
  CHECK(own.out == "1 1 cudaSuccess cudaErrorNotSupported\n");
  CHECK(own.err.find("cudaIpcGetMemHandle is not supported and returns cudaErrorNotSupported") !=
        std::string::npos);
  CHECK(own.err.find("each process has a machine of its own") != std::string::npos);
  const Shell legacy = b("$W exec --build \"$N -o p p.cu\" ./p");
  CHECK(legacy.out == "1 1 cudaErrorStreamCaptureImplicit cudaErrorNotSupported\n");
}

TEST_CASE(
    "exec: that CUB copies the padding of a struct is no finding; a whole word that nothing wrote is one") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  // A tuple of float and long has 4 bytes of padding behind the float.
  b.t.write("p.cu", R"cu(#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <cstdio>
int main(int argc, char**) {
  thrust::device_vector<float> v(100000);
  thrust::sequence(v.begin(), v.end());
  std::printf("%g\n", float(*thrust::max_element(v.begin(), v.end())));
  if (argc < 2) return 0;
  float* p;
  cudaMalloc(&p, 4000);
  std::printf("%d\n", thrust::reduce(thrust::device, p, p + 1000) == 0);
}
)cu");
  const Shell s = b("$W exec --build \"$N -std=c++17 -o p p.cu\" ./p");
  CHECK(s.out == "99999\n");
  CHECK(s.err.find("uninitialized") == std::string::npos);
  CHECK(b("$W exec ./p x").err.find("uninitialized") != std::string::npos);
}

TEST_CASE("exec: a program's end by exit handlers, static destructors and _exit") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <unistd.h>
#include <cstdio>
#include <cstdlib>
__global__ void add(int* p, int v) { p[threadIdx.x] += v; }
int sum(int v) {
  int *d, h[32];
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  add<<<1, 32>>>(d, v);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h[31];
}
int nested(int v) { return sum(v) + 1; }  // launches while a launch's arguments are computed
struct Last {
  ~Last() { printf("destructor %d\n", sum(5)); }
} last;
int main(int argc, char**) {
  int* d;
  cudaMallocManaged(&d, 128);
  for (int i = 0; i < 32; ++i) d[i] = 0;
  add<<<1, 32>>>(d, nested(1));
  cudaDeviceSynchronize();
  printf("main %d\n", d[0]);
  fflush(stdout);
  if (argc > 1) _exit(8);
  atexit([] { printf("exit handler %d\n", sum(4)); });
  return 0;
}
)cu");
  const Shell s = b("$W exec --build \"$N -std=c++17 -o p p.cu\" ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "main 2\nexit handler 4\ndestructor 5\n");
  CHECK(s.err.find("4 launches on simt:h100") != std::string::npos);
  const Shell early = b("$W exec ./p x");
  CHECK(early.status == 8);
  CHECK(early.out == "main 2\n");
  CHECK(early.err.find("it made CUDA calls and then ended by _exit()") != std::string::npos);
}

TEST_CASE("exec: a library of machine code that has no stand-in is named") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  // A library of this name, whatever it holds, in the place of NVIDIA's.
  b.t.write("lib.cpp", "extern \"C\" int ncclGetVersion(int*) { return 0; }\n");
  b.t.write("p.cpp", R"cu(#include <cuda_runtime.h>
extern "C" int ncclGetVersion(int*);
int main() {
  int version = 0;
  cudaFree(nullptr);
  return ncclGetVersion(&version);
}
)cu");
  const Shell s =
      b("g++ -shared -fPIC -Wl,-soname,libnccl.so.2 -o libnccl.so.2 lib.cpp && ln -s libnccl.so.2 libnccl.so "
        "&& "
        "$N -cudart shared -o p p.cpp -L. -lnccl -Xlinker -rpath=$PWD && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.err.find("libnccl.so.2 is loaded. It brings machine code only") != std::string::npos);
}

TEST_CASE("exec: a program that holds the static runtime is told so") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void k(int* p) { *p = 1; }
int main() {
  int* p;
  const cudaError_t e = cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  return e != cudaSuccess;
}
)cu");
  const Shell fixed = b("$N -cudart static -o p p.cu && $W exec --error-exitcode 9 ./p");
  CHECK(fixed.status == 9);
  CHECK(fixed.err.find("p holds the static CUDA runtime") != std::string::npos);
  CHECK(fixed.err.find("-cudart shared") != std::string::npos);
  const Shell shared = b("$N -cudart shared -o p p.cu && $W exec --error-exitcode 9 ./p");
  CHECK(shared.status == 0);
  CHECK(shared.err.find("static") == std::string::npos);
}

TEST_CASE("exec: a program that is stopped while it watches memory is told that its kernel had not run") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <csignal>
#include <cstdio>
__global__ void answer(int* flag) { *flag = 1; }
int main(int argc, char**) {
  int* flag;
  cudaHostAlloc(&flag, 4, cudaHostAllocMapped);
  *flag = 0;
  answer<<<1, 1>>>(flag);
  for (long i = 0; *(volatile int*)flag == 0; ++i) {
    if (argc > 1) cudaStreamQuery(0);
    if (i == 100000) raise(SIGTERM);
  }
  printf("%d\n", *flag);
}
)cu");
  const Shell stopped = b("$W exec --build \"$N -o p p.cu\" ./p");
  CHECK(stopped.status == 128 + 15);
  CHECK(stopped.err.find("1 launch had not run at the program's end") != std::string::npos);
  const Shell asks = b("$W exec ./p x");
  CHECK(asks.out == "1\n");
  CHECK(asks.err.find("had not run") == std::string::npos);
}

TEST_CASE("exec: an instruction that the machine does not run is told with its line") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void k(const float* p, unsigned long long* out) {
  asm volatile("createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %0, [%1], 64, 128;"
               : "=l"(*out) : "l"(p));
}
int main() {
  float* p;
  cudaMalloc(&p, 256);
  k<<<1, 1>>>(p, (unsigned long long*)p);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  const Shell s = b("$W exec --build \"$N -O2 -arch=compute_90 -std=c++17 -o p p.cu\" ./p");
  CHECK(s.out == "cudaErrorLaunchFailure\n");
  CHECK(s.err.find("p.cu:4:") != std::string::npos);
  CHECK(s.err.find("createpolicy.range") != std::string::npos);
}
