// unconventional: profiles/6-majority
// The votes of a row as three words of bits. A count is a popc.
__global__ void k(const unsigned char* __restrict__ label, int* __restrict__ winner, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  unsigned b0 = 0, b1 = 0, b2 = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    const unsigned v = label[k * rows + row];
    b0 |= (v & 1) << k; b1 |= (v >> 1 & 1) << k; b2 |= (v >> 2 & 1) << k;
  }
  int best = 0, most = -1;
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const int m = __popc((c & 1 ? b0 : ~b0) & (c & 2 ? b1 : ~b1) & (c & 4 ? b2 : ~b2));
    if (m > most) { most = m; best = c; }
  }
  winner[row] = best;
}
void majority(const unsigned char* l, int* w, int rows) { if (rows) k<<<(rows + 255) / 256, 256>>>(l, w, rows); }
