// argc, argv and number parsing. Run with: 5 2.5 word
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void power(float x, int n, float* out) {
  float p = 1;
  for (int i = 0; i < n; ++i) p *= x;
  *out = p;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    printf("usage: %s N X WORD\n", argv[0]);
    return 2;
  }
  int n = atoi(argv[1]);
  char* end;
  float x = strtof(argv[2], &end);
  float *d, h;
  cudaMalloc(&d, sizeof(float));
  power<<<1, 1>>>(x, n, d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d arguments; %g^%d = %.5f; %zu letters; rest '%s'\n", argc, x, n, h, strlen(argv[3]), end);
  return strcmp(argv[3], "word") ? 3 : 0;
}
