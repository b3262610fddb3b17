// How textures.cu samples: one kernel per kind of fetch, one thread per sample; arrays and texture objects; coordinates
// around centres and borders of texels; results printed as tables.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                                    \
  do {                                                                                                 \
    const cudaError_t code_ = (call);                                                                  \
    if (code_ != cudaSuccess) printf("! line %d: %s: %s\n", __LINE__, #call, cudaGetErrorName(code_)); \
  } while (0)

// ---- Kernels: one thread a sample; coordinates lie one behind the other
// ------------------------------------------

template <class T>
__global__ void read_1d(cudaTextureObject_t t, const float* at, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1D<T>(t, at[i]);
}
template <class T>
__global__ void read_2d(cudaTextureObject_t t, const float* at, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D<T>(t, at[2 * i], at[2 * i + 1]);
}
template <class T>
__global__ void read_3d(cudaTextureObject_t t, const float* at, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex3D<T>(t, at[3 * i], at[3 * i + 1], at[3 * i + 2]);
}
template <class T>
__global__ void read_layer(cudaTextureObject_t t, const float* at, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2DLayered<T>(t, at[3 * i], at[3 * i + 1], int(at[3 * i + 2]));
}
template <class T>
__global__ void read_level(cudaTextureObject_t t, const float* at, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2DLod<T>(t, at[3 * i], at[3 * i + 1], at[3 * i + 2]);
}
template <class T>
__global__ void fetch(cudaTextureObject_t t, const int* at, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<T>(t, at[i]);
}
template <class T>
__global__ void surface_read(cudaSurfaceObject_t s, const int* at, T* zero, T* clamp, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  zero[i] = surf2Dread<T>(s, at[2 * i] * int(sizeof(T)), at[2 * i + 1], cudaBoundaryModeZero);
  clamp[i] = surf2Dread<T>(s, at[2 * i] * int(sizeof(T)), at[2 * i + 1], cudaBoundaryModeClamp);
}
template <class T>
__global__ void surface_write(cudaSurfaceObject_t s, T v, int x, int y, int clamp) {
  if (clamp)
    surf2Dwrite(v, s, x * int(sizeof(T)), y, cudaBoundaryModeClamp);
  else
    surf2Dwrite(v, s, x * int(sizeof(T)), y, cudaBoundaryModeZero);
}
__global__ void surface_3d(cudaSurfaceObject_t s, const int* at, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = surf3Dread<float>(s, at[3 * i] * 4, at[3 * i + 1], at[3 * i + 2], cudaBoundaryModeZero);
}

// ---- The host's part
// ---------------------------------------------------------------------------------------------

static void title(const std::string& name) { printf("[%s]\n", name.c_str()); }

/// `size`: bytes of one component.
static void show(const void* data, size_t bytes, size_t size) {
  const unsigned char* p = (const unsigned char*)data;
  const size_t in_line = 8;
  for (size_t i = 0; i * size < bytes; ++i) {
    if (i % in_line == 0) printf("%s%d:", i ? "\n" : "", int(i));
    unsigned v = 0;
    memcpy(&v, p + i * size, size);
    printf(size == 1 ? " %02x" : size == 2 ? " %04x" : " %08x", v);
  }
  printf("\n");
}

/// A sequence of words without pattern.
struct Random {
  unsigned state = 12345;
  unsigned next() {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return state;
  }
};

template <class T>
static T* to_device(const std::vector<T>& v) {
  T* p = nullptr;
  CHECK(cudaMalloc(&p, v.size() * sizeof(T)));
  CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

struct Sampling {
  cudaTextureAddressMode address = cudaAddressModeClamp;
  cudaTextureFilterMode filter = cudaFilterModePoint;
  cudaTextureReadMode read = cudaReadModeElementType;
  int normalised = 0;
};

static cudaTextureDesc description(const Sampling& s) {
  cudaTextureDesc d;
  memset(&d, 0, sizeof d);
  d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = s.address;
  d.filterMode = s.filter;
  d.readMode = s.read;
  d.normalizedCoords = s.normalised;
  return d;
}
static cudaTextureObject_t texture(cudaArray_t array, const Sampling& s) {
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  const cudaTextureDesc d = description(s);
  cudaTextureObject_t t = 0;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  return t;
}
static cudaSurfaceObject_t surface(cudaArray_t array) {
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaSurfaceObject_t s = 0;
  CHECK(cudaCreateSurfaceObject(&s, &r));
  return s;
}

/// `height` 0: one dimension.
static cudaArray_t array_2d(const cudaChannelFormatDesc& f, const void* data, size_t texel, size_t width,
                            size_t height, unsigned flags = 0) {
  cudaArray_t a = nullptr;
  CHECK(cudaMallocArray(&a, &f, width, height, flags));
  CHECK(cudaMemcpy2DToArray(a, 0, 0, data, width * texel, width * texel, height ? height : 1,
                            cudaMemcpyHostToDevice));
  return a;
}
static cudaArray_t array_3d(const void* data, size_t width, size_t height, size_t depth, unsigned flags) {
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaArray_t a = nullptr;
  CHECK(cudaMalloc3DArray(&a, &f, make_cudaExtent(width, height, depth), flags));
  cudaMemcpy3DParms p;
  memset(&p, 0, sizeof p);
  p.srcPtr = make_cudaPitchedPtr((void*)data, width * 4, width, height);
  p.dstArray = a;
  p.extent = make_cudaExtent(width, height, depth);
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p));
  return a;
}

/// Runs `kernel` over all samples (`per` coordinates each) and prints the results.
template <class T, class C, class Kernel>
static void sample(const std::string& name, Kernel kernel, unsigned long long object,
                   const std::vector<C>& at, int per, size_t component) {
  const int n = int(at.size()) / per;
  C* coordinates = to_device(at);
  T* out = nullptr;
  CHECK(cudaMalloc(&out, size_t(n) * sizeof(T)));
  kernel<<<(n + 127) / 128, 128>>>(object, coordinates, out, n);
  CHECK(cudaDeviceSynchronize());
  std::vector<T> got(static_cast<size_t>(n));
  CHECK(cudaMemcpy(got.data(), out, size_t(n) * sizeof(T), cudaMemcpyDeviceToHost));
  title(name);
  show(got.data(), size_t(n) * sizeof(T), component);
  CHECK(cudaFree(out));
  CHECK(cudaFree(coordinates));
}

// ---- Coordinates
// -------------------------------------------------------------------------------------------------

/// Along N texels: around texel centres and borders, far outside, and what is no number.
static std::vector<float> edges(int n) {
  const float N = float(n);
  return {-2 * N - 0.25f,
          -N - 0.5f,
          -N,
          -N + 0.25f,
          -1.75f,
          -1.5f,
          -1.0f,
          -0.75f,
          -0.5f,
          -0.25f,
          -1.0f / 512,
          -1e-6f,
          -0.0f,
          0.0f,
          1e-6f,
          1.0f / 1024,
          1.0f / 512,
          3.0f / 1024,
          0.25f,
          0.5f,
          0.99999994f,
          1.0f,
          1.25f,
          1.5f,
          1.999f,
          2.75f,
          N - 1.5f,
          N - 1,
          N - 0.75f,
          N - 0.5f,
          N - 0.25f,
          nextafterf(N, 0.0f),
          N,
          N + 0.25f,
          N + 0.5f,
          N + 1,
          1.5f * N,
          2 * N,
          2 * N + 0.3f,
          3 * N + 0.7f,
          -3 * N - 0.7f,
          100000.25f,
          -100000.25f,
          1e10f,
          -1e10f,
          INFINITY,
          -INFINITY,
          NAN};
}
static std::vector<float> few(int n) {
  const float N = float(n);
  return {-N - 0.3f, -0.75f, -0.25f, 0.0f, 0.5f, 0.8125f, 1.3f, N - 1, N - 0.375f, N + 0.2f, N + 1.5f};
}
static std::vector<float> scaled(std::vector<float> v, bool by, int n) {
  if (by)
    for (float& x : v) x /= float(n);
  return v;
}
static std::vector<float> pairs(const std::vector<float>& x, const std::vector<float>& y) {
  std::vector<float> at;
  for (float b : y)
    for (float a : x) at.push_back(a), at.push_back(b);
  return at;
}

static const char* const address_names[] = {"wrap", "clamp", "mirror", "border"};
static const char* const filter_names[] = {"point", "linear"};

static std::string words(const Sampling& s) {
  return std::string(address_names[int(s.address)]) + " " + filter_names[int(s.filter)] +
         (s.normalised ? " normalised" : " texels");
}

/// Calls `f` with every combination of address mode, filter and kind of coordinates.
template <class F>
static void every_sampling(F f) {
  for (int address = 0; address < 4; ++address)
    for (int filter = 0; filter < 2; ++filter)
      for (int normalised = 0; normalised < 2; ++normalised) {
        Sampling s;
        s.address = cudaTextureAddressMode(address);
        s.filter = cudaTextureFilterMode(filter);
        s.normalised = normalised;
        f(s);
      }
}

static std::vector<float> some_floats(size_t n) {
  Random r;
  std::vector<float> v;
  for (size_t i = 0; i < n; ++i) v.push_back(float(int(r.next() >> 8)) / 65536.0f - 100.0f);
  return v;
}
