// Mipmapped arrays in whole programs: levels, their extents, and what is said of wrong calls. (What is
// sampled: tests/programs/mipmaps.cu.)
#include <doctest/doctest.h>

#include "host_play.hpp"

using namespace dojo;
using host_test::play;

namespace {

std::string said_of(const host_test::Played& p) {
  std::string all;
  for (const Diagnostic& d : p.findings) all += to_string(d.kind) + (": " + d.message + "\n");
  return all;
}

/// A mipmapped array `all` of the given extents and levels; `body` follows.
host_test::Played with_mipmap(const std::string& extent, int levels, const std::string& body) {
  return play(R"(
#include <cstdio>
__global__ void look(cudaTextureObject_t t, float* o) { *o = tex2DLod<float>(t, 0.5f, 0.5f, 1); }
int main() {
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t all;
  int e = cudaMallocMipmappedArray(&all, &f, make_cudaExtent()" +
              extent + "), " + std::to_string(levels) + R"();
  if (e) printf("%d ", e);
  cudaArray_t a = nullptr;
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = all;
  cudaTextureDesc d = {};
  d.normalizedCoords = 1;
  d.maxMipmapLevelClamp = 3;
  cudaTextureObject_t t = 0;
)" + body + R"(
  cudaFreeMipmappedArray(all);
})");
}

}  // namespace

TEST_CASE(
    "mipmaps: each level has half the extents of the one before it, at least 1; no more than end there") {
  const auto run = with_mipmap("12, 5, 0", 9, R"(
  for (unsigned k = 0; !cudaGetMipmappedArrayLevel(&a, all, k); ++k) {
    cudaExtent e;
    cudaArrayGetInfo(nullptr, &e, nullptr, a);
    printf("%dx%d ", int(e.width), int(e.height));
  })");
  CHECK(run.printed == "12x5 6x2 3x1 1x1 ");
  CHECK(said_of(run) ==
        "host_error: cudaGetMipmappedArrayLevel: there is no level 4: the array has 4, counted from 0\n");
}

TEST_CASE("mipmaps: layers are as many on every level, depth is halved") {
  const std::string depths = R"(
  for (unsigned k = 0; k < 3; ++k) {
    cudaExtent e;
    cudaGetMipmappedArrayLevel(&a, all, k);
    cudaArrayGetInfo(nullptr, &e, nullptr, a);
    printf("%d ", int(e.depth));
  })";
  CHECK(with_mipmap("8, 8, 8", 3, depths).printed == "8 4 2 ");
  CHECK(play(R"(
#include <cstdio>
int main() {
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t all;
  cudaArray_t a;
  cudaMallocMipmappedArray(&all, &f, make_cudaExtent(8, 8, 5), 2, cudaArrayLayered);
  for (unsigned k = 0; k < 2; ++k) {
    cudaExtent e;
    cudaGetMipmappedArrayLevel(&a, all, k);
    cudaArrayGetInfo(nullptr, &e, nullptr, a);
    printf("%d ", int(e.depth));
  }
  cudaFreeMipmappedArray(all);
})")
            .printed == "5 5 ");
}

TEST_CASE("mipmaps: wrong calls fail and say what to change") {
  auto run = with_mipmap("8, 8, 0", 2, R"(
  d.normalizedCoords = 0;
  printf("%d ", cudaCreateTextureObject(&t, &r, &d, nullptr));
  d.normalizedCoords = 1, d.maxAnisotropy = 4;
  printf("%d ", cudaCreateTextureObject(&t, &r, &d, nullptr));
  cudaGetMipmappedArrayLevel(&a, all, 0);
  printf("%d ", cudaFreeArray(a));
  r.res.mipmap.mipmap = nullptr, d.maxAnisotropy = 0;
  printf("%d ", cudaCreateTextureObject(&t, &r, &d, nullptr));)");
  CHECK(run.printed == "1 801 1 400 ");
  CHECK(said_of(run).find("a mipmapped texture needs normalizedCoords = 1") != std::string::npos);
  CHECK(said_of(run).find("anisotropic filters do not exist here") != std::string::npos);
  CHECK(said_of(run).find("freed with it: cudaFreeMipmappedArray") != std::string::npos);
  CHECK(said_of(run).find("is no mipmapped array") != std::string::npos);
}

TEST_CASE("mipmaps: a level that nothing wrote is a finding, and a destroyed texture is named") {
  const std::string body = R"(
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  float* o;
  cudaMalloc(&o, 4);
  )";
  auto run = with_mipmap("8, 8, 0", 4, body + R"(
  look<<<1, 1>>>(t, o);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(t);
  cudaFree(o);)");
  CHECK_FALSE(run.stopped);
  CHECK(said_of(run).find("uninitialized: ") != std::string::npos);
  run = with_mipmap("8, 8, 0", 4, body + "cudaDestroyTextureObject(t); look<<<1, 1>>>(t, o); cudaFree(o);");
  CHECK(run.stopped);
  CHECK(said_of(run).find("use_after_free: ") != std::string::npos);
}
