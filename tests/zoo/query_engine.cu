// Operators of a database: a sort within blocks, both sides of a hash join, and a grouped sum.
#include "zoo.cuh"

// A block sorts 256 keys of 16 bits, one bit per pass: zeros to the front, ones behind them.
__global__ void qe_radix_split(const unsigned* in, unsigned* out) {
  __shared__ unsigned key[256];
  __shared__ int zeros[8];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned mine = in[blockIdx.x * 256 + t];
  for (int bit = 0; bit < 16; ++bit) {
    const bool one = mine >> bit & 1;
    const unsigned ones = __ballot_sync(0xffffffffu, one);
    if (lane == 0) zeros[warp] = 32 - __popc(ones);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < 8; ++w) {
      before += w < warp ? zeros[w] : 0;
      all += zeros[w];
    }
    const int zeros_before = before + lane - __popc(ones & ((1u << lane) - 1));
    key[one ? all + t - zeros_before : zeros_before] = mine;
    __syncthreads();
    mine = key[t];
  }
  out[blockIdx.x * 256 + t] = mine;
}

__host__ __device__ unsigned bucket_of(unsigned key, unsigned buckets) {
  key ^= key >> 16;
  key *= 0x7feb352du;
  key ^= key >> 15;
  return key & (buckets - 1);
}

// The build side of a join: each row becomes the head of its bucket's list.
__global__ void qe_join_build(const unsigned* key, unsigned buckets, int* head, int* next, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) next[row] = atomicExch(&head[bucket_of(key[row], buckets)], row);
}

// The probe side: the sum of the prices of all rows with the same key.
__global__ void qe_join_probe(const unsigned* probe, const unsigned* key, const int* price, const int* head,
                              const int* next, unsigned buckets, int* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned wanted = probe[i];
  int sum = 0;
  for (int row = head[bucket_of(wanted, buckets)]; row >= 0; row = next[row])
    if (key[row] == wanted) sum += price[row];
  total[i] = sum;
}

// SELECT SUM(v) GROUP BY k: lanes with the same key add up first, then blocks in shared memory.
__global__ void qe_group_by_match(const unsigned char* key, const int* value, int groups,
                                  unsigned long long* sums, int n) {
  extern __shared__ unsigned partial[];
  for (int g = threadIdx.x; g < groups; g += blockDim.x) partial[g] = 0;
  __syncthreads();
  const int stride = gridDim.x * blockDim.x, rounds = (n + stride - 1) / stride;
  for (int r = 0; r < rounds; ++r) {
    const int i = r * stride + blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned k = i < n ? key[i] : 0, v = i < n ? value[i] : 0;
    const unsigned peers = __match_any_sync(0xffffffffu, k);
    const unsigned sum = __reduce_add_sync(peers, v);
    if (int(threadIdx.x % 32) == __ffs(peers) - 1) atomicAdd(&partial[k], sum);
  }
  __syncthreads();
  for (int g = threadIdx.x; g < groups; g += blockDim.x)
    if (partial[g]) atomicAdd(&sums[g], (unsigned long long)partial[g]);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("qe_radix_split")) {
    const int blocks = 220, n = blocks * 256;
    auto in = random_words(n, 1);
    for (unsigned& k : in) k &= 0xffff;
    unsigned* out = zoo.zeros<unsigned>(n);
    qe_radix_split<<<blocks, 256>>>(zoo.upload(in), out);
    zoo.show("qe_radix_split", out, n);
    const auto sorted = zoo.download(out, n);
    for (int i = 1; i < n; ++i)
      if (i % 256 && sorted[i - 1] > sorted[i]) {
        printf("qe_radix_split: WRONG order at %d\n", i);
        break;
      }
  }
  const unsigned buckets = 16384;
  if (zoo.runs("qe_join_build")) {
    const int n = 45000;
    int* lists = zoo.zeros<int>(buckets + n);
    zoo.ok(cudaMemset(lists, 0xff, buckets * sizeof(int)));
    qe_join_build<<<(n + 255) / 256, 256>>>(zoo.upload(random_words(n, 2)), buckets, lists, lists + buckets,
                                            n);
    // Each row is in one place, and each bucket's list ends with -1.
    zoo.expect("qe_join_build", lists, buckets + n, 0.5 * n * (n - 1) - buckets, 1e-9);
  }
  if (zoo.runs("qe_join_probe")) {
    const int rows = 20000, n = 50000;
    std::vector<unsigned> key(rows), probe(n);
    std::vector<int> head(buckets, -1), next(rows);
    const auto price = random_ints(rows, 3, 1000);
    Random r{4};
    for (int i = 0; i < rows; ++i) {
      key[i] = r.below(15000) * 2654435761u;
      int& h = head[bucket_of(key[i], buckets)];
      next[i] = h;
      h = i;
    }
    double want = 0;
    for (unsigned& p : probe) {
      p = r.below(30000) * 2654435761u;
      for (int row = head[bucket_of(p, buckets)]; row >= 0; row = next[row])
        want += key[row] == p ? price[row] : 0;
    }
    int* total = zoo.zeros<int>(n);
    qe_join_probe<<<(n + 127) / 128, 128>>>(zoo.upload(probe), zoo.upload(key), zoo.upload(price),
                                            zoo.upload(head), zoo.upload(next), buckets, total, n);
    zoo.expect("qe_join_probe", total, n, want, 1e-9);
  }
  if (zoo.runs("qe_group_by_match")) {
    const int n = 80000, groups = 48;
    std::vector<unsigned char> key(n);
    Random r{5};
    for (auto& k : key) k = (unsigned char)(r.below(2) ? r.below(4) : r.below(groups));
    const auto value = random_ints(n, 6, 500);
    double want = 0;
    for (int v : value) want += v;
    auto* sums = zoo.zeros<unsigned long long>(groups);
    qe_group_by_match<<<66, 256, groups * sizeof(unsigned)>>>(zoo.upload(key), zoo.upload(value), groups,
                                                              sums, n);
    zoo.expect("qe_group_by_match", sums, groups, want, 1e-9);
  }
  return zoo.done();
}
