// Graphs and sparse matrices: communities, a colouring, blocks of 4 x 4, and a triangular system by levels.
#include "zoo.cuh"

struct Network {
  std::vector<int> start, to;
};

/// Nodes of up to `most` edges each; most edges lead to near nodes.
Network network(int nodes, int most, unsigned seed) {
  Random r{seed};
  Network g;
  g.start.push_back(0);
  for (int v = 0; v < nodes; ++v) {
    const int edges = 1 + int(r.below(most));
    for (int e = 0; e < edges; ++e) {
      const int far = int(r.below(nodes)), near = (v + 1 + int(r.below(40))) % nodes;
      g.to.push_back(r.below(4) ? near : far == v ? near : far);
    }
    g.start.push_back(int(g.to.size()));
  }
  return g;
}

// Each node takes the label that most of its neighbours have; of equal ones the smallest.
__global__ void nw_label_votes(const int* start, const int* to, const int* label, int* label_next,
                               int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes) return;
  int seen[16], votes[16], kinds = 0;
  for (int e = start[v]; e < start[v + 1]; ++e) {
    const int l = label[to[e]];
    int k = 0;
    while (k < kinds && seen[k] != l) ++k;
    if (k == kinds) {
      seen[k] = l;
      votes[k] = 0;
      ++kinds;
    }
    ++votes[k];
  }
  int best = label[v], most = 0;
  for (int k = 0; k < kinds; ++k)
    if (votes[k] > most || (votes[k] == most && seen[k] < best)) {
      most = votes[k];
      best = seen[k];
    }
  label_next[v] = best;
}

__device__ unsigned priority(unsigned v) {
  v ^= v >> 16;
  v *= 0x45d9f3bu;
  return v ^ v >> 13;
}

// One round of a colouring: a node of higher priority than its uncoloured neighbours takes the first free
// colour.
__global__ void nw_colour_step(const int* start, const int* to, const signed char* colour,
                               signed char* colour_next, int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes) return;
  signed char mine = colour[v];
  if (mine < 0) {
    unsigned used = 0;
    bool highest = true;
    for (int e = start[v]; e < start[v + 1]; ++e) {
      const int w = to[e];
      const int c = colour[w];
      if (c >= 0)
        used |= 1u << (c & 31);
      else if (priority(w) > priority(v))
        highest = false;
    }
    if (highest) mine = (signed char)(__ffs(~used) - 1);
  }
  colour_next[v] = mine;
}

// A matrix of blocks of 4 x 4 doubles: a warp per row of blocks, a half of it per block, a lane per entry.
__global__ void nw_block_rows(const int* start, const int* column, const double* entry, const double* x,
                              double* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  double sum = 0;
  for (int k = start[row] + lane / 16; k < start[row + 1]; k += 2)
    sum += entry[(size_t)16 * k + lane % 16] * x[4 * column[k] + lane % 4];
  sum += __shfl_xor_sync(0xffffffffu, sum, 16);
  sum += __shfl_xor_sync(0xffffffffu, sum, 2);
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  if (lane < 16 && lane % 4 == 0) y[4 * row + lane / 4] = sum;
}

// A lower triangular system in one block: rows of a level need only rows of the levels before.
__global__ void nw_level_solve(const int* level_start, int levels, const int* start, const int* column,
                               const float* entry, const float* right, float* x) {
  for (int level = 0; level < levels; ++level) {
    for (int row = level_start[level] + threadIdx.x; row < level_start[level + 1]; row += blockDim.x) {
      float sum = right[row];
      for (int k = start[row]; k < start[row + 1]; ++k) sum -= entry[k] * x[column[k]];
      x[row] = 0.5f * sum;
    }
    __syncthreads();
  }
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("nw_label_votes")) {
    const int nodes = 16000;
    const Network g = network(nodes, 16, 1);
    int* next = zoo.zeros<int>(nodes);
    nw_label_votes<<<(nodes + 127) / 128, 128>>>(zoo.upload(g.start), zoo.upload(g.to),
                                                 zoo.upload(random_ints(nodes, 2, 30)), next, nodes);
    zoo.show("nw_label_votes", next, nodes);
  }
  if (zoo.runs("nw_colour_step")) {
    const int nodes = 30000;
    const Network g = network(nodes, 10, 3);
    std::vector<signed char> colour(nodes, -1);
    Random r{4};
    for (auto& c : colour)
      if (r.below(3) == 0) c = (signed char)r.below(6);
    signed char* next = zoo.zeros<signed char>(nodes);
    nw_colour_step<<<(nodes + 255) / 256, 256>>>(zoo.upload(g.start), zoo.upload(g.to), zoo.upload(colour),
                                                 next, nodes);
    zoo.show("nw_colour_step", next, nodes);
  }
  if (zoo.runs("nw_block_rows")) {
    const int rows = 2500;
    const Network g = network(rows, 12, 5);
    const auto entry = random_doubles(16 * g.to.size(), 6, -1, 1), x = random_doubles(4 * rows, 7);
    double want = 0;
    for (size_t k = 0; k < g.to.size(); ++k)
      for (int e = 0; e < 16; ++e) want += entry[16 * k + e] * x[4 * g.to[k] + e % 4];
    double* y = zoo.zeros<double>(4 * rows);
    nw_block_rows<<<(rows + 3) / 4, 128>>>(zoo.upload(g.start), zoo.upload(g.to), zoo.upload(entry),
                                           zoo.upload(x), y, rows);
    zoo.expect("nw_block_rows", y, 4 * rows, want, 1e-6);
  }
  if (zoo.runs("nw_level_solve")) {
    const int levels = 14;
    std::vector<int> level_start{0}, start{0}, column;
    Random r{8};
    for (int level = 0; level < levels; ++level) {
      const int before = level_start.back(), rows = 100 + int(r.below(300));
      for (int row = 0; row < rows; ++row) {
        for (unsigned k = level ? 2 + r.below(4) : 0; k > 0; --k) column.push_back(int(r.below(before)));
        start.push_back(int(column.size()));
      }
      level_start.push_back(before + rows);
    }
    const int rows = level_start.back();
    const auto entry = random_floats(column.size(), 9, -0.5f, 0.5f), right = random_floats(rows, 10);
    std::vector<float> x(rows);
    double want = 0;
    for (int row = 0; row < rows; ++row) {
      float sum = right[row];
      for (int k = start[row]; k < start[row + 1]; ++k) sum -= entry[k] * x[column[k]];
      want += x[row] = 0.5f * sum;
    }
    float* found = zoo.zeros<float>(rows);
    nw_level_solve<<<1, 256>>>(zoo.upload(level_start), levels, zoo.upload(start), zoo.upload(column),
                               zoo.upload(entry), zoo.upload(right), found);
    zoo.expect("nw_level_solve", found, rows, want);
  }
  return zoo.done();
}
