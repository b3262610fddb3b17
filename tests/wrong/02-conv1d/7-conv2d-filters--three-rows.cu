// wrong: conv1d/7-conv2d-filters
// mistake: A tile needs R - 1 more rows than it has outputs: up to 6. Shared memory has room for 2.
// expect: finding out_of_bounds
// Direct 2-D convolution, eight filters per thread: one tile and one load of an input serve all.
// Three loads from shared memory serve eight multiply-adds.
// Bound by latency: each channel's tile is waited for.

constexpr int tile_width = 16, tile_height = 8;  // outputs of a block, for each filter
constexpr int threads = tile_width * tile_height;
constexpr int filters = 8;     // per thread
constexpr int max_filter = 7;  // rows and columns of the largest filter
constexpr int pitch = tile_width + max_filter - 1;

// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q]; R and S are at most 7.
__global__ void conv(const float* __restrict__ in, const float* __restrict__ filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  __shared__ float tile[tile_height + 2][pitch];
  __shared__ alignas(16) float weights[max_filter * max_filter][filters];
  const int P = H - R + 1, Q = W - S + 1;
  const int x = threadIdx.x, y = threadIdx.y;
  const int q0 = blockIdx.x * tile_width, p0 = blockIdx.y * tile_height;
  const int q = q0 + x, p = p0 + y;
  const int groups = (K + filters - 1) / filters;
  const int image = blockIdx.z / groups;
  const int k0 = blockIdx.z % groups * filters;
  const int thread = y * tile_width + x;
  const int width = tile_width + S - 1;
  const int elements = width * (tile_height + R - 1);
  float sum[filters] = {};  // all indices are known once unrolled, so it lives in registers
  for (int c = 0; c < C; ++c) {
    const float* channel = in + (image * C + c) * H * W;
    for (int t = thread; t < elements; t += threads) {
      const int row = t / width, column = t % width;
      if (p0 + row < H && q0 + column < W) {
        tile[row][column] = channel[(p0 + row) * W + q0 + column];
      }
    }
    for (int t = thread; t < R * S * filters; t += threads) {
      const int j = t % filters, place = t / filters;
      // Past the last filter, the last one is computed again and not stored.
      weights[place][j] = filter[(min(k0 + j, K - 1) * C + c) * R * S + place];
    }
    __syncthreads();
    if (p < P && q < Q) {
      for (int r = 0; r < R; ++r) {
        for (int s = 0; s < S; ++s) {
          const float input = tile[y + r][x + s];
          const float4* weight = reinterpret_cast<const float4*>(weights[r * S + s]);
          for (int j = 0; j < filters / 4; ++j) {
            const float4 w = weight[j];
            sum[4 * j] += input * w.x;
            sum[4 * j + 1] += input * w.y;
            sum[4 * j + 2] += input * w.z;
            sum[4 * j + 3] += input * w.w;
          }
        }
      }
    }
    __syncthreads();  // the tile is overwritten next
  }
  if (p < P && q < Q) {
    for (int j = 0; j < filters; ++j)
      if (k0 + j < K) out[((image * K + k0 + j) * P + p) * Q + q] = sum[j];
  }
}

void conv2d(const float* in, const float* filter, float* out,
            int N, int C, int K, int H, int W, int R, int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  const dim3 block(tile_width, tile_height);
  const dim3 grid((Q + tile_width - 1) / tile_width, (P + tile_height - 1) / tile_height,
                  N * ((K + filters - 1) / filters));
  conv<<<grid, block>>>(in, filter, out, C, K, H, W, R, S);
}
