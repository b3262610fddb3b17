// Direct 2-D convolution, one thread an output, all from global memory: every input is loaded R * S times.
// Keep the inputs of an 8 x 4 block of outputs in shared memory, one channel at a time, with their halo.

// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q]; R and S at most 7.
__global__ void conv(const float* in, const float* filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  int P = H - R + 1, Q = W - S + 1;
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  int p = blockIdx.y * blockDim.y + threadIdx.y;
  int image = blockIdx.z / K, k = blockIdx.z % K;
  if (p >= P || q >= Q) return;  // mind the barriers
  float sum = 0.0f;
  // TODO: for each channel: every thread loads its own input to a tile of (4 + 6) rows, those on the right
  // edge (x == 7) S - 1 more, on the lower edge (y == 3) R - 1 more; the weights of the channel too; barrier;
  // sum from the tile; barrier. A row pitch of 24 floats keeps the four rows of a warp in different banks.
  for (int c = 0; c < C; ++c) {
    const float* x = in + ((image * C + c) * H + p) * W + q;
    const float* w = filter + (k * C + c) * R * S;
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s) sum += x[r * W + s] * w[r * S + s];
  }
  out[((image * K + k) * P + p) * Q + q] = sum;
}

void conv2d(const float* in, const float* filter, float* out,
            int N, int C, int K, int H, int W, int R, int S) {
  int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  dim3 block(8, 4);
  conv<<<dim3((Q + 7) / 8, (P + 3) / 4, N * K), block>>>(in, filter, out, C, K, H, W, R, S);
}
