// Direct 2-D convolution, two filters per thread: all from global memory, so each input is loaded R
// * S times.

constexpr int tile_width = 8, tile_height = 4;  // outputs of a block
constexpr int max_filter = 7;                   // rows and columns of the largest filter
// floats per tile row: 4 rows of 8 lanes use 32 banks
constexpr int pitch = 24;


// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q]; R and S are at most 7.
__global__ void conv(const float* __restrict__ in, const float* __restrict__ filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  const int P = H - R + 1, Q = W - S + 1;
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  const int p = blockIdx.y * blockDim.y + threadIdx.y;
  const int pairs = (K + 1) / 2;
  const int image = blockIdx.z / pairs;
  const int k0 = 2 * (blockIdx.z % pairs);
  const int k1 = min(k0 + 1, K - 1);
  // TODO: keep the inputs of the 8 x 4 outputs in shared memory, with their halo, one channel at a
  // time. Keep the channel's weights there, too. Threads at the right and lower edge load the halo.
  // A pitch of 24 floats puts the four rows of a warp into different banks.
  if (p >= P || q >= Q) return;
  float sum0 = 0.0f, sum1 = 0.0f;
  for (int c = 0; c < C; ++c) {
    const float* x = in + ((image * C + c) * H + p) * W + q;
    const float* w0 = filter + (k0 * C + c) * R * S;
    const float* w1 = filter + (k1 * C + c) * R * S;
    for (int r = 0; r < R; ++r) {
      for (int s = 0; s < S; ++s) {
        const float input = x[r * W + s];
        sum0 += input * w0[r * S + s];
        sum1 += input * w1[r * S + s];
      }
    }
  }
  out[((image * K + k0) * P + p) * Q + q] = sum0;
  if (k0 + 1 < K) out[((image * K + k0 + 1) * P + p) * Q + q] = sum1;
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
