// Kernels that launch kernels: launches of one thread run one after the other, each with all that it launches.
// nvcc needs -rdc=true.
#include <cstdio>

// Adds the numbers from first to first + count - 1 into *sum. Halves of more than four are launches.
__global__ void add_up(int first, int count, int* sum) {
  if (count > 4) {
    add_up<<<1, 1>>>(first, count / 2, sum);
    add_up<<<1, 1>>>(first + count / 2, count - count / 2, sum);
    return;
  }
  for (int i = 0; i < count; ++i) atomicAdd(sum, first + i);
}

__global__ void append(int digit, long long* number) { *number = *number * 10 + digit; }

__global__ void in_order(long long* number) {
  for (int digit = 1; digit <= 5; ++digit) append<<<1, 1>>>(digit, number);
}

int main() {
  int* sum = nullptr;
  long long* number = nullptr;
  cudaMallocManaged(&sum, sizeof *sum);
  cudaMallocManaged(&number, sizeof *number);
  *sum = 0;
  *number = 0;
  add_up<<<1, 1>>>(1, 100, sum);
  in_order<<<1, 1>>>(number);
  cudaDeviceSynchronize();
  printf("sum %d, in order %lld, %s\n", *sum, *number, cudaGetErrorString(cudaGetLastError()));
  cudaFree(sum);
  cudaFree(number);
}
