// Tables of textures.cu about coordinates: address modes and filters in one and two dimensions, how a coordinate becomes
// a fraction, how texels are interpolated.
#pragma once
#include "texture_samples.cuh"

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
