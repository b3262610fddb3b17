// Addresses from data: gathers, scatters, chains, searches, look-ups in a grid.
#include "zoo.cuh"

__global__ void ga_random_gather(const float* table, const int* index, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * table[index[i]];
}

__global__ void ga_scatter(const float* in, const int* to, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[to[i]] = in[i] + 1.0f;
}

__global__ void ga_pointer_chase(const int* next, const int* start, int hops, int* end) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = start[i];
  for (int k = 0; k < hops; ++k) at = next[at];
  end[i] = at;
}

__global__ void ga_binary_search(const float* sorted, int n, const float* query, int* place, int queries) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queries) return;
  const float q = query[i];
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < q)
      low = middle + 1;
    else
      high = middle;
  }
  place[i] = low;
}

// Particles read a field at their place: four cells and their weights.
__global__ void ga_grid_lookup(const float2* field, const float2* place, float2* out, int side, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 p = place[i];
  const int x = int(p.x), y = int(p.y);
  const float fx = p.x - x, fy = p.y - y;
  const float2 a = field[y * side + x], b = field[y * side + x + 1], c = field[(y + 1) * side + x],
               d = field[(y + 1) * side + x + 1];
  out[i] = make_float2((1 - fy) * ((1 - fx) * a.x + fx * b.x) + fy * ((1 - fx) * c.x + fx * d.x),
                       (1 - fy) * ((1 - fx) * a.y + fx * b.y) + fy * ((1 - fx) * c.y + fx * d.y));
}

std::vector<int> permutation(int n, unsigned seed) {
  Random r{seed};
  std::vector<int> p(n);
  for (int i = 0; i < n; ++i) p[i] = i;
  for (int i = n - 1; i > 0; --i) {
    const int j = int(r.below(i + 1)), swap = p[i];
    p[i] = p[j];
    p[j] = swap;
  }
  return p;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ga_random_gather")) {
    const int n = 262144, room = 1000000;
    float* out = zoo.zeros<float>(n);
    ga_random_gather<<<n / 256, 256>>>(zoo.upload(random_floats(room, 1)),
                                       zoo.upload(random_ints(n, 2, room)), out, n);
    zoo.show("ga_random_gather", out, n);
  }
  if (zoo.runs("ga_scatter")) {
    const int n = 200000;
    float* out = zoo.zeros<float>(n);
    ga_scatter<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 3)), zoo.upload(permutation(n, 4)), out,
                                         n);
    zoo.show("ga_scatter", out, n);
  }
  if (zoo.runs("ga_pointer_chase")) {
    const int n = 100000;
    int* end = zoo.zeros<int>(20 * 64);
    ga_pointer_chase<<<20, 64>>>(zoo.upload(permutation(n, 5)), zoo.upload(random_ints(20 * 64, 6, n)), 100,
                                 end);
    zoo.show("ga_pointer_chase", end, 20 * 64);
  }
  if (zoo.runs("ga_binary_search")) {
    const int n = 262144, queries = 200000;
    std::vector<float> sorted(n);
    for (int i = 0; i < n; ++i) sorted[i] = float(i) / n;
    int* place = zoo.zeros<int>(queries);
    ga_binary_search<<<(queries + 127) / 128, 128>>>(zoo.upload(sorted), n,
                                                     zoo.upload(random_floats(queries, 7)), place, queries);
    zoo.show("ga_binary_search", place, queries);
  }
  if (zoo.runs("ga_grid_lookup")) {
    const int side = 300, n = 100000;
    std::vector<float2> field(side * side), place(n);
    Random r{8};
    for (float2& f : field) {
      f.x = r.unit();
      f.y = r.unit();
    }
    for (float2& p : place) {
      p.x = r.unit() * (side - 2);
      p.y = r.unit() * (side - 2);
    }
    float2* out = zoo.zeros<float2>(n);
    ga_grid_lookup<<<(n + 191) / 192, 192>>>(zoo.upload(field), zoo.upload(place), out, side, n);
    zoo.show("ga_grid_lookup", (const float*)out, 2 * n);
  }
  return zoo.done();
}
