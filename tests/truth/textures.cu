// What a GPU's texture unit gives, bit by bit: prints a table that the SIMT machine is compared with.
//   nvcc -O2 -arch=sm_90 -o textures tests/truth/textures.cu && ./textures > tests/truth/textures.txt
// Every table starts with [name]; its lines have the number of their first result and results in hexadecimal.
// The same file runs on the machine: warpdojo play tests/truth/textures.cu. Here: formats, conversions, linear and pitched
// memory, volumes, surfaces, refused descriptions.
#include <cuda_runtime.h>
#include "texture_filters.cuh"

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
