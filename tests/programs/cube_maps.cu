// Cube maps: a direction picks a face, and the place on it. Expected values are an H100's (driver 580,
// CUDA 13.0, 2026-11-27).
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int width = 4, faces = 6, cubes = 2;

__global__ void read_cube(cudaTextureObject_t tex, const float3* directions, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = texCubemap<float>(tex, directions[i].x, directions[i].y, directions[i].z);
}

__global__ void read_layers(cudaTextureObject_t tex, const float3* directions, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float3 d = i < n ? directions[i] : float3();
  if (i < n) out[i] = texCubemapLayered<float>(tex, d.x, d.y, d.z, i % 3);
}

cudaArray_t make_cubes(int layers, unsigned flags) {
  // Texel (x, y) of face f of cube c is 1000 c + 100 f + 10 y + x.
  std::vector<float> texels;
  for (int slice = 0; slice < faces * layers; ++slice)
    for (int y = 0; y < width; ++y)
      for (int x = 0; x < width; ++x)
        texels.push_back(float(slice / faces * 1000 + slice % faces * 100 + y * 10 + x));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMalloc3DArray(&array, &format, make_cudaExtent(width, width, faces * layers), flags);
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float), width, width);
  p.dstArray = array;
  p.extent = make_cudaExtent(width, width, faces * layers);
  p.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&p);
  return array;
}

cudaTextureObject_t make_texture(cudaArray_t array, cudaTextureFilterMode filter) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc d = {};
  d.filterMode = filter;
  d.normalizedCoords = 1;
  cudaTextureObject_t tex = 0;
  cudaCreateTextureObject(&tex, &r, &d, nullptr);
  return tex;
}

// The place (u, v) on a face, from -1 to 1, as a direction.
float3 direction(int face, float u, float v) {
  switch (face) {
    case 0: return {1, -v, -u};
    case 1: return {-1, -v, u};
    case 2: return {u, 1, v};
    case 3: return {u, -1, -v};
    case 4: return {u, -v, 1};
    default: return {-u, -v, -1};
  }
}

void show(const char* what, bool layers, cudaTextureObject_t tex, const std::vector<float3>& at) {
  const int n = int(at.size());
  float3* directions = nullptr;
  float* out = nullptr;
  cudaMalloc(&directions, n * sizeof(float3));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(directions, at.data(), n * sizeof(float3), cudaMemcpyHostToDevice);
  const int blocks = (n + 63) / 64;
  if (layers)
    read_layers<<<blocks, 64>>>(tex, directions, out, n);
  else
    read_cube<<<blocks, 64>>>(tex, directions, out, n);
  std::vector<float> results(n);
  cudaMemcpy(results.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%s:", what);
  for (int i = 0; i < n; ++i) printf("%s%.4f", i % 12 ? " " : "\n", results[i]);
  printf("\n");
  cudaFree(directions);
  cudaFree(out);
}

int main() {
  cudaArray_t one = make_cubes(1, cudaArrayCubemap);
  cudaArray_t two = make_cubes(cubes, cudaArrayCubemap | cudaArrayLayered);
  std::vector<float3> centres, inside, edges;
  for (int face = 0; face < faces; ++face) {
    for (int i = 0; i < width * width; i += 3) {
      const float x = i % width + 0.5f, y = i / width + 0.5f;
      centres.push_back(direction(face, x / width * 2 - 1, y / width * 2 - 1));
    }
    for (int i = 0; i < 5; ++i)
      inside.push_back(direction(face, i * 0.25f - 0.6f, 0.45f - i * 0.2f));
    for (float u : {-1.0f, -0.9f, 0.85f, 1.0f}) edges.push_back(direction(face, u, 0.3f));
    edges.push_back(direction(face, 0.95f, -0.97f));
  }
  const std::vector<float3> corners = {{1, 1, 1},  {-1, 1, 1}, {1, -1, 1},  {2, 2, 1},
                                       {-2, 1, 2}, {1, 3, 3},  {0, 0, -5}, {0.1f, -7, 0.2f}};
  const cudaTextureObject_t nearest = make_texture(one, cudaFilterModePoint);
  const cudaTextureObject_t linear = make_texture(one, cudaFilterModeLinear);
  const cudaTextureObject_t layered = make_texture(two, cudaFilterModePoint);
  show("nearest", false, nearest, centres);
  show("corners", false, nearest, corners);
  show("linear", false, linear, inside);
  show("layers", true, layered, centres);
  show("edges", false, linear, edges);
  cudaExtent extent;
  unsigned flags = 0;
  cudaArrayGetInfo(nullptr, &extent, &flags, two);
  printf("%zu %zu %zu, flags %u\n", extent.width, extent.height, extent.depth, flags);
  for (cudaTextureObject_t t : {nearest, linear, layered}) cudaDestroyTextureObject(t);
  cudaFreeArray(one);
  cudaFreeArray(two);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
