// `exec`: memory of the driver API that is mapped into reserved addresses, and its linker.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: memory mapped in two parts into reserved addresses, and a kernel from the linker") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("k.cu", R"cu(extern "C" __global__ void fill(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
)cu");
  b.t.write("p.cpp", R"cu(#include <cuda.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#define TRY(call) if (CUresult r = call) { printf("%s: %d\n", #call, r); return 1; }
int main() {
  CUdevice device;
  CUcontext context;
  TRY(cuInit(0));
  TRY(cuDeviceGet(&device, 0));
  TRY(cuDevicePrimaryCtxRetain(&context, device));
  TRY(cuCtxSetCurrent(context));
  int supported = 0;
  TRY(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
  size_t part = 0;
  TRY(cuMemGetAllocationGranularity(&part, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr at;
  TRY(cuMemAddressReserve(&at, 2 * part, 0, 0, 0));
  for (int i = 0; i < 2; ++i) {
    CUmemGenericAllocationHandle memory;
    TRY(cuMemCreate(&memory, part, &properties, 0));
    TRY(cuMemMap(at + i * part, part, 0, memory, 0));
    if (i == 1) printf("beyond: %d\n", cuMemMap(at + 2 * part, part, 0, memory, 0));
    TRY(cuMemRelease(memory));
  }
  CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  TRY(cuMemSetAccess(at, 2 * part, &access, 1));

  std::ifstream file("k.ptx");
  std::string ptx{std::istreambuf_iterator<char>(file), {}};
  CUlinkState link;
  void* image;
  size_t bytes;
  CUmodule module;
  CUfunction fill;
  TRY(cuLinkCreate(0, nullptr, nullptr, &link));
  TRY(cuLinkAddData(link, CU_JIT_INPUT_PTX, ptx.data(), ptx.size() + 1, "k", 0, nullptr, nullptr));
  TRY(cuLinkComplete(link, &image, &bytes));
  TRY(cuModuleLoadData(&module, image));
  TRY(cuModuleGetFunction(&fill, module, "fill"));
  TRY(cuLinkDestroy(link));
  int n = int(2 * part / sizeof(int)), last = 0;
  void* arguments[] = {&at, &n};
  TRY(cuLaunchKernel(fill, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  TRY(cuMemcpyDtoH(&last, at + 2 * part - sizeof last, sizeof last));
  printf("supported: %d, last: %d\n", supported, last);
  TRY(cuMemUnmap(at, 2 * part));
  TRY(cuMemAddressFree(at, 2 * part));
  printf("twice: %d\n", cuMemAddressFree(at, 2 * part));
}
)cu");
  const Shell s =
      b("$N -ptx -arch=compute_75 k.cu && $N -cudart none -o p p.cpp -lcuda && $W exec --no-time ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "beyond: 1\nsupported: 1, last: 1048575\ntwice: 1\n");
}

TEST_CASE("exec: calls of the driver API that its header no longer has are found by name") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
#include <dlfcn.h>
int main() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  const auto find = [&](const char* name) { return reinterpret_cast<int (*)(...)>(dlsym(driver, name)); };
  for (const char* name : {"cuDeviceGetProperties", "cuParamSetv", "cuLaunchGrid", "cuTexRefSetArray",
                           "cuMemAlloc", "cuMemcpyHtoD", "cuIpcOpenMemHandle"})
    if (!find(name)) printf("no %s\n", name);
  void *context = nullptr, *popped = nullptr, *stream = nullptr;
  int device = 0;
  find("cuInit")(0);
  find("cuDeviceGet")(&device, 0);
  printf("%d", find("cuDevicePrimaryCtxRetain")(&context, device));
  printf(" %d", find("cuCtxPushCurrent")(context));
  printf(" %d", find("cuStreamCreate")(&stream, 0));
  printf(" %d", find("cuStreamDestroy")(stream));
  printf(" %d", find("cuCtxPopCurrent")(&popped));
  printf(" %d\n", popped == context);
  printf("%d\n", find("cuLaunchGrid")(nullptr, 1, 1));
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.out == "0 0 0 0 0 1\n801\n");
  CHECK(has(s.err, "cuLaunchGrid is not supported yet and returns CUDA_ERROR_NOT_SUPPORTED"));
}

TEST_CASE("exec: the driver API fills memory with elements of 1, 2 and 4 bytes, in rows too") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cuda.h>
#include <cstdio>
int main() {
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CUdeviceptr p;
  unsigned short out[16];
  cuInit(0), cuDeviceGet(&device, 0), cuCtxCreate(&context, nullptr, 0, device);
  cuStreamCreate(&stream, 0);
  cuMemAlloc(&p, sizeof out);
  printf("%d", cuMemsetD16(p, 0xabcd, 16));
  printf(" %d", cuMemsetD32Async(p + 4, 0x11223344, 2, stream));
  printf(" %d", cuMemsetD2D16(p + 16, 8, 0x5678, 2, 2));   // two of four elements of two rows
  printf(" %d\n", cuMemsetD2D8Async(p + 20, 8, 0x7f, 1, 2, stream));
  cuStreamSynchronize(stream);
  cuMemcpyDtoH(out, p, sizeof out);
  for (unsigned v : out) printf("%04x ", v);
  printf("\n%d", cuMemsetD32(p + 2, 0, 1));               // not aligned
  printf(" %d", cuMemsetD2D32(p, 4, 0, 2, 2));              // rows that overlap
  printf(" %d", cuMemsetD32(p, 0, (size_t(1) << 62) + 1));  // its bytes are no number of 64 bits
  printf(" %d\n", cuMemsetD32(p, 0, size_t(1) << 60));
}
)cu");
  const Shell s = b("$N -cudart none -o p p.cpp -lcuda && $W exec ./p");
  CHECK(s.out ==
        "0 0 0 0\nabcd abcd 3344 1122 3344 1122 abcd abcd 5678 5678 ab7f abcd 5678 5678 ab7f abcd \n"
        "1 1 1 1\n");
}
