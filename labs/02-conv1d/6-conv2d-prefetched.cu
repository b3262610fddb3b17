// Direct 2-D convolution, two filters per thread: a tile that all threads load evenly.

constexpr int tile_width = 8, tile_height = 4;  // outputs of a block
constexpr int max_filter = 7;                   // rows and columns of the largest filter
// floats per tile row: 4 rows of 8 lanes use 32 banks
constexpr int pitch = 24;

// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q]; R and S are at most 7.
__global__ void conv(const float* __restrict__ in, const float* __restrict__ filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  __shared__ float tile[tile_height + max_filter - 1][pitch];
  __shared__ float2 weights[max_filter * max_filter];
  const int P = H - R + 1, Q = W - S + 1;
  const int x = threadIdx.x, y = threadIdx.y;
  const int q = blockIdx.x * tile_width + x, p = blockIdx.y * tile_height + y;
  const int pairs = (K + 1) / 2;
  const int image = blockIdx.z / pairs;
  const int k0 = 2 * (blockIdx.z % pairs);
  const int k1 = min(k0 + 1, K - 1);
  const int q0 = blockIdx.x * tile_width, p0 = blockIdx.y * tile_height;
  const int thread = y * tile_width + x;
  const int width = tile_width + S - 1;
  const int elements = width * (tile_height + R - 1);
  float sum0 = 0.0f, sum1 = 0.0f;
  // TODO: keep the loads of the next channel in flight while this one is summed. Use two tiles that
  // alternate, and no barrier that is not needed.
  for (int c = 0; c < C; ++c) {
    const float* channel = in + (image * C + c) * H * W;
    for (int t = thread; t < elements; t += tile_width * tile_height) {
      const int row = t / width, column = t % width;
      if (p0 + row < H && q0 + column < W) {
        tile[row][column] = channel[(p0 + row) * W + q0 + column];
      }
    }
    for (int t = thread; t < R * S; t += tile_width * tile_height) {
      weights[t] = make_float2(filter[(k0 * C + c) * R * S + t],
                               filter[(k1 * C + c) * R * S + t]);
    }
    __syncthreads();
    if (p < P && q < Q) {
      for (int r = 0; r < R; ++r) {
        for (int s = 0; s < S; ++s) {
          const float input = tile[y + r][x + s];
          const float2 weight = weights[r * S + s];
          sum0 += input * weight.x;
          sum1 += input * weight.y;
        }
      }
    }
    __syncthreads();  // the tile is overwritten next
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
