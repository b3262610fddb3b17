// Two runs of a chain with nothing reset between them, twice: the last block sets the semaphores back. The producer's 8
// columns share 3 semaphores a row, and the tickets go down the columns.
#include <cstdio>

#include <cusync.cuh>

__global__ void produce(CuStage stage, int* c, int width, int add) {
  stage.start();
  const uint2 t = stage.tile();
  c[t.y * width + t.x] = t.y * width + t.x + add;
  stage.post();
}

__global__ void consume(CuStage stage, const int* c, int* e, int width, int parts) {
  stage.start();
  const uint2 t = stage.tile();
  int sum = 0;
  for (int j = t.x; j < width; j += parts) {
    stage.wait(c, t.y, j);
    sum += c[t.y * width + j];
  }
  e[t.y * parts + t.x] = sum;
  stage.post();
}

int main() {
  constexpr int width = 8, rows = 3, parts = 3;
  int *c, *e, sums[parts * rows];
  cudaMalloc(&c, width * rows * sizeof(int));
  cudaMalloc(&e, sizeof sums);
  for (int again = 0; again < 2; ++again) {
    CuSync cs;
    CuStage& first = cs.stage(dim3(width, rows), dim3(1), ColumnMajor);
    CuStage& second = cs.stage(dim3(parts, rows), dim3(1), RowMajor);
    cs.dependency<StridedSync<parts>>(first, second, c);
    for (int run = 0; run < 2; ++run) {
      produce<<<first.blocks(), 1, 0, first.stream()>>>(first, c, width, run);
      if (run == 1) second.waitKernel();
      consume<<<second.blocks(), 1, 0, second.stream()>>>(second, c, e, width, parts);
      cudaDeviceSynchronize();
      cudaMemcpy(sums, e, sizeof sums, cudaMemcpyDeviceToHost);
      for (int sum : sums) printf("%d ", sum);
      printf("\n");
    }
  }
  cudaFree(c);
  cudaFree(e);
}
