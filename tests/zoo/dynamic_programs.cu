// Dynamic programming: alignments, a knapsack, shortest paths.
#include "zoo.cuh"

// The longest common subsequence of two rows of 256 letters, one block per pair, diagonal after diagonal.
__global__ void dy_lcs_wavefront(const char* a, const char* b, int n, int* length) {
  __shared__ short line[3][258];
  const int t = threadIdx.x;
  const char* p = a + blockIdx.x * n;
  const char* q = b + blockIdx.x * n;
  for (int k = 0; k < 3; ++k)
    for (int i = t; i < 258; i += blockDim.x) line[k][i] = 0;
  __syncthreads();
  for (int d = 0; d < 2 * n - 1; ++d) {
    const int j = d - t;  // the thread's row is t, its column j
    if (j >= 0 && j < n) {
      const short corner = line[(d + 1) % 3][t], up = line[(d + 2) % 3][t], left = line[(d + 2) % 3][t + 1];
      line[d % 3][t + 1] = p[t] == q[j] ? short(corner + 1) : max(up, left);
    }
    __syncthreads();
  }
  if (t == n - 1) length[blockIdx.x] = line[(2 * n - 2) % 3][n];
}

// Local alignment, one pair per thread; the row above lies in global memory.
__global__ void dy_smith_waterman(const unsigned char* query, int rows, const unsigned char* target,
                                  int columns, short* above, int* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  int most = 0;
  for (int c = 0; c < columns; ++c) above[c * n + i] = 0;
  for (int r = 0; r < rows; ++r) {
    const int letter = query[r];
    int left = 0, corner = 0;
    for (int c = 0; c < columns; ++c) {
      const int up = above[c * n + i];
      int h = corner + (letter == target[c * n + i] ? 3 : -2);
      h = max(max(h, 0), max(up, left) - 1);
      corner = up;
      left = h;
      above[c * n + i] = short(h);
      most = max(most, h);
    }
  }
  best[i] = most;
}

__global__ void dy_knapsack_row(const int* before, int* after, int capacity, int weight, int value) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c > capacity) return;
  const int without = before[c];
  after[c] = c >= weight ? max(without, before[c - weight] + value) : without;
}

__global__ void dy_floyd_step(const float* distance, float* next, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= n) return;
  next[i * n + j] = fminf(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("dy_lcs_wavefront")) {
    const int n = 256, pairs = 20;
    std::vector<char> a(n * pairs), b(n * pairs);
    Random r{1};
    for (char& c : a) c = char('a' + r.below(4));
    for (char& c : b) c = char('a' + r.below(4));
    int* length = zoo.zeros<int>(pairs);
    dy_lcs_wavefront<<<pairs, n>>>(zoo.upload(a), zoo.upload(b), n, length);
    zoo.show("dy_lcs_wavefront", length, pairs);
  }
  if (zoo.runs("dy_smith_waterman")) {
    const int n = 50 * 64, rows = 24, columns = 32;
    std::vector<unsigned char> query(rows), target(columns * n);
    Random r{2};
    for (auto& c : query) c = (unsigned char)r.below(4);
    for (auto& c : target) c = (unsigned char)r.below(4);
    int* best = zoo.zeros<int>(n);
    dy_smith_waterman<<<50, 64>>>(zoo.upload(query), rows, zoo.upload(target), columns,
                                  zoo.zeros<short>(columns * n), best);
    zoo.show("dy_smith_waterman", best, n);
  }
  if (zoo.runs("dy_knapsack_row")) {
    const int capacity = 100000;
    int* after = zoo.zeros<int>(capacity + 1);
    dy_knapsack_row<<<(capacity + 256) / 256, 256>>>(zoo.upload(random_ints(capacity + 1, 3, 1000)), after,
                                                     capacity, 777, 250);
    zoo.show("dy_knapsack_row", after, capacity + 1);
  }
  if (zoo.runs("dy_floyd_step")) {
    const int n = 400;
    float* next = zoo.zeros<float>(n * n);
    dy_floyd_step<<<dim3(4, n), 128>>>(zoo.upload(random_floats(n * n, 4)), next, n, 123);
    zoo.show("dy_floyd_step", next, n * n);
  }
  return zoo.done();
}
