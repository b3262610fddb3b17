// Functions with any number of arguments, and signals that the program raises itself.
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

static volatile sig_atomic_t interrupted = 0;
static void on_interrupt(int number) { interrupted = number; }

static void say(const char* level, const char* format, ...) {
  va_list list;
  va_start(list, format);
  printf("[%s] ", level);
  vprintf(format, list);
  va_end(list);
  printf("\n");
}

static int join(char* out, size_t n, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(out, n, format, list);
  va_end(list);
  return length;
}

static double sum(const char* types, ...) {
  va_list list, again;
  va_start(list, types);
  va_copy(again, list);
  double total = 0;
  for (const char* t = types; *t; ++t) total += *t == 'i' ? va_arg(list, int) : va_arg(list, double);
  va_end(list);
  total += 1000 * va_arg(again, int);
  va_end(again);
  return total;
}

__global__ void add(float* x, float v, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] += v;
}

int main() {
  signal(SIGINT, on_interrupt);
  const int n = 100;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  int rounds = 0;
  for (; rounds < 50 && !interrupted; ++rounds) {
    add<<<2, 64>>>(x, 0.5f, n);
    if (rounds == 9) raise(SIGINT);
  }
  float last = 0;
  cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  char text[16];
  const int length = join(text, sizeof text, "%d rounds, signal %d, %.2f", rounds, int(interrupted), last);
  say("info", "%s (%d) %5.1f %c %ld", text, length, 1.5f, 'x', 1L << 40);
  say("info", "%g", sum("iidi", 3, 4, 0.25, 5));
  cudaFree(x);
}
