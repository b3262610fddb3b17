// Exceptions of host code: caught by their class, a base, a value or anything; thrown again; and what a
// block has done before it was left.
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    const cudaError_t error = (call);                                                   \
    if (error != cudaSuccess)                                                           \
      throw std::runtime_error(std::string(#call ": ") + cudaGetErrorString(error));    \
  } while (0)

struct SizeError : std::invalid_argument {
  int size;
  explicit SizeError(int n) : std::invalid_argument("a size"), size(n) {}
};

__global__ void fill(int* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] = threadIdx.x;
}

int launch(int n) {
  if (n > 512) throw SizeError(n);
  int* p = nullptr;
  CHECK(cudaMalloc(&p, sizeof(int) * 512));
  fill<<<1, n>>>(p, n);
  try {
    CHECK(cudaGetLastError());
  } catch (const std::runtime_error&) {
    cudaFree(p);
    throw;
  }
  int last = 0;
  CHECK(cudaMemcpy(&last, p + (n - 1), sizeof last, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(p));
  return last;
}

int kind(int n) {
  try {
    switch (n) {
      case 0: throw 7;
      case 1: throw "text";
      case 2: throw std::string("string");
      case 3: throw std::out_of_range("range");
      case 4: throw SizeError(4);
      case 5: return 100;
    }
  } catch (int i) {
    return i;
  } catch (const char* s) {
    return s[0];
  } catch (const std::string& s) {
    return int(s.size());
  } catch (SizeError& e) {
    return e.size * 10;
  } catch (const std::logic_error& e) {
    std::cout << "logic: " << e.what() << "\n";
    return 3;
  }
  return -1;
}

struct Depth {
  int left;
  void down() {
    if (left-- == 0) throw std::runtime_error("deep");
    down();
  }
};

int main() {
  for (int n : {32, 0, 1000, 512}) {
    try {
      std::cout << n << ": " << launch(n) << std::endl;
    } catch (const SizeError& e) {
      std::cout << n << ": " << e.what() << " of " << e.size << std::endl;
    } catch (const std::exception& e) {
      std::cout << n << ": " << e.what() << std::endl;
    }
  }
  for (int n = 0; n < 7; ++n) std::printf("%d ", kind(n));
  std::printf("\n");

  int* device = nullptr;
  int rounds = 0, sum = 0, more[2] = {1, 2};
  std::vector<int> seen;
  try {
    cudaMalloc(&device, 64);
    for (int i = 0; i < 10; ++i) {
      ++rounds;
      sum += i;
      more[i % 2] += i;
      seen.push_back(i);
      if (i == 4) throw std::runtime_error("enough");
    }
  } catch (...) {
    std::printf("rounds %d, sum %d, %d %d, seen %d, allocated %d\n", rounds, sum, more[0], more[1],
                int(seen.size()), device != nullptr);
    cudaFree(device);
  }
  for (int i = 0; i < 3; ++i) {
    try {
      if (i == 1) continue;
      Depth d{50 * i};
      d.down();
    } catch (const std::runtime_error& e) {
      std::printf("%d %s\n", i, e.what());
      if (i == 2) break;
    }
  }
  return 0;
}
