// Streams of data that are in the L2 or not, and consecutive launches.
#include "zoo.cuh"

__global__ void l2_cold_triad(const float* b, const float* c, float* a, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}

// Launched twice: the second finds its data in the L2.
__global__ void l2_warm_triad(const double* b, const double* c, double* a, double s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}

// Each block reads its part twice: for the mean, then for the deviation.
__global__ void l2_twice_through(const float* in, float* out, int per_block) {
  __shared__ float s[256];
  const float* part = in + blockIdx.x * per_block;
  float mean = 0;
  for (int turn = 0; turn < 2; ++turn) {
    float sum = 0;
    for (int k = threadIdx.x; k < per_block; k += 256) {
      const float v = part[k] - mean;
      sum += turn ? v * v : v;
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
      if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
      __syncthreads();
    }
    if (turn == 0)
      mean = s[0] / per_block;
    else if (threadIdx.x == 0)
      out[blockIdx.x] = s[0];
    __syncthreads();
  }
}

// One column of every fourth row of a picture of bytes: a sector is used only in part.
__global__ void l2_strided_rows(const unsigned char* in, int width, int rows, float* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += in[(size_t)4 * r * width + 3 * k + 5];
  out[r] = sum;
}

// A small step that a program launches again and again.
__global__ void ch_tiny_chain(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.5f * (in[i] + in[(i + 1) % n]);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("l2_cold_triad")) {
    const int n = 1000000;
    float* a = zoo.zeros<float>(n);
    l2_cold_triad<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 1)), zoo.upload(random_floats(n, 2)),
                                            a, 3.0f, n);
    zoo.show("l2_cold_triad", a, n);
  }
  if (zoo.runs("l2_warm_triad")) {
    const int n = 300000;
    const double *b = zoo.upload(random_doubles(n, 3)), *c = zoo.upload(random_doubles(n, 4));
    double* a = zoo.zeros<double>(n);
    for (int turn = 0; turn < 2; ++turn) l2_warm_triad<<<(n + 255) / 256, 256>>>(b, c, a, 0.5, n);
    zoo.show("l2_warm_triad", a, n);
  }
  if (zoo.runs("l2_twice_through")) {
    const int blocks = 132, each = 6000;
    float* out = zoo.zeros<float>(blocks);
    l2_twice_through<<<blocks, 256>>>(zoo.upload(random_floats(blocks * each, 5)), out, each);
    zoo.show("l2_twice_through", out, blocks);
  }
  if (zoo.runs("l2_strided_rows")) {
    const int width = 640, rows = 1000;
    std::vector<unsigned char> in(4 * rows * width);
    Random r{6};
    for (size_t i = 0; i < in.size(); i += 3) in[i] = (unsigned char)r.below(256);
    float* out = zoo.zeros<float>(rows);
    l2_strided_rows<<<(rows + 63) / 64, 64>>>(zoo.upload(in), width, rows, out);
    zoo.show("l2_strided_rows", out, rows);
  }
  if (zoo.runs("ch_tiny_chain")) {
    const int n = 5000;
    float *a = zoo.upload(random_floats(n, 7)), *b = zoo.zeros<float>(n), *c = zoo.zeros<float>(n);
    ch_tiny_chain<<<(n + 127) / 128, 128>>>(a, b, n);
    for (int k = 0; k < 4; ++k) {
      ch_tiny_chain<<<(n + 127) / 128, 128>>>(b, c, n);
      ch_tiny_chain<<<(n + 127) / 128, 128>>>(c, b, n);
    }
    zoo.show("ch_tiny_chain", b, n);
  }
  return zoo.done();
}
