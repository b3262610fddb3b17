// Arrays, textures and surfaces in whole programs: what they print, and what is said of wrong ones.
#include <doctest/doctest.h>

#include "host_play.hpp"

using namespace dojo;
using host_test::play;

namespace {

/// A program around the body of main, with helpers that make an array and a texture of it.
std::string program(const std::string& kernels, const std::string& body) {
  return R"(#include <cstdio>
cudaArray_t array_of(const float* data, int w, int h, unsigned flags = 0) {
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h, flags);
  if (data) cudaMemcpy2DToArray(pixels, 0, 0, data, w * 4, w * 4, h ? h : 1, cudaMemcpyHostToDevice);
  return pixels;
}
cudaTextureObject_t texture_of(cudaArray_t pixels, cudaTextureFilterMode filter = cudaFilterModePoint) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  sampler.filterMode = filter;
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);
  return image;
}
)" + kernels +
         "\nint main() {\n" + body + "\n}\n";
}

std::string messages(const host_test::Played& p) {
  std::string all;
  for (const Diagnostic& d : p.findings) all += to_string(d.kind) + (": " + d.message + "\n");
  return all;
}

}  // namespace

TEST_CASE("textures: a kernel samples an array, between texels too") {
  const auto run = play(program(
      "__global__ void show(cudaTextureObject_t t) { printf(\"%g %g %g\\n\", tex2D<float>(t, 0.5f, 0.5f), "
      "tex2D<float>(t, 1.0f, 0.5f), tex2D<float>(t, 9.0f, 9.0f)); }",
      "float data[6] = {0, 1, 2, 3, 4, 5}; cudaArray_t a = array_of(data, 3, 2);"
      "cudaTextureObject_t t = texture_of(a, cudaFilterModeLinear); show<<<1, 1>>>(t); "
      "cudaDeviceSynchronize();"
      "cudaDestroyTextureObject(t); cudaFreeArray(a); return 0;"));
  CHECK(run.printed == "0 0.5 5\n");
  CHECK(messages(run) == "");
}

TEST_CASE("surfaces: what a kernel writes comes back by a copy from the array") {
  const auto run = play(program(
      "__global__ void fill(cudaSurfaceObject_t s) { surf2Dwrite(float(threadIdx.x + 10 * threadIdx.y), s, "
      "int(threadIdx.x) * 4, threadIdx.y); }",
      "cudaArray_t a = array_of(nullptr, 3, 2, cudaArraySurfaceLoadStore); cudaResourceDesc r = {};"
      "r.resType = cudaResourceTypeArray; r.res.array.array = a; cudaSurfaceObject_t s;"
      "cudaCreateSurfaceObject(&s, &r); fill<<<1, dim3(3, 2)>>>(s); float out[6];"
      "cudaMemcpy2DFromArray(out, 12, a, 0, 0, 12, 2, cudaMemcpyDeviceToHost);"
      "for (float v : out) printf(\"%g \", v); cudaDestroySurfaceObject(s); cudaFreeArray(a); return 0;"));
  CHECK(run.printed == "0 1 2 10 11 12 ");
  CHECK(messages(run) == "");
}

TEST_CASE("textures: an array that is never freed is a leak, by the name that the program gave it") {
  const auto run = play(program("",
                                "float data[2] = {1, 2}; cudaArray_t lost;"
                                "const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();\n"
                                "cudaMallocArray(&lost, &f, 2, 1); (void)data; return 0;"));
  CHECK(messages(run).find("(lost) were never freed: call cudaFreeArray") != std::string::npos);
}

TEST_CASE("textures: a texture that was destroyed, or that is none, is named at the kernel's line") {
  const std::string kernel =
      "__global__ void use(cudaTextureObject_t t, float* o) { *o = tex2D<float>(t, 0, 0); }";
  const auto gone = play(
      program(kernel,
              "float d[4] = {}; cudaArray_t a = array_of(d, 2, 2); cudaTextureObject_t t = texture_of(a);"
              "float* o; cudaMalloc(&o, 4); cudaDestroyTextureObject(t); use<<<1, 1>>>(t, o);"
              "cudaDeviceSynchronize(); return 0;"));
  CHECK(gone.stopped);
  CHECK(messages(gone).find("use_after_free: Thread 0 calls tex2D on ") != std::string::npos);
  const auto none = play(program(kernel,
                                 "float* o; cudaMalloc(&o, 4); use<<<1, 1>>>(7, o);"
                                 "cudaDeviceSynchronize(); return 0;"));
  CHECK(none.stopped);
  CHECK(messages(none).find("bad_texture: Thread 0 calls tex2D with 0x7, which is no texture object.") !=
        std::string::npos);
}

TEST_CASE("textures: a texel that nothing wrote is a finding") {
  const auto run =
      play(program("__global__ void use(cudaTextureObject_t t, float* o) { *o = tex2D<float>(t, 0, 0); }",
                   "cudaArray_t a = array_of(nullptr, 2, 2); cudaTextureObject_t t = texture_of(a); float* o;"
                   "cudaMalloc(&o, 4); use<<<1, 1>>>(t, o); cudaDeviceSynchronize(); cudaFree(o);"
                   "cudaDestroyTextureObject(t); cudaFreeArray(a); return 0;"));
  CHECK(messages(run).find("uninitialized: ") != std::string::npos);
}

TEST_CASE("textures: calls with descriptions that don't fit fail, and say what to change") {
  const auto run = play(
      program("",
              "float d[8] = {}; cudaArray_t a = array_of(d, 4, 2); float* m; cudaMalloc(&m, 1024);"
              "cudaResourceDesc r = {}; r.resType = cudaResourceTypePitch2D; r.res.pitch2D.devPtr = m;"
              "r.res.pitch2D.desc = cudaCreateChannelDesc<float>(); r.res.pitch2D.width = 5;"
              "r.res.pitch2D.height = 2; r.res.pitch2D.pitchInBytes = 20; cudaTextureDesc s = {};"
              "cudaTextureObject_t t; printf(\"%d \", int(cudaCreateTextureObject(&t, &r, &s, nullptr)));"
              "printf(\"%d \", int(cudaMemcpy2DToArray(a, 0, 0, d, 16, 16, 3, cudaMemcpyHostToDevice)));"
              "cudaFree(m); cudaFreeArray(a); return 0;"));
  CHECK(run.printed == "1 1 ");
  CHECK(messages(run).find("use cudaMallocPitch") != std::string::npos);
  CHECK(messages(run).find("out_of_bounds: cudaMemcpy2DToArray") != std::string::npos);
}

TEST_CASE("arrays: each kind has its own largest extents") {
  const auto run = play(program("", R"(
  cudaArray_t a = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  auto make = [&](size_t w, size_t h, size_t d, unsigned flags) {
    const cudaError_t e = cudaMalloc3DArray(&a, &format, make_cudaExtent(w, h, d), flags);
    if (e == cudaSuccess) cudaFreeArray(a);
    printf("%d", e);
  };
  make(131072, 0, 0, 0), make(131073, 0, 0, 0), make(32769, 0, 0, cudaArraySurfaceLoadStore);
  make(131072, 2, 0, 0), make(131073, 2, 0, 0), make(2, 65536, 0, 0), make(2, 65537, 0, 0);
  make(16384, 2, 2, 0), make(2, 2, 16385, 0), make(2, 0, 2048, cudaArrayLayered);
  make(2, 2, 2049, cudaArrayLayered), make(1 << 20, 1 << 20, 1 << 20, 0);
  return 0;)"));
  CHECK(run.printed == "011010101011");
  CHECK(messages(run).find("131,072 x 65,536 texels") != std::string::npos);
}
