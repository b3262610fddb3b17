// Misaligned: records of five bytes, and the int inside each is read as an int.
#include <cstdio>
#include <vector>

__global__ void decode(const unsigned char* stream, int* value, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  const unsigned char* record = stream + 5 * i;
  value[i] = *(const int*)(record + 1);  // expect: misaligned // fix: value[i] = record[1] | record[2] << 8 | record[3] << 16 | record[4] << 24;
}

int main() {
  const int n = 32;
  std::vector<unsigned char> h(5 * n, 1);
  unsigned char* stream;
  int *value, r[n];
  cudaMalloc(&stream, h.size());
  cudaMalloc(&value, sizeof r);
  cudaMemcpy(stream, h.data(), h.size(), cudaMemcpyHostToDevice);
  decode<<<1, 32>>>(stream, value, n);
  cudaMemcpy(r, value, sizeof r, cudaMemcpyDeviceToHost);
  printf("%d\n", r[0]);
  cudaFree(stream);
  cudaFree(value);
}
