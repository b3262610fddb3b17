// lazy: cusync/10-conv2dtilesync
// expect: gate waiting_launches >= 2
// The wait kernel is left out.
// Two 3 x 3 convolutions, one after the other, as in a residual block: images in NCHW, one block
// per tile of 4 channels and 4 rows. The second reads one tile of channels at a time, and one row
// beyond its own on either side.
// Bound by its waves: 6 + 6 blocks on 4 SMs.
#include <cusync.cuh>

constexpr int tile_c = 4;  // of the output
constexpr int tile_h = 4;
constexpr int threads = 32;
constexpr int R = 3;
constexpr int S = 3;

// Adds to sum what 4 input channels, from c0, give the thread's four outputs: channels k0 to k0 + 3
// at (y, x).
__device__ void add_channels(float* sum, const float* in, const float* filter, int k0, int c0,
                             int y, int x, int channels, int height, int width) {
#pragma unroll 1
  for (int c = c0; c < c0 + tile_c; ++c)
#pragma unroll 1
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s) {
        const int iy = y + r - 1;
        const int ix = x + s - 1;
        const bool inside = iy >= 0 && iy < height && ix >= 0 && ix < width;
        const float v = inside ? in[(c * height + iy) * width + ix] : 0.0f;
        for (int k = 0; k < tile_c; ++k)
          sum[k] += v * filter[(((k0 + k) * channels + c) * R + r) * S + s];
      }
}

__device__ void store(const float* sum, float* out, int k0, int y, int x, int height, int width) {
  for (int k = 0; k < tile_c; ++k) out[((k0 + k) * height + y) * width + x] = sum[k];
}

__global__ void first_conv(CuStage stage, const float* in, const float* filter, float* mid,
                           int channels, int height, int width) {
  stage.start();
  const uint2 t = stage.tile();  // x: which 4 channels, y: which 4 rows
  const int y = t.y * tile_h + threadIdx.x / width;
  const int x = threadIdx.x % width;
  float sum[tile_c] = {};
  for (int c = 0; c < channels; c += tile_c)
    add_channels(sum, in, filter, t.x * tile_c, c, y, x, channels, height, width);
  store(sum, mid, t.x * tile_c, y, x, height, width);
  stage.post();
}

__global__ void second_conv(CuStage stage, const float* mid, const float* filter, float* out,
                            int channels, int height, int width) {
  stage.start();
  const uint2 t = stage.tile();
  const int y = t.y * tile_h + threadIdx.x / width;
  const int x = threadIdx.x % width;
  const int first = t.y > 0 ? t.y - 1 : 0;  // bands of rows that it reads
  const int last = (t.y + 1) * tile_h < height ? t.y + 1 : t.y;
  float sum[tile_c] = {};
  for (int c = 0; c < channels; c += tile_c) {
    const int step =
        c / tile_c * R * S;  // of the product that this convolution is: channel tiles x taps
    for (int band = first; band <= last; ++band) stage.wait(mid, band, step);
    add_channels(sum, mid, filter, t.x * tile_c, c, y, x, channels, height, width);
  }
  store(sum, out, t.x * tile_c, y, x, height, width);
  stage.post();
}

// in, mid, out[channels][height][8]; f1, f2[channels][channels][3][3]; channels and height are
// multiples of 4
void convolutions(const float* in, const float* f1, const float* f2, float* mid, float* out,
                  int channels, int height) {
  if (channels == 0 || height == 0) return;
  const int width = threads / tile_h;
  const dim3 grid(channels / tile_c, height / tile_h);
  CuSync cs;
  CuStage& first = cs.stage(grid, dim3(tile_c, tile_h), RowMajor);
  CuStage& second = cs.stage(grid, dim3(tile_c, tile_h), RowMajor);
  cs.dependency<Conv2DTileSync<R, S>>(first, second, mid);
  first_conv<<<first.blocks(), threads, 0, first.stream()>>>(first, in, f1, mid, channels, height,
                                                             width);
  second_conv<<<second.blocks(), threads, 0, second.stream()>>>(second, mid, f2, out, channels,
                                                                height, width);
}
