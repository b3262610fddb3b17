// Files as C and C++ have them, read back by other means than they were written by.
#include <getopt.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

__global__ void twice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 4;
  FILE* f = fopen("numbers.txt", "w");
  fprintf(f, "%d\n", n);
  for (int i = 0; i < n; ++i) fprintf(f, "%g ", i + 0.5);
  fputs("\nend of list\n", f);
  fclose(f);

  float h[n];
  int count = 0;
  char word[16], rest[32];
  f = fopen("numbers.txt", "r");
  if (fscanf(f, "%d", &count) != 1 || count != n) return 1;
  for (int i = 0; i < n; ++i) fscanf(f, "%f", &h[i]);
  fscanf(f, "%15s of %31[a-z]", word, rest);
  printf("%d numbers, then %s/%s, end %d\n", count, word, rest, fgetc(f) == '\n' && fgetc(f) == EOF && feof(f));
  rewind(f);
  printf("first line: %s", fgets(rest, sizeof rest, f));
  fclose(f);

  float *in, *out;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(in, out, n);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);

  {
    std::ofstream o("result.bin", std::ios::out | std::ios::binary);
    o.write(reinterpret_cast<const char*>(h), sizeof h);
  }
  float back[n] = {};
  std::ifstream i("result.bin", std::ios::binary);
  i.read(reinterpret_cast<char*>(back), sizeof back);
  std::cout << back[0] << ' ' << back[3] << ' ' << i.gcount() << '\n';

  std::ifstream lines("numbers.txt");
  std::string line;
  int seen = 0;
  while (std::getline(lines, line)) ++seen;
  std::cout << seen << " lines, last \"" << line << "\"\n";

  std::stringstream s("7 8.5 nine");
  int a;
  double b;
  s >> a >> b >> line;
  std::cout << a << ' ' << b << ' ' << line << ' ' << s.eof() << '\n';

  unsigned x;
  long long big;
  if (sscanf("id=0x1f, -12345678901", "id=%x, %lld", &x, &big) == 2) printf("%u %lld\n", x, big);

  char* words[] = {(char*)"program", (char*)"-v", (char*)"-n12", (char*)"-o", (char*)"out", (char*)"rest"};
  for (int c; (c = getopt(6, words, "vn:o:")) != -1;) printf("-%c %s\n", c, optarg ? optarg : "");
  printf("%s\n", words[optind]);

  std::array<int, 3> p, q;
  for (int k = 0; k < 3; ++k) p[k] = q[k] = k + 1;
  q[2] = 4;
  std::set<std::array<int, 3>> both{p, q, p};
  printf("%d %d %d\n", p == q, p < q, int(both.size()));
  return remove("result.bin") == 0 && remove("result.bin") != 0 ? 0 : 1;
}
