// What a GPU's texture units do with mipmapped arrays and seamless cube maps in the details that no document states:
// how a level of detail is rounded, where the nearest level changes, how two levels are mixed, the corners of cubes.
//   nvcc -arch=native -o mipmaps mipmaps.cu && ./mipmaps > mipmaps.txt
// Each line is a number and a float's 32 bits. `test_unit -tc="textures: mipmaps*"` compares what the machine gives.
#include <cstdio>
#include <vector>

constexpr int width = 8, levels = 4;

__global__ void by_level(cudaTextureObject_t tex, const float* level, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex2DLod<float>(tex, 0.4f, 0.7f, level[i]);
}
__global__ void by_gradient(cudaTextureObject_t tex, const float4* d, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = tex2DGrad<float>(tex, 0.4f, 0.7f, make_float2(d[i].x, d[i].y), make_float2(d[i].z, d[i].w));
}
__global__ void plain(cudaTextureObject_t tex, const float* x, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex2D<float>(tex, x[i], 0.7f);
}
__global__ void on_cube(cudaTextureObject_t tex, const float3* to, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = texCubemap<float>(tex, to[i].x, to[i].y, to[i].z);
}

template <class T, class Kernel>
void show(const char* name, Kernel kernel, cudaTextureObject_t tex, const std::vector<T>& in) {
  const int n = int(in.size());
  T* given;
  float* out;
  cudaMalloc(&given, n * sizeof(T));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(given, in.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  kernel<<<1, 128>>>(tex, given, out, n);
  std::vector<unsigned> host(n);
  cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("[%s] %s\n", name, cudaGetErrorName(cudaGetLastError()));
  for (int i = 0; i < n; ++i) printf("%d: %08x\n", i, host[i]);
  cudaFree(given);
  cudaFree(out);
}

cudaTextureDesc description(cudaTextureFilterMode texels, cudaTextureFilterMode mips) {
  cudaTextureDesc d = {};
  d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
  d.normalizedCoords = 1;
  d.filterMode = texels;
  d.mipmapFilterMode = mips;
  d.maxMipmapLevelClamp = levels - 1;
  return d;
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t all;
  cudaMallocMipmappedArray(&all, &format, make_cudaExtent(width, width, 0), levels);
  for (int k = 0; k < levels; ++k) {
    const int n = width >> k;
    std::vector<float> texels(n * n);
    for (int i = 0; i < n * n; ++i) texels[i] = float(1000 * k * k) + float(i) * 1.37f;
    cudaArray_t level;
    cudaGetMipmappedArrayLevel(&level, all, k);
    cudaMemcpy2DToArray(level, 0, 0, texels.data(), n * sizeof(float), n * sizeof(float), n, cudaMemcpyHostToDevice);
  }
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = all;
  std::vector<float> fine, places;
  for (int i = -8; i <= 256; ++i) fine.push_back(float(i) / 64);
  for (int i = 0; i < 64; ++i) fine.push_back(1 + float(i) / 1024);
  for (int i = 0; i < 32; ++i) places.push_back(float(i) / 31);
  std::vector<float4> gradients;
  for (int i = 0; i < 48; ++i) {
    const float a = 0.05f * float(i + 1) / width, b = 0.03f * float(47 - i) / width;
    gradients.push_back({a, b, b / 2, a / 3});
    gradients.push_back({8 * a, 0, 0, 8 * b});
  }
  for (int texels = 0; texels < 2; ++texels)
    for (int mips = 0; mips < 2; ++mips) {
      const cudaTextureDesc d = description(cudaTextureFilterMode(texels), cudaTextureFilterMode(mips));
      cudaTextureObject_t tex = 0;
      cudaCreateTextureObject(&tex, &r, &d, nullptr);
      char name[64];
      snprintf(name, sizeof name, "level, texels %d, levels %d", texels, mips);
      show(name, by_level, tex, fine);
      snprintf(name, sizeof name, "gradient, texels %d, levels %d", texels, mips);
      show(name, by_gradient, tex, gradients);
      cudaDestroyTextureObject(tex);
    }
  cudaTextureDesc d = description(cudaFilterModeLinear, cudaFilterModeLinear);
  d.mipmapLevelBias = 0.8f;
  d.minMipmapLevelClamp = 0.3f;
  d.maxMipmapLevelClamp = 2.6f;
  cudaTextureObject_t tex = 0;
  cudaCreateTextureObject(&tex, &r, &d, nullptr);
  show("bias and clamps", by_level, tex, fine);
  show("plain fetch with bias and clamps", plain, tex, places);
  cudaDestroyTextureObject(tex);
  cudaFreeMipmappedArray(all);

  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 6), cudaArrayCubemap);
  std::vector<float> texels;
  for (int i = 0; i < 96; ++i) texels.push_back(float(i * i % 97));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(texels.data(), 4 * sizeof(float), 4, 4);
  p.dstArray = array;
  p.extent = make_cudaExtent(4, 4, 6);
  p.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&p);
  r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  d = description(cudaFilterModeLinear, cudaFilterModePoint);
  d.seamlessCubemap = 1;
  cudaCreateTextureObject(&tex, &r, &d, nullptr);
  std::vector<float3> to;  // across edges and into all eight corners
  for (int i = 0; i < 8; ++i)
    for (float a : {0.8f, 0.93f, 1.0f})
      for (float b : {0.3f, 0.85f, 0.97f, 1.0f})
        to.push_back({i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? 0.99f : -0.99f});
  show("seamless cube", on_cube, tex, to);
  cudaDestroyTextureObject(tex);
  cudaFreeArray(array);
}
