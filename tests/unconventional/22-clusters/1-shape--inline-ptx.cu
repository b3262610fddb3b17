// unconventional: clusters/1-shape
// Rank and number from special registers, in PTX.
__global__ void __cluster_dims__(4, 1, 1) k(int* rank, int* number, int n) {
  unsigned r, c;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(c));
  const int b = blockIdx.x;
  if (b < n) {
    rank[b] = r;
    number[b] = c;
  }
}
void shape(int* rank, int* number, int n) {
  if (n) k<<<(n + 3) / 4 * 4, 1>>>(rank, number, n);
}
