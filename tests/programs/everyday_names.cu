// What programs use without a header of their own, or from everyday headers.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <random>
#include <sstream>
#include <string>
#include <vector>

__global__ void builtins(int* out) {
  const int five = 5;
  if (threadIdx.x == 0) {
    __builtin_memcpy(out, &five, sizeof five);
    out[1] = __builtin_popcount(7);
  }
  __sync_fetch_and_add(out + 2, 3);
}

int main() {
  const int n = 16;
  const uint u = 3;
  printf("%g %g %g %g %u\n", sqrt(n), pow(2, n), ceil(n / 3), log2(n), u);

  std::vector<int> v{3, 1, 2};
  std::swap(v[0], v[2]);
  printf("%d %d %d\n", std::max(v[0], v[1]), *v.rbegin(), v.rend() - v.rbegin() == 3);

  std::string s = "hello world";
  s.replace(0, 5, "HELLO");
  printf("%s %d %d\n", s.c_str(), int(s.rfind('o')), int(s.rfind("xyz") == std::string::npos));

  // The 10,000th number of the default seed, by the C++ standard: [rand.predef].
  std::mt19937_64 wide;
  std::mt19937 narrow;
  wide.discard(9999);
  narrow.discard(9999);
  printf("%llu %u\n", (unsigned long long)wide(), unsigned(narrow()));

  std::stringstream text("4 2.5 six\nlast line");
  int whole = 0;
  double real = 0;
  std::string word, line;
  text >> whole >> real >> word;
  getline(text, line);
  getline(text, line);
  printf("%d %g %s '%s' %d\n", whole, real, word.c_str(), line.c_str(), bool(text >> whole));

  int host[3], *out;
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  builtins<<<1, 2>>>(out);
  cudaMemcpy2DAsync(host, sizeof host, out, sizeof host, sizeof host, 1, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  cudaFree(out);
  printf("%d %d %d\n", host[0], host[1], host[2]);

  int count = 0;  // a local of the host
  __sync_fetch_and_add(&count, 2);
  const int was = __sync_val_compare_and_swap(&count, 2, 9);
  std::atomic<int> hits{count};
  hits.fetch_add(2);
  printf("%d %d %d\n", was, count, ++hits);
}
