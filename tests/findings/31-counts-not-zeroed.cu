// Uninitialised, global: the bins are counted up from whatever the memory held.
#include <cstdio>
#include <vector>

__global__ void count(const unsigned char* text, int n, int* letters) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&letters[text[i] & 31], 1);  // expect: uninitialized // fix: if (i < n) atomicAdd(&letters[text[i] & 31], 1);
}

int main() {
  const int n = 1000;
  std::vector<unsigned char> h(n);
  for (int i = 0; i < n; ++i) h[i] = 'a' + i % 26;
  unsigned char* text;
  int *letters, r[32];
  cudaMalloc(&text, n);
  cudaMalloc(&letters, sizeof r);
  cudaMemcpy(text, h.data(), n, cudaMemcpyHostToDevice);
  // fix: cudaMemset(letters, 0, sizeof r);
  count<<<8, 128>>>(text, n, letters);
  cudaMemcpy(r, letters, sizeof r, cudaMemcpyDeviceToHost);
  printf("%d\n", r[1]);
  cudaFree(text);
  cudaFree(letters);
}
