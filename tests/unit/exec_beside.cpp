// `exec`: host code and kernels that run at the same time and talk through memory that both reach.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using namespace dojo::exec_test;
using dojo::test::has;

namespace {

/// A kernel on its own stream serves commands through mapped memory while data goes over another stream.
constexpr const char* server = R"cu(#include <cstdio>
#include <cstring>
struct Mail {
  volatile int go, done, stop;
};
__global__ void serve(Mail* m, volatile float* data, int n) {
  __shared__ int command;
  int last = 0;
  while (true) {
    if (threadIdx.x == 0) {
      while (m->go == last && !m->stop) SLEEP;
      command = m->stop ? -1 : m->go;
    }
    __syncthreads();
    if (command < 0) return;
    last = command;
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = data[i] * last;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence_system();
      m->done = last;
    }
  }
}
int main() {
  Mail* m;
  cudaMallocHost(&m, sizeof *m);
  memset((void*)m, 0, sizeof *m);
  const int n = 256;
  float *data, h[n];
  cudaMalloc(&data, sizeof h);
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEvent_t began, ended;
  cudaEventCreate(&began);
  cudaEventCreate(&ended);
  cudaEventRecord(began, a);
  serve<<<1, 128, 0, a>>>(m, data, n);
  cudaEventRecord(ended, a);
  for (int r = 2; r <= 4; ++r) {
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaMemcpyAsync(data, h, sizeof h, cudaMemcpyHostToDevice, b);
    cudaStreamSynchronize(b);
    m->go = r;
    while (m->done != r) {}
    cudaMemcpyAsync(h, data, sizeof h, cudaMemcpyDeviceToHost, b);
    cudaStreamSynchronize(b);
    printf("%d: %g %s %s\n", r, h[n - 1], cudaGetErrorName(cudaStreamQuery(a)),
           cudaGetErrorName(cudaEventQuery(ended)));
  }
  m->stop = 1;
  while (cudaEventQuery(ended) == cudaErrorNotReady) {}
  float ms = 0;
  printf("%s", cudaGetErrorName(cudaEventElapsedTime(&ms, began, ended)));
  printf(" %d %s\n", ms > 0, cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu";

}  // namespace

TEST_CASE("exec: host code sees what a kernel writes while no call waits for it") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void work(int* data, volatile int* done) {
  data[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  __threadfence_system();
  if (threadIdx.x == 0) *done = 1;
  if (threadIdx.x == 0) printf("the kernel's line comes with the next call\n");
}
int main() {
  int *done, *data;
  cudaHostAlloc(&done, sizeof(int), cudaHostAllocMapped);
  cudaMallocManaged(&data, 64 * sizeof(int));
  *done = 0;
  work<<<1, 64>>>(data, done);
  while (*(volatile int*)done == 0) {}
  printf("%d\n", data[5]);
  fflush(stdout);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.status == 0);
  CHECK(s.out == "10\nthe kernel's line comes with the next call\ncudaSuccess\n");
  CHECK(!has(s.err, "not_run"));
}

TEST_CASE("exec: a kernel that stays serves commands of host code, which copies meanwhile") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", server);
  // With a sleep the machine sees a loop that polls, without it a thread that waits for a word to change.
  for (const char* sleep : {"{}", "__nanosleep(100)"}) {
    CAPTURE(sleep);
    const Shell s =
        b(std::string("$W exec --build \"$N -O2 -std=c++17 '-DSLEEP=") + sleep + "' -o p p.cu\" ./p");
    CHECK(s.status == 0);
    CHECK(s.out ==
          "2: 510 cudaErrorNotReady cudaErrorNotReady\n3: 765 cudaErrorNotReady cudaErrorNotReady\n"
          "4: 1020 cudaErrorNotReady cudaErrorNotReady\ncudaSuccess 1 cudaSuccess\n");
    CHECK(!has(s.err, "Race"));
    CHECK(!has(s.err, "eadlock"));
  }
}

TEST_CASE("exec: an event of the default stream comes after a kernel that still runs on another stream") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void wait_for(volatile int* go, volatile int* up, float* data) {
  *up = 1;
  while (!*go) {}
  for (int i = 0; i < 1000; ++i) data[i] += i;
}
int main() {
  int *go, *up;
  float* data;
  cudaMalloc(&data, 4000);
  cudaMemset(data, 0, 4000);
  cudaMallocHost(&go, 4);
  cudaMallocHost(&up, 4);
  *go = *up = 0;
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEvent_t behind, legacy, other;
  cudaEventCreate(&behind);
  cudaEventCreate(&legacy);
  cudaEventCreate(&other);
  wait_for<<<1, 1, 0, a>>>(go, up, data);
  while (!*(volatile int*)up) {}
  cudaEventRecord(behind, a);
  cudaEventRecord(legacy, 0);       // the default stream waits for the kernel
  cudaStreamWaitEvent(b, legacy, 0);
  cudaEventRecord(other, b);        // and so does b
  printf("%s %s\n", cudaGetErrorName(cudaEventQuery(legacy)), cudaGetErrorName(cudaStreamQuery(b)));
  *(volatile int*)go = 1;
  cudaDeviceSynchronize();
  float first = -1, second = -1;
  cudaEventElapsedTime(&first, behind, legacy);
  cudaEventElapsedTime(&second, behind, other);
  printf("%d %d\n", first >= 0, second >= 0);
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.status == 0);
  CHECK(s.out == "cudaErrorNotReady cudaErrorNotReady\n1 1\n");
}

TEST_CASE("exec: a process forks while a kernel runs, and the child's calls return") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <chrono>
#include <cstdio>
#include <thread>
#include <sys/wait.h>
#include <unistd.h>
__global__ void serve(volatile int* stop, volatile int* count) {
  *count = 1;
  while (!*stop) {}
}
int main() {
  int *stop, *count;
  cudaMallocHost(&stop, 4);
  cudaMallocHost(&count, 4);
  *stop = *count = 0;
  serve<<<1, 1>>>(stop, count);
  while (!*(volatile int*)count) {}
  int good = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (!child) {
      int n = 0;
      alarm(5);  // a lock that the child can't get
      const bool counted = cudaGetDeviceCount(&n) == cudaSuccess && n == 1;
      const bool ok = counted && cudaDeviceSynchronize() != cudaSuccess;
      _exit(ok ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    good += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  *(volatile int*)stop = 1;
  printf("%d %s\n", good, cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.status == 0);
  CHECK(s.out == "20 cudaSuccess\n");
}

TEST_CASE("exec: another thread of the host lets a kernel go on that a call waits for") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <chrono>
#include <cstdio>
#include <thread>
__global__ void wait_for(volatile int* flag, int* out) {
  while (!*flag) {}
  *out = *flag + 1;
}
int main() {
  int *flag, *out;
  cudaMallocManaged(&flag, 4);
  cudaMallocManaged(&out, 4);
  *flag = 0;
  wait_for<<<1, 1>>>(flag, out);
  std::thread t([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    *(volatile int*)flag = 41;
  });
  const cudaError_t e = cudaDeviceSynchronize();
  t.join();
  printf("%s %d\n", cudaGetErrorName(e), *out);
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.status == 0);
  CHECK(s.out == "cudaSuccess 42\n");
}

TEST_CASE("exec: a kernel that host code can't help any more is a deadlock, with what to do") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void wait_for(volatile int* flag, volatile int* up) {
  *up = 1;
  while (!*flag) {}
}
__global__ void set(int* flag) { *flag = 1; }
int main(int argc, char**) {
  int *flag, *up;
  cudaMallocManaged(&flag, 4);
  cudaMallocHost(&up, 4);
  *flag = *up = 0;
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  wait_for<<<1, 1, 0, a>>>(flag, up);
  if (argc > 1) {
    while (argc == 2 && !*(volatile int*)up) {}
    set<<<1, 1, 0, b>>>(flag);
  }
  printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(a)));
}
)cu");
  Shell s = b(build_and_run);
  CHECK(s.out == "cudaErrorLaunchFailure\n");
  CHECK(has(s.err, "p.cu:4:"));
  CHECK(has(s.err, "waits for flag[0] to change (it holds 0)"));
  CHECK(has(s.err, "Write the word before the call that waits."));
  // What is launched once a kernel runs comes behind it.
  s = b("$W exec ./p late");
  CHECK(s.out == "cudaErrorLaunchFailure\n");
  CHECK(has(s.err, "Host code has launched set since then."));
  // Launched before the first one waits, both run, in this order too.
  s = b("$W exec ./p both at-once");
  CHECK(s.out == "cudaSuccess\n");
  CHECK(!has(s.err, "deadlock"));
  // The device has failed by then: what the program does next is no race with the kernel.
  b.t.write("c.cu", R"cu(#include <cstdio>
__global__ void wait_for(volatile int* flag, int* out) {
  out[0] = 1;
  while (!*flag) {}
}
int main() {
  int *flag, *out, got = 7;
  cudaMalloc(&flag, 4), cudaMalloc(&out, 4);
  cudaMemset(flag, 0, 4);
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  wait_for<<<1, 1, 0, a>>>(flag, out);
  printf("%s", cudaGetErrorName(cudaStreamSynchronize(a)));
  cudaMemcpyAsync(&got, out, 4, cudaMemcpyDeviceToHost, b);
  cudaMemset(flag, 1, 4);
  printf(" %d\n", got);
}
)cu");
  s = b("$W exec --build \"$N -O2 -o c c.cu\" ./c");
  CHECK(s.out == "cudaErrorLaunchFailure 7\n");
  CHECK(has(s.err, "deadlock"));
  CHECK(!has(s.err, "race"));
  // A kernel of another file comes after it in any case.
  b.t.write("a.cu", R"cu(#include <cstdio>
void set(int*, cudaStream_t);
__global__ void wait_for(volatile int* flag) {
  while (!*flag) {}
}
int main() {
  int* flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  wait_for<<<1, 1, 0, a>>>(flag);
  set(flag, b);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  b.t.write("b.cu",
            "__global__ void store(int* flag) { *flag = 1; }\n"
            "void set(int* flag, cudaStream_t s) { store<<<1, 1, 0, s>>>(flag); }\n");
  s = b("$W exec --build \"$N -o ab a.cu b.cu\" ./ab");
  CHECK(s.out == "cudaErrorLaunchFailure\n");
  CHECK(has(s.err, "Host code has launched a kernel of another .cu file since then."));
}

TEST_CASE("exec: a program that is stopped while its kernel waits for host code says for what") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <csignal>
#include <unistd.h>
__global__ void serve(volatile int* stop, volatile int* up) {
  *up = 1;
  while (!*stop) {}
}
int main() {
  int *stop, *up;
  cudaMallocHost(&stop, 4);
  cudaMallocHost(&up, 4);
  *stop = *up = 0;
  serve<<<1, 1>>>(stop, up);
  while (!*(volatile int*)up) {}
  sleep(1);
  raise(SIGTERM);
}
)cu");
  const Shell s = b(build_and_run);
  CHECK(s.status == 128 + 15);
  CHECK(has(s.err, "p.cu:5:"));
  CHECK(has(s.err, "waits for stop[0] to change (it holds 0). Host code goes on without changing it."));
}
