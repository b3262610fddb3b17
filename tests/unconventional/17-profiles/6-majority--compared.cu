// unconventional: profiles/6-majority
// Eight counts with constant indices, each compared with every vote.
constexpr int threads = 128;
constexpr int labels = 8;
constexpr int votes = 32;

__global__ void majority_kernel(const unsigned char* label, int* winner, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  int count[labels] = {};
  for (int k = 0; k < votes; ++k) {
    const int vote = label[k * rows + row];
#pragma unroll
    for (int c = 0; c < labels; ++c) count[c] += vote == c;
  }
  int best = 0;
  int most = count[0];
#pragma unroll
  for (int c = 1; c < labels; ++c)
    if (count[c] > most) most = count[c], best = c;
  winner[row] = best;
}

void majority(const unsigned char* label, int* winner, int rows) {
  if (rows == 0) return;
  majority_kernel<<<(rows + threads - 1) / threads, threads>>>(label, winner, rows);
}
