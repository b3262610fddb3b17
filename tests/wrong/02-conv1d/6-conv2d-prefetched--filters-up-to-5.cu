// wrong: conv1d/6-conv2d-prefetched
// mistake: A filter has up to 7 rows and columns. Shared memory has room for 5.
// expect: finding out_of_bounds
// Direct 2-D convolution, two filters per thread: the next channel is in flight during the sum.
// Bound by instruction issue: the products hide most of the latency of the loads.

constexpr int tile_width = 8, tile_height = 4;  // outputs of a block
constexpr int threads = tile_width * tile_height;
constexpr int max_filter = 5;
constexpr int pitch = 24;
constexpr int max_elements = (tile_width + max_filter - 1) * (tile_height + max_filter - 1);
constexpr int inputs_per_thread = (max_elements + threads - 1) / threads;
constexpr int weights_per_thread = (max_filter * max_filter + threads - 1) / threads;

// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q]; R and S are at most 7.
__global__ void conv(const float* __restrict__ in, const float* __restrict__ filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  __shared__ float tile[2][tile_height + max_filter - 1][pitch];
  __shared__ float2 weights[2][max_filter * max_filter];
  const int P = H - R + 1, Q = W - S + 1;
  const int x = threadIdx.x, y = threadIdx.y;
  const int q0 = blockIdx.x * tile_width, p0 = blockIdx.y * tile_height;
  const int q = q0 + x, p = p0 + y;
  const int pairs = (K + 1) / 2;
  const int image = blockIdx.z / pairs;
  const int k0 = 2 * (blockIdx.z % pairs);
  const int k1 = min(k0 + 1, K - 1);
  const int thread = y * tile_width + x;
  const int width = tile_width + S - 1;
  const int elements = width * (tile_height + R - 1);

  // Where this thread's elements lie is the same for every channel: compute it once.
  int from[inputs_per_thread];  // offset in a channel, or -1
  int to[inputs_per_thread];    // offset in the tile
  for (int j = 0; j < inputs_per_thread; ++j) {
    const int t = thread + j * threads;
    const int row = t / width, column = t % width;
    const bool inside = t < elements && p0 + row < H && q0 + column < W;
    from[j] = inside ? (p0 + row) * W + q0 + column : -1;
    to[j] = row * pitch + column;
  }
  float next_input[inputs_per_thread];
  float2 next_weight[weights_per_thread];

  auto fetch = [&](int c) {
    const float* channel = in + (image * C + c) * H * W;
    for (int j = 0; j < inputs_per_thread; ++j) {
      if (from[j] >= 0) next_input[j] = channel[from[j]];
    }
    for (int j = 0; j < weights_per_thread; ++j) {
      const int t = thread + j * threads;
      if (t < R * S) {
        next_weight[j] = make_float2(filter[(k0 * C + c) * R * S + t],
                                     filter[(k1 * C + c) * R * S + t]);
      }
    }
  };
  auto put = [&](int buffer) {
    for (int j = 0; j < inputs_per_thread; ++j) {
      if (from[j] >= 0) (&tile[buffer][0][0])[to[j]] = next_input[j];
    }
    for (int j = 0; j < weights_per_thread; ++j) {
      const int t = thread + j * threads;
      if (t < R * S) weights[buffer][t] = next_weight[j];
    }
  };

  float sum0 = 0.0f, sum1 = 0.0f;
  if (C > 0) fetch(0);
  for (int c = 0; c < C; ++c) {
    const int now = c % 2;
    put(now);
    __syncthreads();
    if (c + 1 < C) fetch(c + 1);
    if (p < P && q < Q) {
      for (int r = 0; r < R; ++r) {
        for (int s = 0; s < S; ++s) {
          const float input = tile[now][y + r][x + s];
          const float2 weight = weights[now][r * S + s];
          sum0 += input * weight.x;
          sum1 += input * weight.y;
        }
      }
    }
  }
  if (p < P && q < Q) {
    out[((image * K + k0) * P + p) * Q + q] = sum0;
    if (k0 + 1 < K) out[((image * K + k0 + 1) * P + p) * Q + q] = sum1;
  }
}
void conv2d(const float* in, const float* filter, float* out,
            int N, int C, int K, int H, int W, int R, int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  const dim3 block(tile_width, tile_height);
  const dim3 grid((Q + tile_width - 1) / tile_width, (P + tile_height - 1) / tile_height,
                  N * ((K + 1) / 2));
  conv<<<grid, block>>>(in, filter, out, C, K, H, W, R, S);
}
