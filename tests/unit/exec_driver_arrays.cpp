// `exec`: arrays, texture objects and captured graphs of the driver API.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: arrays, textures and captured graphs of the driver API") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("k.cu", R"cu(#include <cuda_runtime.h>
extern "C" __global__ void sample(cudaTextureObject_t tex, float* out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = tex2D<float>(tex, x + 0.5f, y + 0.5f);
}
)cu");
  b.t.write("p.cpp", R"cu(#include <cuda.h>

#include <cstdio>
#define TRY(call) if (CUresult r = call) { printf("%s: %d\n", #call, r); return 1; }
constexpr unsigned width = 6, height = 4;
float read(CUfunction sample, CUarray array, CUdeviceptr out, unsigned flags, unsigned at) {
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  for (auto& mode : how.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  how.flags = flags;
  CUtexObject tex;
  TRY(cuTexObjectCreate(&tex, &resource, &how, nullptr));
  int row = width;
  void* arguments[] = {&tex, &out, &row};
  TRY(cuLaunchKernel(sample, height, 1, 1, width, 1, 1, 0, nullptr, arguments, nullptr));
  float results[width * height];
  TRY(cuMemcpyDtoH(results, out, sizeof results));
  TRY(cuTexObjectDestroy(tex));
  return results[at];
}
int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction sample;
  TRY(cuInit(0));
  TRY(cuDeviceGet(&device, 0));
  TRY(cuDevicePrimaryCtxRetain(&context, device));
  TRY(cuCtxSetCurrent(context));
  TRY(cuModuleLoad(&module, "k.ptx"));
  TRY(cuModuleGetFunction(&sample, module, "sample"));
  CUdeviceptr out;
  TRY(cuMemAlloc(&out, width * height * sizeof(float)));

  float texels[height][width];
  for (unsigned i = 0; i < width * height; ++i) texels[i / width][i % width] = float(i);
  CUDA_ARRAY_DESCRIPTOR d = {width, height, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  TRY(cuArrayCreate(&array, &d));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = texels, copy.srcPitch = sizeof texels[0];
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
  copy.WidthInBytes = sizeof texels[0], copy.Height = height;
  TRY(cuMemcpy2D(&copy));
  printf("floats: %g\n", read(sample, array, out, 0, 2 * width + 3));
  // A part of a row back, from the second texel on.
  float part[2] = {};
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_ARRAY, back.srcArray = array, back.srcXInBytes = 4, back.srcY = 3;
  back.dstMemoryType = CU_MEMORYTYPE_HOST, back.dstHost = part;
  back.WidthInBytes = sizeof part, back.Height = 1;
  TRY(cuMemcpy2D(&back));
  printf("back: %g %g\n", part[0], part[1]);

  unsigned char bytes[width] = {0, 51, 102, 153, 204, 255};
  CUDA_ARRAY3D_DESCRIPTOR small = {width, 1, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0}, told = {};
  CUarray narrow;
  TRY(cuArray3DCreate(&narrow, &small));
  TRY(cuMemcpyHtoA(narrow, 0, bytes, sizeof bytes));
  TRY(cuArray3DGetDescriptor(&told, narrow));
  printf("bytes as floats: %g; %zu x %zu, %d bits\n", read(sample, narrow, out, 0, 2), told.Width,
         told.Height, told.Format == CU_AD_FORMAT_UNSIGNED_INT8 ? 8 : 0);
  small.Format = CU_AD_FORMAT_BC1_UNORM;
  printf("another format: %d\n", cuArray3DCreate(&narrow, &small));

  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  unsigned counts[3] = {7, 8, 9};
  TRY(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  TRY(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  TRY(cuMemsetD8Async(out, 0, 2 * sizeof(unsigned), stream));
  TRY(cuStreamEndCapture(stream, &graph));
  TRY(cuGraphInstantiate(&exec, graph, 0));
  TRY(cuMemcpyHtoD(out, counts, sizeof counts));
  TRY(cuGraphLaunch(exec, stream));
  TRY(cuStreamSynchronize(stream));
  TRY(cuMemcpyDtoH(counts, out, sizeof counts));
  printf("graph: %u %u %u\n", counts[0], counts[1], counts[2]);
  TRY(cuGraphExecDestroy(exec));
  TRY(cuGraphDestroy(graph));
  TRY(cuArrayDestroy(array));
  printf("freed: %d\n", cuArrayDestroy(array) != CUDA_SUCCESS);
}
)cu");
  const Shell s =
      b("$N -ptx -arch=compute_75 k.cu && $N -cudart none -o p p.cpp -lcuda && $W exec --no-time ./p");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out ==
        "floats: 15\nback: 19 20\nbytes as floats: 0.4; 6 x 1, 8 bits\nanother format: 801\n"
        "graph: 0 0 9\nfreed: 1\n");
  CHECK(has(s.err, "use_after_free"));
}
