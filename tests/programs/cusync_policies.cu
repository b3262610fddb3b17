// What cusync.cuh promises, for every policy, order and a few awkward grids: each tile is taken once, every wait returns
// with the tiles stored, semaphores are 0 afterwards. Twice each, the second time with the consumer launched first.
#include <cstdio>

#include <cusync.cuh>

struct HalfSync : SyncPolicy {
  static __host__ int semaphores(dim3) { return 2; }
  static __host__ int together(dim3 grid) { return (grid.x + 1) / 2; }
};
struct Short : SyncPolicy {  // leaves tiles without a semaphore: refused
  static __host__ int semaphores(dim3) { return 2; }
  static __host__ int together(dim3) { return 1; }
};

__global__ void produce(CuStage stage, int* c, int* taken, int width) {
  stage.start();
  const uint2 t = stage.tile();
  atomicAdd(&taken[t.y * width + t.x], 1);
  c[t.y * width + t.x] = 1 + t.y * width + t.x;
  stage.post();
}

__global__ void consume(CuStage stage, const int* c, int* e, int width, int steps) {
  stage.start();
  const uint2 t = stage.tile();
  int sum = 0;
  for (int step = 0; step < width * steps; step += steps) {
    stage.wait(c, t.y, step + steps - 1);  // the last step that reads tile step / steps
    sum += c[t.y * width + step / steps];
  }
  e[t.y] = sum;
  stage.post();
}

template <class Policy>
void check(const char* name, int width, int rows, TileOrder order, PostKind posts = AtomicPosts) {
  int *c, *taken, *e;
  cudaMalloc(&c, width * rows * sizeof(int));
  cudaMalloc(&taken, width * rows * sizeof(int));
  cudaMalloc(&e, rows * sizeof(int));
  int wrong = 0;
  for (int again = 0; again < 2; ++again) {
    cudaMemset(c, 0xff, width * rows * sizeof(int));
    cudaMemset(taken, 0, width * rows * sizeof(int));
    cudaDeviceSynchronize();
    {
      CuSync cs;
      CuStage& first = cs.stage(dim3(width, rows), dim3(1), order);
      CuStage& second = cs.stage(dim3(1, rows), dim3(1), RowMajor);
      if (!cs.dependency<Policy>(first, second, c, posts)) ++wrong;
      if (again) {
        second.waitKernel();
        consume<<<second.blocks(), 32, 0, second.stream()>>>(second, c, e, width, Policy::steps);
      }
      produce<<<first.blocks(), 1, 0, first.stream()>>>(first, c, taken, width);
      if (!again) consume<<<second.blocks(), 32, 0, second.stream()>>>(second, c, e, width, Policy::steps);
    }
    int counts[64], sums[8];
    cudaMemcpy(counts, taken, width * rows * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, e, rows * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < width * rows; ++i) wrong += counts[i] != 1;
    for (int r = 0; r < rows; ++r) wrong += sums[r] != width * r * width + width * (width + 1) / 2;
    uint4 words[64];
    cudaMemcpyFromSymbol(words, cusync_words, sizeof words);
    for (uint4 w : words) wrong += w.x || w.y || w.z || w.w;
  }
  printf("%s %d x %d: %d wrong\n", name, width, rows, wrong);
  cudaFree(c);
  cudaFree(taken);
  cudaFree(e);
}

int main() {
  const int shapes[][2] = {{1, 1}, {1, 5}, {5, 1}, {7, 3}};
  for (auto& s : shapes) {
    check<TileSync>("TileSync, rows", s[0], s[1], RowMajor);
    check<TileSync>("TileSync, plain posts, columns", s[0], s[1], ColumnMajor, PlainPosts);
    check<RowSync>("RowSync, columns", s[0], s[1], ColumnMajor);
    check<RowSync>("RowSync, plain posts asked for", s[0], s[1], RowMajor, PlainPosts);
    check<StridedSync<3>>("StridedSync, rows", s[0], s[1], RowMajor);
    check<Conv2DTileSync<3, 3>>("Conv2DTileSync, rows", s[0], s[1], RowMajor);
    check<HalfSync>("halves, columns", s[0], s[1], ColumnMajor);
  }
  check<StridedSync<7>>("StridedSync, strided", 21, 2, Strided(7));
  check<TileSync>("TileSync, a stride that does not divide", 5, 2, Strided(2));
  CuSync cs;
  CuStage& first = cs.stage(dim3(5, 1), dim3(1), RowMajor);
  CuStage& second = cs.stage(dim3(1, 1), dim3(1), RowMajor);
  printf("tiles without a semaphore are %s\n", cs.dependency<Short>(first, second, nullptr) ? "taken" : "refused");
  printf("6 blocks fit in 6 places: %d, in 5: %d\n", cs.fits(6), cs.fits(5));
}
