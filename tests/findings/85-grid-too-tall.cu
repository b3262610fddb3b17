// Launch limit: a grid has at most 65535 blocks in y.
#include <cstdio>

__global__ void mark(unsigned char* row, int rows) {
  int y = blockIdx.y;  // fix: int y = blockIdx.x;
  if (threadIdx.x == 0 && y < rows) row[y] = 1;
}

int main() {
  const int rows = 70000;
  unsigned char *row, h = 0;
  cudaMalloc(&row, rows);
  cudaMemset(row, 0, rows);
  mark<<<dim3(1, rows), 32>>>(row, rows);  // expect: launch_error // fix: mark<<<dim3(rows, 1), 32>>>(row, rows);
  cudaMemcpy(&h, row + rows - 1, 1, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(row);
}
