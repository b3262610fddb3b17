// What a GPU's texture unit gives, bit by bit: prints a table that the SIMT machine is compared with.
//   nvcc -O2 -arch=sm_90 -o textures tests/truth/textures.cu && ./textures > tests/truth/textures.txt
// Every table starts with [name]; its lines have the number of their first result and results in hexadecimal.
// The same file runs on the machine: warpdojo play tests/truth/textures.cu.
#include <cuda_runtime.h>

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

// ---- Tables
// ------------------------------------------------------------------------------------------------------

static std::vector<float> some_floats(size_t n) {
  Random r;
  std::vector<float> v;
  for (size_t i = 0; i < n; ++i) v.push_back(float(int(r.next() >> 8)) / 65536.0f - 100.0f);
  return v;
}

static void one_dimension() {
  for (int n : {8, 5}) {
    const std::vector<float> data = some_floats(size_t(n));
    const cudaArray_t a = array_2d(cudaCreateChannelDesc<float>(), data.data(), 4, size_t(n), 0);
    every_sampling([&](const Sampling& s) {
      const cudaTextureObject_t t = texture(a, s);
      sample<float>("1d " + std::to_string(n) + " " + words(s), read_1d<float>, t,
                    scaled(edges(n), s.normalised, n), 1, 4);
      CHECK(cudaDestroyTextureObject(t));
    });
    CHECK(cudaFreeArray(a));
  }
}

static void two_dimensions() {
  const int w = 5, h = 4;
  const std::vector<float> data = some_floats(size_t(w * h));
  const cudaArray_t a = array_2d(cudaCreateChannelDesc<float>(), data.data(), 4, size_t(w), size_t(h));
  every_sampling([&](const Sampling& s) {
    const cudaTextureObject_t t = texture(a, s);
    sample<float>("2d " + words(s), read_2d<float>, t,
                  pairs(scaled(few(w), s.normalised, w), scaled(few(h), s.normalised, h)), 2, 4);
    CHECK(cudaDestroyTextureObject(t));
  });
  // Two modes at once, and a border colour.
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  Sampling s;
  s.filter = cudaFilterModeLinear, s.normalised = 1;
  cudaTextureDesc d = description(s);
  d.addressMode[0] = cudaAddressModeMirror;
  d.addressMode[1] = cudaAddressModeBorder;
  d.borderColor[0] = 7.5f;
  cudaTextureObject_t t = 0;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  sample<float>("2d mirror and border 7.5", read_2d<float>, t,
                pairs(scaled(few(w), true, w), scaled(few(h), true, h)), 2, 4);
  CHECK(cudaDestroyTextureObject(t));
  s.normalised = 0;
  t = texture(a, s);
  std::vector<float> at;
  for (float level : {0.0f, 0.4f, 1.5f, -3.0f, 100.0f})
    for (float x : few(w)) at.push_back(x), at.push_back(1.3f), at.push_back(level);
  sample<float>("2d level of one level", read_level<float>, t, at, 3, 4);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));
}

/// How a coordinate becomes a fraction, and how fractions weigh.
static void fractions() {
  const std::vector<float> step = {0, 1};
  Sampling linear;
  linear.filter = cudaFilterModeLinear;
  cudaArray_t a = array_2d(cudaCreateChannelDesc<float>(), step.data(), 4, 2, 0);
  cudaTextureObject_t t = texture(a, linear);
  std::vector<float> at;
  for (int k = 0; k <= 160; ++k) at.push_back(0.5f + float(k) / 2048);
  for (int k = 2048 - 64; k <= 2048; ++k) at.push_back(0.5f + float(k) / 2048);
  for (int k = 0; k < 96; ++k) at.push_back(0.5f + float(k * 37 % 4096) / 4096);
  sample<float>("fraction texels", read_1d<float>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

  std::vector<float> far(4096, 0.0f);
  far[1001] = 1;
  a = array_2d(cudaCreateChannelDesc<float>(), far.data(), 4, far.size(), 0);
  t = texture(a, linear);
  at.clear();
  for (int k = 0; k <= 96; ++k) at.push_back(1000.5f + float(k) / 2048);
  sample<float>("fraction at 1000 texels", read_1d<float>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

  Sampling normalised = linear;
  normalised.normalised = 1;
  for (int n : {8, 5, 7, 100}) {
    std::vector<float> ramp;
    for (int i = 0; i < n; ++i) ramp.push_back(float(i));
    a = array_2d(cudaCreateChannelDesc<float>(), ramp.data(), 4, size_t(n), 0);
    t = texture(a, normalised);
    at.clear();
    for (int k = 0; k < 160; ++k) at.push_back((1.5f + float(k) / 1024) / float(n));
    sample<float>("fraction normalised " + std::to_string(n), read_1d<float>, t, at, 1, 4);
    CHECK(cudaDestroyTextureObject(t));
    Sampling point = normalised;
    point.filter = cudaFilterModePoint;
    t = texture(a, point);
    at.clear();
    for (int k = 0; k < n; ++k) {
      const float x = float(k) / float(n);
      at.push_back(nextafterf(x, -1.0f)), at.push_back(x), at.push_back(nextafterf(x, 2.0f));
    }
    sample<float>("point normalised " + std::to_string(n), read_1d<float>, t, at, 1, 4);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
  }
}

static void interpolation() {
  // Values of all sizes, then what is no number.
  const std::vector<float> data = {1,        3,      1e-3f, 1e6f,   -7.77f,    0.1f,    1.0f / 3, -1.0f / 3,
                                   1e30f,    -1e30f, 3e38f, -3e38f, 1e-38f,    1e-42f,  0,        -0.0f,
                                   INFINITY, 1,      NAN,   1,      -INFINITY, INFINITY};
  Sampling linear;
  linear.filter = cudaFilterModeLinear;
  cudaArray_t a = array_2d(cudaCreateChannelDesc<float>(), data.data(), 4, data.size(), 0);
  cudaTextureObject_t t = texture(a, linear);
  std::vector<float> at;
  for (size_t i = 0; i + 1 < data.size(); ++i)
    for (int k : {0, 1, 2, 37, 64, 85, 127, 128, 129, 200, 254, 255})
      at.push_back(float(i) + 0.5f + float(k) / 256);
  sample<float>("interpolation", read_1d<float>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

  std::vector<float> steps;
  for (int k : {0, 1, 2, 3, 5, 17, 64, 100, 127, 128, 129, 200, 254, 255})
    steps.push_back(0.5f + float(k) / 256);
  for (int hot = 0; hot < 6; ++hot) {
    std::vector<float> quad = {0, 0, 0, 0};
    if (hot < 4)
      quad[size_t(hot)] = 1;
    else
      quad = hot == 4 ? std::vector<float>{0.1f, -7.77f, 1234.5f, 1.0f / 3} : std::vector<float>{1, 1, 1, 1};
    a = array_2d(cudaCreateChannelDesc<float>(), quad.data(), 4, 2, 2);
    t = texture(a, linear);
    sample<float>("weights of four " + std::to_string(hot), read_2d<float>, t, pairs(steps, steps), 2, 4);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
  }
}

/// Texels of type T: as they are, as floats, and interpolated.
template <class T, class F>
static void format(const std::string& name, size_t component, bool to_float) {
  const int w = 4, h = 3;
  Random r;
  std::vector<T> data(static_cast<size_t>(w * h));
  for (T& v : data) {
    unsigned char bytes[sizeof(T)];
    for (unsigned char& b : bytes) b = (unsigned char)(r.next() >> 9);
    memcpy(&v, bytes, sizeof(T));
  }
  const cudaArray_t a = array_2d(cudaCreateChannelDesc<T>(), data.data(), sizeof(T), size_t(w), size_t(h));
  std::vector<float> x, y;
  for (int i = -1; i <= w; ++i) x.push_back(float(i) + 0.5f);
  for (int i = -1; i <= h; ++i) y.push_back(float(i) + 0.5f);
  Sampling s;
  for (int address : {1, 3}) {
    s.address = cudaTextureAddressMode(address);
    cudaTextureObject_t t = texture(a, s);
    sample<T>(name + " " + words(s), read_2d<T>, t, pairs(x, y), 2, component);
    CHECK(cudaDestroyTextureObject(t));
  }
  if (to_float) {
    s.read = cudaReadModeNormalizedFloat;
    s.address = cudaAddressModeClamp;
    for (int filter : {0, 1}) {
      s.filter = cudaTextureFilterMode(filter);
      cudaTextureObject_t t = texture(a, s);
      sample<F>(name + " to float " + words(s), read_2d<F>, t, pairs(few(w), few(h)), 2, 4);
      CHECK(cudaDestroyTextureObject(t));
    }
  }
  CHECK(cudaFreeArray(a));
}

/// All values of 8 bits, many of 16, as floats.
template <class T>
static void conversions(const std::string& name, int stride) {
  std::vector<T> data;
  for (int k = 0; k < 256; ++k) data.push_back(T(k * stride + (stride > 1 ? k % 3 : 0)));
  data[255] = T(stride > 1 ? 65535 : 255);
  const cudaArray_t a = array_2d(cudaCreateChannelDesc<T>(), data.data(), sizeof(T), data.size(), 0);
  Sampling s;
  s.read = cudaReadModeNormalizedFloat;
  std::vector<float> at;
  for (int k = 0; k < 256; ++k) at.push_back(float(k) + 0.5f);
  cudaTextureObject_t t = texture(a, s);
  sample<float>(name + " as float", read_1d<float>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  s.filter = cudaFilterModeLinear;
  t = texture(a, s);
  at.clear();
  for (int k = 0; k < 240; ++k) at.push_back(float(k) + 0.5f + float(k * 29 % 256) / 256);
  sample<float>(name + " interpolated", read_1d<float>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));
}

static void half_texels() {
  std::vector<unsigned short> data;
  for (int k = 0; k < 64; ++k) data.push_back((unsigned short)(k * 1021));
  const cudaArray_t a = array_2d(cudaCreateChannelDescHalf(), data.data(), 2, data.size(), 0);
  Sampling s;
  std::vector<float> at;
  for (int k = 0; k < 64; ++k) at.push_back(float(k) + 0.5f);
  cudaTextureObject_t t = texture(a, s);
  sample<float>("half point", read_1d<float>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  s.filter = cudaFilterModeLinear;
  t = texture(a, s);
  for (float& x : at) x += 0.3f;
  sample<float>("half linear", read_1d<float>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));
}

static void linear_memory() {
  const std::vector<float> data = some_floats(16);
  float* memory = to_device(data);
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = memory;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = 11 * sizeof(float);
  cudaTextureDesc d = description(Sampling());
  cudaTextureObject_t t = 0;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  const std::vector<int> at = {-2147483647 - 1, -1000, -1, 0, 1, 5, 10, 11, 12, 15, 16, 1000, 2147483647};
  sample<float>("linear memory", fetch<float>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  r.res.linear.desc = cudaCreateChannelDesc<float4>();
  r.res.linear.sizeInBytes = 64;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  sample<float4>("linear memory of float4", fetch<float4>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  r.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  d.readMode = cudaReadModeNormalizedFloat;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  sample<float4>("linear memory of uchar4 to float", fetch<float4>, t, at, 1, 4);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFree(memory));
}

static void pitched_memory() {
  const int w = 6, h = 4;
  const std::vector<float> data = some_floats(size_t(w * h));
  char* memory = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&memory, &pitch, w * sizeof(float), h));
  CHECK(cudaMemcpy2D(memory, pitch, data.data(), w * sizeof(float), w * sizeof(float), h,
                     cudaMemcpyHostToDevice));
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = memory;
  r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  r.res.pitch2D.width = w, r.res.pitch2D.height = h, r.res.pitch2D.pitchInBytes = pitch;
  every_sampling([&](const Sampling& s) {
    const cudaTextureDesc d = description(s);
    cudaTextureObject_t t = 0;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    sample<float>("pitched memory " + words(s), read_2d<float>, t,
                  pairs(scaled(few(w), s.normalised, w), scaled({-0.3f, 0.9f, h - 0.375f}, s.normalised, h)),
                  2, 4);
    CHECK(cudaDestroyTextureObject(t));
  });
  CHECK(cudaFree(memory));
}

static void three_dimensions() {
  const int w = 4, h = 3, d = 2;
  const std::vector<float> data = some_floats(size_t(w * h * d));
  const auto along = [](int n) {
    return std::vector<float>{-0.3f, 0.5f, 0.8f, float(n) - 0.6f, float(n) + 0.7f};
  };
  cudaArray_t a = array_3d(data.data(), w, h, d, 0);
  every_sampling([&](const Sampling& s) {
    std::vector<float> at;
    for (float z : scaled(along(d), s.normalised, d))
      for (float y : scaled(along(h), s.normalised, h))
        for (float x : scaled(along(w), s.normalised, w)) at.push_back(x), at.push_back(y), at.push_back(z);
    const cudaTextureObject_t t = texture(a, s);
    sample<float>("3d " + words(s), read_3d<float>, t, at, 3, 4);
    CHECK(cudaDestroyTextureObject(t));
  });
  CHECK(cudaFreeArray(a));
  a = array_3d(data.data(), w, h, d, cudaArrayLayered);
  Sampling s;
  s.filter = cudaFilterModeLinear;
  std::vector<float> at;
  for (float layer : {-1.0f, 0.0f, 1.0f, 2.0f, 100.0f})
    for (float y : along(h))
      for (float x : along(w)) at.push_back(x), at.push_back(y), at.push_back(layer);
  for (int address : {1, 3}) {
    s.address = cudaTextureAddressMode(address);
    const cudaTextureObject_t t = texture(a, s);
    sample<float>("layers " + words(s), read_layer<float>, t, at, 3, 4);
    CHECK(cudaDestroyTextureObject(t));
  }
  CHECK(cudaFreeArray(a));
}

template <class T>
static void surfaces(const std::string& name, size_t component) {
  const int w = 4, h = 3;
  Random r;
  std::vector<unsigned char> data(size_t(w * h) * sizeof(T));
  for (unsigned char& b : data) b = (unsigned char)(r.next() >> 9);
  const cudaArray_t a = array_2d(cudaCreateChannelDesc<T>(), data.data(), sizeof(T), size_t(w), size_t(h),
                                 cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t s = surface(a);
  std::vector<int> at;
  for (int y : {-5, -1, 0, 1, 2, 3, 9})
    for (int x : {-9, -1, 0, 1, 3, 4, 5, 100}) at.push_back(x), at.push_back(y);
  const int n = int(at.size()) / 2;
  int* places = to_device(at);
  T *zero = nullptr, *clamp = nullptr;
  CHECK(cudaMalloc(&zero, size_t(n) * sizeof(T)));
  CHECK(cudaMalloc(&clamp, size_t(n) * sizeof(T)));
  surface_read<T><<<1, 64>>>(s, places, zero, clamp, n);
  CHECK(cudaDeviceSynchronize());
  std::vector<T> got(static_cast<size_t>(n));
  CHECK(cudaMemcpy(got.data(), zero, size_t(n) * sizeof(T), cudaMemcpyDeviceToHost));
  title("surface " + name + " zero");
  show(got.data(), size_t(n) * sizeof(T), component);
  CHECK(cudaMemcpy(got.data(), clamp, size_t(n) * sizeof(T), cudaMemcpyDeviceToHost));
  title("surface " + name + " clamp");
  show(got.data(), size_t(n) * sizeof(T), component);
  // Writes inside and outside, one after the other.
  const int writes[][3] = {{1, 1, 0},  {-1, 0, 0}, {4, 2, 0},  {0, 3, 0},
                           {-7, 0, 1}, {9, 2, 1},  {2, -4, 1}, {1, 8, 1}};
  for (const int* p : writes) {
    T v;
    unsigned char bytes[sizeof(T)];
    for (unsigned char& b : bytes) b = (unsigned char)(r.next() >> 9);
    memcpy(&v, bytes, sizeof(T));
    surface_write<T><<<1, 1>>>(s, v, p[0], p[1], p[2]);
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy2DFromArray(data.data(), size_t(w) * sizeof(T), a, 0, 0, size_t(w) * sizeof(T), size_t(h),
                              cudaMemcpyDeviceToHost));
  title("surface " + name + " written");
  show(data.data(), data.size(), component);
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaFreeArray(a));
  CHECK(cudaFree(places));
  CHECK(cudaFree(zero));
  CHECK(cudaFree(clamp));
}

static void surface_of_volume() {
  const std::vector<float> data = some_floats(24);
  const cudaArray_t a = array_3d(data.data(), 4, 3, 2, cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t s = surface(a);
  std::vector<int> at;
  for (int z : {-1, 0, 1, 2})
    for (int y : {0, 2, 3})
      for (int x : {-1, 0, 3, 4}) at.push_back(x), at.push_back(y), at.push_back(z);
  sample<float>("surface 3d zero", surface_3d, s, at, 3, 4);
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaFreeArray(a));
}

/// What the calls say to descriptions that don't fit: the numbers of the errors.
static void refusals() {
  title("codes");
  const std::vector<unsigned char> bytes(64, 1);
  const cudaArray_t chars = array_2d(cudaCreateChannelDesc<unsigned char>(), bytes.data(), 1, 8, 8);
  const cudaArray_t ints = array_2d(cudaCreateChannelDesc<int>(), bytes.data(), 4, 4, 4);
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  const auto code = [&](const char* what, const Sampling& s) {
    cudaTextureObject_t t = 0;
    const cudaTextureDesc d = description(s);
    const cudaError_t e = cudaCreateTextureObject(&t, &r, &d, nullptr);
    printf("%s: %d\n", what, int(e));
    if (e == cudaSuccess) CHECK(cudaDestroyTextureObject(t));
  };
  Sampling s;
  r.res.array.array = chars;
  s.filter = cudaFilterModeLinear;
  code("linear filter of integers", s);
  s.filter = cudaFilterModePoint;
  r.res.array.array = ints;
  s.read = cudaReadModeNormalizedFloat;
  code("32-bit integers as floats", s);
  s.read = cudaReadModeElementType;
  r.res.array.array = nullptr;
  code("no array", s);
  float* memory = nullptr;
  CHECK(cudaMalloc(&memory, 4096));
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = memory;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = 256;
  s.filter = cudaFilterModeLinear;
  code("linear memory with linear filter", s);
  s.filter = cudaFilterModePoint;
  s.address = cudaAddressModeWrap;
  code("linear memory with wrap", s);
  s.address = cudaAddressModeClamp;
  r.res.linear.devPtr = memory + 1;
  code("linear memory at 4 bytes", s);
  r.resType = cudaResourceTypePitch2D;
  memset(&r.res, 0, sizeof r.res);
  r.res.pitch2D.devPtr = memory;
  r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  r.res.pitch2D.width = 8, r.res.pitch2D.height = 4, r.res.pitch2D.pitchInBytes = 64;
  code("pitch of 64 bytes", s);
  r.res.pitch2D.pitchInBytes = 40;
  code("pitch of 40 bytes", s);
  r.res.pitch2D.pitchInBytes = 16;
  code("pitch below the width", s);
  cudaResourceDesc q;
  memset(&q, 0, sizeof q);
  q.resType = cudaResourceTypeArray;
  q.res.array.array = chars;
  cudaSurfaceObject_t surface = 0;
  cudaError_t e = cudaCreateSurfaceObject(&surface, &q);
  printf("surface of an array without the flag: %d\n", int(e));
  if (e == cudaSuccess) CHECK(cudaDestroySurfaceObject(surface));
  cudaGetLastError();
  CHECK(cudaFree(memory));
  CHECK(cudaFreeArray(chars));
  CHECK(cudaFreeArray(ints));
}

int main() {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  int driver = 0;
  CHECK(cudaDriverGetVersion(&driver));
  printf("# %s, driver interface %d\n", p.name, driver);
  one_dimension();
  two_dimensions();
  fractions();
  interpolation();
  format<unsigned char, float>("uchar", 1, true);
  format<signed char, float>("schar", 1, true);
  format<uchar2, float2>("uchar2", 1, true);
  format<uchar4, float4>("uchar4", 1, true);
  format<char4, float4>("char4", 1, true);
  format<unsigned short, float>("ushort", 2, true);
  format<short2, float2>("short2", 2, true);
  format<ushort4, float4>("ushort4", 2, true);
  format<int, float>("int", 4, false);
  format<uint2, float2>("uint2", 4, false);
  format<int4, float4>("int4", 4, false);
  format<float2, float2>("float2", 4, false);
  format<float4, float4>("float4", 4, false);
  conversions<unsigned char>("uchar", 1);
  conversions<signed char>("schar", 1);
  conversions<unsigned short>("ushort", 257);
  conversions<short>("short", 257);
  half_texels();
  linear_memory();
  pitched_memory();
  three_dimensions();
  surfaces<unsigned char>("uchar", 1);
  surfaces<uchar4>("uchar4", 1);
  surfaces<ushort2>("ushort2", 2);
  surfaces<float>("float", 4);
  surfaces<float2>("float2", 4);
  surfaces<float4>("float4", 4);
  surface_of_volume();
  refusals();
  return 0;
}
