// wrong: profiles/6-majority
// mistake: A count of up to 32 does not fit into four bits: it runs over into the next.
// expect: wrong
constexpr int threads = 128;
constexpr int labels = 8;
constexpr int votes = 32;

__global__ void majority_kernel(const unsigned char* label, int* winner, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  unsigned counts = 0;
  for (int k = 0; k < votes; ++k) counts += 1u << (4 * label[k * rows + row]);
  int best = 0, most = counts & 0xf;
  for (int c = 1; c < labels; ++c) {
    const int count = (counts >> (4 * c)) & 0xf;
    if (count > most) most = count, best = c;
  }
  winner[row] = best;
}

void majority(const unsigned char* label, int* winner, int rows) {
  if (rows == 0) return;
  majority_kernel<<<(rows + threads - 1) / threads, threads>>>(label, winner, rows);
}
