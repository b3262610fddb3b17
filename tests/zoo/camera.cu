// A camera's steps: noise, colours from a mosaic, the cheapest seam, and straight lines.
#include "zoo.cuh"

// Means of nearby pixels of a like brightness; a tile and its rim of three pixels are in shared memory.
__global__ void ca_keep_edges(const float* pixel, float* out, int width, int height) {
  __shared__ float tile[22][23];
  const int x0 = blockIdx.x * 16 - 3, y0 = blockIdx.y * 16 - 3;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 22 * 22; i += 256) {
    const int x = min(max(x0 + i % 22, 0), width - 1), y = min(max(y0 + i / 22, 0), height - 1);
    tile[i / 22][i % 22] = pixel[y * width + x];
  }
  __syncthreads();
  const int x = x0 + 3 + threadIdx.x, y = y0 + 3 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float here = tile[threadIdx.y + 3][threadIdx.x + 3];
  float sum = 0, weights = 0;
  for (int v = -3; v <= 3; ++v)
    for (int u = -3; u <= 3; ++u) {
      const float p = tile[threadIdx.y + 3 + v][threadIdx.x + 3 + u], d = p - here;
      const float w = __expf(-0.08f * (u * u + v * v) - 12 * d * d);
      sum += w * p;
      weights += w;
    }
  out[y * width + x] = sum / weights;
}

// Red, green and blue from a Bayer mosaic: a thread makes two by two pixels of sixteen values.
__global__ void ca_fill_mosaic(const unsigned char* raw, uchar4* colour, int width, int height) {
  const int qx = blockIdx.x * blockDim.x + threadIdx.x, qy = blockIdx.y * blockDim.y + threadIdx.y;
  if (2 * qx >= width || 2 * qy >= height) return;
  int v[4][4];
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      // Beyond the frame the second pixel inside counts, which has the same colour.
      int px = 2 * qx + x - 1, py = 2 * qy + y - 1;
      px = px < 0 ? 1 : px >= width ? width - 2 : px;
      py = py < 0 ? 1 : py >= height ? height - 2 : py;
      v[y][x] = raw[py * width + px];
    }
  uchar4 out[2][2];
  out[0][0] = make_uchar4(v[1][1], (v[0][1] + v[2][1] + v[1][0] + v[1][2] + 2) >> 2,
                          (v[0][0] + v[0][2] + v[2][0] + v[2][2] + 2) >> 2, 255);
  out[0][1] = make_uchar4((v[1][1] + v[1][3] + 1) >> 1, v[1][2], (v[0][2] + v[2][2] + 1) >> 1, 255);
  out[1][0] = make_uchar4((v[1][1] + v[3][1] + 1) >> 1, v[2][1], (v[2][0] + v[2][2] + 1) >> 1, 255);
  out[1][1] = make_uchar4((v[1][1] + v[1][3] + v[3][1] + v[3][3] + 2) >> 2,
                          (v[1][2] + v[3][2] + v[2][1] + v[2][3] + 2) >> 2, v[2][2], 255);
#pragma unroll
  for (int y = 0; y < 2; ++y) {
    colour[(2 * qy + y) * width + 2 * qx] = out[y][0];
    colour[(2 * qy + y) * width + 2 * qx + 1] = out[y][1];
  }
}

// The cheapest way down to each pixel, row by row in one block.
__global__ void ca_seam_costs(const int* energy, int* cost, int width, int height) {
  extern __shared__ int row[];
  const int t = threadIdx.x;
  int *last = row, *next = row + blockDim.x + 2;
  last[t + 1] = next[t + 1] = 1 << 30;
  if (t < 2) last[t * (blockDim.x + 1)] = next[t * (blockDim.x + 1)] = 1 << 30;
  __syncthreads();
  if (t < width) last[t + 1] = cost[t] = energy[t];
  __syncthreads();
  for (int y = 1; y < height; ++y) {
    if (t < width) {
      const int best = min(last[t + 1], min(last[t], last[t + 2]));
      next[t + 1] = cost[y * width + t] = best + energy[y * width + t];
    }
    __syncthreads();
    int* swap = last;
    last = next;
    next = swap;
  }
}

// Hough's transform: a block per angle counts how far from the origin its lines through the points are.
__global__ void ca_vote_lines(const ushort2* point, unsigned short* votes, int bins, int n) {
  extern __shared__ unsigned count[];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) count[i] = 0;
  __syncthreads();
  float sine, cosine;
  sincospif(blockIdx.x / float(gridDim.x), &sine, &cosine);
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const ushort2 p = point[i];
    atomicAdd(&count[int(floorf(p.x * cosine + p.y * sine)) / 2 + bins / 2], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    votes[blockIdx.x * bins + i] = (unsigned short)count[i];
}

static void vote_lines(Zoo& zoo) {
  const int n = 7000, angles = 180, bins = 1024;
  std::vector<ushort2> point(n);
  Random r{4};
  // One point of three is on the line x + y = 600.
  for (int i = 0; i < n; ++i) {
    point[i].x = (unsigned short)r.below(600);
    point[i].y = (unsigned short)(i % 3 ? r.below(600) : 600 - point[i].x);
  }
  auto* votes = zoo.zeros<unsigned short>(angles * bins);
  ca_vote_lines<<<angles, 128, bins * sizeof(unsigned)>>>(zoo.upload(point), votes, bins, n);
  zoo.expect("ca_vote_lines", votes, angles * bins, double(n) * angles, 1e-12);
  const auto got = zoo.download(votes, angles * bins);
  std::vector<int> upright(bins);
  for (const ushort2& p : point) ++upright[p.x / 2 + bins / 2];
  bool right = true;
  for (int b = 0; b < bins; ++b) right = right && got[b] == upright[b];
  int best = 0;
  for (int i = 0; i < angles * bins; ++i)
    if (got[i] > got[best]) best = i;
  zoo.require("ca_vote_lines", right && best / bins == angles / 4 && got[best] > n / 4,
              "the line has most votes");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ca_keep_edges")) {
    const int width = 330, height = 250, n = width * height;
    const auto pixel = random_floats(n, 1);
    float* out = zoo.zeros<float>(n);
    ca_keep_edges<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(zoo.upload(pixel), out,
                                                                                 width, height);
    const auto want = [&](size_t i) {
      double sum = 0, weights = 0;
      for (int v = -3; v <= 3; ++v)
        for (int u = -3; u <= 3; ++u) {
          const int x = int(i) % width + u, y = int(i) / width + v;
          const double p = pixel[(y < 0         ? 0
                                  : y >= height ? height - 1
                                                : y) *
                                     width +
                                 (x < 0        ? 0
                                  : x >= width ? width - 1
                                               : x)];
          const double w = exp(-0.08 * (u * u + v * v) - 12 * (p - pixel[i]) * (p - pixel[i]));
          sum += w * p;
          weights += w;
        }
      return sum / weights;
    };
    zoo.expect_each("ca_keep_edges", out, n, 409, want, 1e-4);
  }
  if (zoo.runs("ca_fill_mosaic")) {
    const int width = 1600, height = 900, n = width * height;
    std::vector<unsigned char> raw(n);
    Random r{2};
    for (int i = 0; i < n; ++i) raw[i] = (unsigned char)r.below(256);
    auto* colour = zoo.zeros<uchar4>(n);
    ca_fill_mosaic<<<dim3((width / 2 + 31) / 32, (height / 2 + 3) / 4), dim3(32, 4)>>>(zoo.upload(raw),
                                                                                       colour, width, height);
    // A colour is the mean of the neighbours that have it, those beyond the frame mirrored.
    const auto want = [&](size_t i) {
      const int channel = int(i) % 4, x = int(i) / 4 % width, y = int(i) / 4 / width;
      if (channel == 3) return 255;
      const auto colour_at = [](int px, int py) { return (px & 1) + (py & 1); };
      int sum = 0, count = 0;
      if (colour_at(x, y) == channel) return int(raw[y * width + x]);
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) {
          if (colour_at(x + u, y + v) != channel) continue;
          const int px = x + u < 0 ? 1 : x + u >= width ? width - 2 : x + u;
          const int py = y + v < 0 ? 1 : y + v >= height ? height - 2 : y + v;
          sum += raw[py * width + px];
          ++count;
        }
      return (sum + count / 2) / count;
    };
    zoo.expect_each("ca_fill_mosaic", (const unsigned char*)colour, 4 * size_t(n), 4001, want, 1e-9);
  }
  if (zoo.runs("ca_seam_costs")) {
    const int width = 720, height = 110, n = width * height;
    const auto energy = random_ints(n, 3, 1000);
    std::vector<int> want(energy);
    for (int i = width; i < n; ++i) {
      int best = want[i - width];
      if (i % width > 0 && want[i - width - 1] < best) best = want[i - width - 1];
      if (i % width < width - 1 && want[i - width + 1] < best) best = want[i - width + 1];
      want[i] += best;
    }
    int* cost = zoo.zeros<int>(n);
    ca_seam_costs<<<1, 736, 2 * 738 * sizeof(int)>>>(zoo.upload(energy), cost, width, height);
    zoo.expect_each(
        "ca_seam_costs", cost, n, 1, [&](size_t i) { return double(want[i]); }, 1e-12);
  }
  if (zoo.runs("ca_vote_lines")) vote_lines(zoo);
  return zoo.done();
}
