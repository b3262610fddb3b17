// Race, global: a generation of the game of life is computed into the board that it is read from.
#include <cstdio>
#include <utility>
#include <vector>

__global__ void generation(const char* board, char* next, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) neighbours += board[(y + dy + h) % h * w + (x + dx + w) % w];
  next[y * w + x] = neighbours == 3 || (neighbours == 2 && board[y * w + x]);  // expect: race // fix: next[y * w + x] = neighbours == 3 || (neighbours == 2 && board[y * w + x]);
}

int main() {
  const int w = 32, h = 24;
  std::vector<char> b(w * h);
  for (int i = 0; i < w * h; ++i) b[i] = (i * i) % 3 == 1;
  char *board, *next;
  cudaMalloc(&board, w * h);
  cudaMalloc(&next, w * h);
  cudaMemcpy(board, b.data(), w * h, cudaMemcpyHostToDevice);
  cudaMemset(next, 0, w * h);
  for (int g = 0; g < 2; ++g) {
    generation<<<dim3(2, 2), dim3(16, 12)>>>(board, board, w, h);  // fix: generation<<<dim3(2, 2), dim3(16, 12)>>>(board, next, w, h);
    std::swap(board, next);  // fix: std::swap(board, next);
  }
  cudaMemcpy(b.data(), board, w * h, cudaMemcpyDeviceToHost);
  printf("%d\n", b[5]);
  cudaFree(board);
  cudaFree(next);
}
