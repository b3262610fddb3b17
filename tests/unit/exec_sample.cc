// A program as nvcc makes it, for tests on machines without nvcc: one kernel in PTX in a fat binary of its
// own, and the calls that generated code makes. It adds two arrays, prints the last sum, and ends with
// status 9.
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int);
}

namespace {

const char ptx[] = R"(
.version 7.5
.target sm_75
.address_size 64
.global .align 4 .u32 calls;
.visible .entry add(.param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .f32 %f<4>;
  .reg .b32 %r<7>;
  .reg .b64 %rd<8>;
  .loc 1 4 3
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra $end;
  .loc 1 5 3
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd5];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd5], %f3;
  .loc 1 6 3
  mov.u64 %rd6, calls;
  red.global.add.u32 [%rd6], 1;
$end:
  ret;
}
.file 1 "sample.cu"
)";

struct Wrapper {
  uint32_t magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  void* unused = nullptr;
};

std::vector<char> fat_binary() {
  std::vector<char> bytes(16 + 64 + sizeof ptx);
  const auto put = [&](size_t at, auto v) { std::memcpy(bytes.data() + at, &v, sizeof v); };
  put(0, uint32_t(0xba55ed50)), put(4, uint16_t(1)), put(6, uint16_t(16)), put(8, uint64_t(64 + sizeof ptx));
  put(16, uint16_t(1)), put(18, uint16_t(0x101)), put(20, uint32_t(64)), put(24, uint64_t(sizeof ptx));
  put(44, uint32_t(75));
  std::memcpy(bytes.data() + 80, ptx, sizeof ptx);
  return bytes;
}

void add_stub() {}
int calls_shadow = 0;

void count(void* calls) { ++*static_cast<int*>(calls); }

/// Launches the clone of a graph of a kernel and a host function three times. Returns how often the latter
/// was called, or -1.
int launch_nodes(const void* kernel, void** args, int n) {
  cudaGraph_t graph = nullptr, clone = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaKernelNodeParams launch{};
  launch.func = const_cast<void*>(kernel);
  launch.gridDim = dim3((n + 63) / 64);
  launch.blockDim = dim3(64);
  launch.kernelParams = args;
  int calls = 0;
  cudaHostNodeParams host{count, &calls};
  cudaGraphNode_t first = nullptr, second = nullptr;
  if (cudaGraphAddKernelNode(&first, graph, nullptr, 0, &launch) != cudaSuccess) return -1;
  if (cudaGraphAddHostNode(&second, graph, &first, 1, &host) != cudaSuccess) return -1;
  if (cudaGraphClone(&clone, graph) != cudaSuccess) return -1;
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphExecUpdateResultInfo info{};
  if (cudaGraphExecUpdate(exec, clone, &info) != cudaSuccess) return -1;
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, nullptr);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(clone);
  cudaGraphDestroy(graph);
  return calls;
}

}  // namespace

/// Arguments: n, and "host" (reads device memory), "short" (arrays of n - 1), "missing" (a call that is not
/// there), "graph" (launches one three times), "nodes" (one that is made node by node) or "twice" (frees
/// twice).
int main(int argc, char** argv) {
  const std::vector<char> data = fat_binary();
  Wrapper wrapper;
  wrapper.data = data.data();
  void** binary = __cudaRegisterFatBinary(&wrapper);
  const char* stub = reinterpret_cast<const char*>(&add_stub);
  __cudaRegisterFunction(binary, stub, nullptr, "add", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterVar(binary, reinterpret_cast<char*>(&calls_shadow), nullptr, "calls", 0, 4, 0, 0);

  const int n = argc > 1 ? std::stoi(argv[1]) : 100;
  const std::string what = argc > 2 ? argv[2] : "";
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = float(i);
  const size_t bytes = (what == "short" ? n - 1 : n) * sizeof(float);
  float *a = nullptr, *b = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&a), bytes);
  cudaMalloc(reinterpret_cast<void**>(&b), bytes);
  cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host.data(), bytes, cudaMemcpyHostToDevice);
  if (what == "host") std::printf("%f\n", static_cast<double>(a[1]));
  if (what == "missing") {
    cudaIpcMemHandle_t handle;
    for (int i = 0; i < 2; ++i)
      if (cudaIpcGetMemHandle(&handle, a) != cudaErrorNotSupported) return 1;
  }
  int count = n;
  void* args[] = {&a, &b, &count};
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  const bool captured = what == "graph";
  if (captured) {
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  }
  if (what == "nodes" && launch_nodes(stub, args, n) != 3) return 3;
  for (int i = 0; i < (what == "nodes" ? 0 : captured ? 1 : 3); ++i)
    cudaLaunchKernel(stub, dim3((n + 63) / 64), dim3(64), args, 0, stream);
  if (captured) {
    cudaGraphExec_t exec = nullptr;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(status));
  if (status != cudaSuccess) return 5;
  int calls = 0;
  cudaMemcpyFromSymbol(&calls, &calls_shadow, sizeof calls, 0, cudaMemcpyDeviceToHost);
  cudaMemcpy(host.data(), b, bytes, cudaMemcpyDeviceToHost);
  std::printf("last %.1f, %d calls\n", static_cast<double>(host[n - 1]), calls);
  cudaFree(a);
  cudaFree(b);
  if (what == "twice") cudaFree(b);
  return 9;
}
