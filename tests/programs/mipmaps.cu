// Mipmapped arrays: levels of detail by number and by gradients, nearest and mixed; a cube map that is filtered across
// the edges of its faces. Expected values are the machine's, by the rules of CUDA's programming guide.
#include <cstdio>
#include <vector>

constexpr int width = 8, levels = 4, wanted = 16;

struct Want {
  float x, y, level;
};

__global__ void by_level(cudaTextureObject_t tex, const Want* want, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex2DLod<float>(tex, want[i].x, want[i].y, want[i].level);
}

// A step of `texels` texels of level 0 along x, of half as many along y.
__global__ void by_gradient(cudaTextureObject_t tex, const float* texels, float* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const float step = texels[i] / width;
  out[i] = tex2DGrad<float>(tex, 0.5f, 0.5f, make_float2(step, 0), make_float2(0, step / 2));
}

__global__ void on_cube(cudaTextureObject_t tex, const float3* to, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = texCubemap<float>(tex, to[i].x, to[i].y, to[i].z);
}

cudaMipmappedArray_t make_mipmap() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t all;
  cudaMallocMipmappedArray(&all, &format, make_cudaExtent(width, width, 0), levels);
  for (int k = 0; k < levels; ++k) {
    const int n = width >> k;
    std::vector<float> texels(n * n);
    for (int i = 0; i < n * n; ++i) texels[i] = float(100 * k + i / n * 10 + i % n);
    cudaArray_t level;
    cudaGetMipmappedArrayLevel(&level, all, k);
    cudaMemcpy2DToArray(level, 0, 0, texels.data(), n * sizeof(float), n * sizeof(float), n, cudaMemcpyHostToDevice);
  }
  return all;
}

cudaTextureObject_t make_texture(cudaMipmappedArray_t all, cudaTextureFilterMode texels, cudaTextureFilterMode mips,
                                 float bias = 0, float least = 0, float most = levels - 1) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = all;
  cudaTextureDesc d = {};
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
  d.normalizedCoords = 1;
  d.filterMode = texels;
  d.mipmapFilterMode = mips;
  d.mipmapLevelBias = bias;
  d.minMipmapLevelClamp = least;
  d.maxMipmapLevelClamp = most;
  cudaTextureObject_t tex = 0;
  const cudaError_t e = cudaCreateTextureObject(&tex, &r, &d, nullptr);
  if (e != cudaSuccess) printf("%s\n", cudaGetErrorName(e));
  return tex;
}

template <class T, class Kernel>
void show(const char* name, Kernel kernel, cudaTextureObject_t tex, const std::vector<T>& in) {
  const int n = int(in.size());
  T* given;
  float *out, host[wanted];
  cudaMalloc(&given, n * sizeof(T));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(given, in.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(tex, given, out, n);
  cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%-18s", name);
  for (int i = 0; i < n; ++i) printf(" %8.3f", host[i]);
  printf("\n");
  cudaFree(given);
  cudaFree(out);
  cudaDestroyTextureObject(tex);
}

void cube(int seamless) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, 6), cudaArrayCubemap);
  std::vector<float> texels;
  for (int i = 0; i < 24; ++i) texels.push_back(float(i / 4 * 10));  // one value per face
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(texels.data(), 2 * sizeof(float), 2, 2);
  p.dstArray = array;
  p.extent = make_cudaExtent(2, 2, 6);
  p.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&p);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc d = {};
  d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
  d.filterMode = cudaFilterModeLinear;
  d.normalizedCoords = 1;
  d.seamlessCubemap = seamless;
  cudaTextureObject_t tex = 0;
  cudaCreateTextureObject(&tex, &r, &d, nullptr);
  // The middle of face +z, then towards +x: half a texel before the edge, a quarter, an eighth.
  show("cube", on_cube, tex,
       std::vector<float3>{{0, 0, 1}, {0.5f, 0, 1}, {0.75f, 0, 1}, {0.875f, 0, 1}, {1, 0, 0.875f}, {0, 0.75f, -1}});
  cudaFreeArray(array);
}

int main() {
  const cudaMipmappedArray_t all = make_mipmap();
  const auto point = cudaFilterModePoint, linear = cudaFilterModeLinear;
  const std::vector<Want> want = {{0.4f, 0.7f, 0},    {0.4f, 0.7f, 1},     {0.4f, 0.7f, 2},    {0.4f, 0.7f, 3},
                                  {0.4f, 0.7f, 0.25f}, {0.4f, 0.7f, 0.75f}, {0.4f, 0.7f, 9},   {0.4f, 0.7f, -1}};
  show("nearest, nearest", by_level, make_texture(all, point, point), want);
  show("nearest, mixed", by_level, make_texture(all, point, linear), want);
  // The middle of four texels of each level.
  std::vector<Want> middle = {{0.5f, 0.5f, 0}, {0.5f, 0.5f, 1}, {0.5f, 0.5f, 0.625f}, {0.5f, 0.5f, 1.75f}};
  show("linear, nearest", by_level, make_texture(all, linear, point), middle);
  show("linear, mixed", by_level, make_texture(all, linear, linear), middle);
  show("bias 1", by_level, make_texture(all, linear, linear, 1), middle);
  show("levels 1 to 2", by_level, make_texture(all, linear, linear, 0, 1, 2), want);
  const std::vector<float> steps = {0.5f, 1, 2, 4, 8, 16};
  show("gradients, nearest", by_gradient, make_texture(all, linear, point), steps);
  show("gradients, mixed", by_gradient, make_texture(all, linear, linear), steps);
  cube(0);
  cube(1);
  cudaFreeMipmappedArray(all);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
