// What host calls, copies over PCIe, events and graphs cost, and which of them run side by side.
//   nvcc -O3 -std=c++17 -arch=sm_90 overlap.cu -o overlap && ./overlap
// Each figure is the least of several repetitions, by the host's clock, in microseconds unless a line says
// GB/s. "call" is the time until the call returns; "all" is until the device is idle again.
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

__global__ void empty() {}
__global__ void wait_ns(unsigned ns) {
  const long long until = clock64() + (long long)ns * 2;  // about 2 GHz
  while (clock64() < until) {
  }
}

static double now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
struct Cost {
  double call, all;
};
static Cost least(const std::function<void()>& work, int times = 30) {
  Cost best{1e9, 1e9};
  for (int i = 0; i < times; ++i) {
    cudaDeviceSynchronize();
    const double t0 = now();
    work();
    const double t1 = now();
    cudaDeviceSynchronize();
    const double t2 = now();
    best.call = std::min(best.call, t1 - t0);
    best.all = std::min(best.all, t2 - t0);
  }
  return best;
}

int main() {
  const size_t most = size_t(256) << 20;
  char *pinned, *pinned2, *device, *device2, *pageable = new char[most];
  if (cudaMallocHost(&pinned, most) != cudaSuccess || cudaMallocHost(&pinned2, most) != cudaSuccess ||
      cudaMalloc(&device, most) != cudaSuccess || cudaMalloc(&device2, most) != cudaSuccess)
    return printf("no GPU\n"), 1;
  for (size_t i = 0; i < most; i += 4096) pageable[i] = pinned[i] = pinned2[i] = 1;
  cudaStream_t s[4];
  for (auto& x : s) cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  int least_priority, greatest;
  cudaDeviceGetStreamPriorityRange(&least_priority, &greatest);
  printf("# %s, overlap.cu; copy engines %d, priorities %d to %d\n", p.name, p.asyncEngineCount,
         least_priority, greatest);

  const auto up = cudaMemcpyHostToDevice, down = cudaMemcpyDeviceToHost;
  printf("synchronize idle %.2f\n", least([] { cudaDeviceSynchronize(); }, 200).call);
  printf(
      "# copies: bytes, pinned async up call/all, down call/all, pinned blocking up, down, pageable blocking "
      "up, down, pageable async up call/all\n");
  for (size_t n : {4ul, 4096ul, 65536ul, 1ul << 20, 4ul << 20, 16ul << 20, 64ul << 20, most}) {
    const Cost u = least([&] { cudaMemcpyAsync(device, pinned, n, up, s[0]); });
    const Cost d = least([&] { cudaMemcpyAsync(pinned2, device2, n, down, s[0]); });
    const Cost bu = least([&] { cudaMemcpy(device, pinned, n, up); }),
               bd = least([&] { cudaMemcpy(pinned2, device2, n, down); });
    const Cost pu = least([&] { cudaMemcpy(device, pageable, n, up); }, 10),
               pd = least([&] { cudaMemcpy(pageable, device2, n, down); }, 10);
    const Cost pa = least([&] { cudaMemcpyAsync(device, pageable, n, up, s[0]); }, 10);
    printf("%zu, %.2f/%.2f, %.2f/%.2f, %.2f, %.2f, %.2f, %.2f, %.2f/%.2f\n", n, u.call, u.all, d.call, d.all,
           bu.call, bd.call, pu.call, pd.call, pa.call, pa.all);
  }
  printf(
      "# 100 copies in one stream, per copy: bytes, up call/all, down call/all; on two streams up; up and "
      "down at once on two streams\n");
  for (size_t n : {4ul, 4096ul, 65536ul, 262144ul, 1ul << 20}) {
    const auto many = [&](auto one) {
      return least(
          [&] {
            for (int i = 0; i < 100; ++i) one(i);
          },
          10);
    };
    const Cost u = many([&](int i) { cudaMemcpyAsync(device + i * n, pinned + i * n, n, up, s[0]); });
    const Cost d = many([&](int i) { cudaMemcpyAsync(pinned2 + i * n, device2 + i * n, n, down, s[0]); });
    const Cost two = many([&](int i) { cudaMemcpyAsync(device + i * n, pinned + i * n, n, up, s[i % 2]); });
    const Cost both = many([&](int i) {
      if (i % 2)
        cudaMemcpyAsync(device + i * n, pinned + i * n, n, up, s[0]);
      else
        cudaMemcpyAsync(pinned2 + i * n, device2 + i * n, n, down, s[1]);
    });
    printf("%zu, %.2f/%.2f, %.2f/%.2f, %.2f, %.2f\n", n, u.call / 100, u.all / 100, d.call / 100, d.all / 100,
           two.all / 100, both.all / 100);
  }
  const double gb = double(most) / 1e3;
  const Cost u1 = least([&] { cudaMemcpyAsync(device, pinned, most, up, s[0]); }, 5),
             d1 = least([&] { cudaMemcpyAsync(pinned2, device2, most, down, s[0]); }, 5);
  const Cost ud = least(
      [&] {
        cudaMemcpyAsync(device, pinned, most, up, s[0]);
        cudaMemcpyAsync(pinned2, device2, most, down, s[1]);
      },
      5);
  const Cost uu = least(
      [&] {
        cudaMemcpyAsync(device, pinned, most, up, s[0]);
        cudaMemcpyAsync(device2, pinned2, most, up, s[1]);
      },
      5);
  printf("256 MiB: up %.1f GB/s, down %.1f GB/s, both at once %.1f GB/s each, two up %.1f GB/s together\n",
         gb / u1.all, gb / d1.all, gb / ud.all, 2 * gb / uu.all);

  // A kernel of 10 ms beside a copy of 256 MiB, and one in the copy's own stream.
  const auto long_kernel = [&](cudaStream_t to) { wait_ns<<<1, 32, 0, to>>>(10000000); };
  const Cost k1 = least([&] { long_kernel(s[1]); }, 5);
  const Cost ku = least([&] { cudaMemcpyAsync(device, pinned, most, up, s[0]), long_kernel(s[1]); }, 5);
  const Cost own = least([&] { cudaMemcpyAsync(device, pinned, most, up, s[0]), long_kernel(s[0]); }, 5);
  const Cost page = least([&] { long_kernel(s[1]), cudaMemcpyAsync(device, pageable, most, up, s[0]); }, 5);
  printf(
      "kernel %.0f, 256 MiB up %.0f, on two streams %.0f, in one stream %.0f; kernel, then pageable 256 MiB "
      "on two streams %.0f\n",
      k1.all, u1.all, ku.all, own.all, page.all);

  cudaEvent_t e[4];
  for (auto& x : e) cudaEventCreateWithFlags(&x, cudaEventDisableTiming);
  printf("event record %.2f, stream wait event %.2f, event query %.2f\n",
         least([&] {
           for (int i = 0; i < 100; ++i) cudaEventRecord(e[0], s[0]);
         }).call /
             100,
         least([&] {
           for (int i = 0; i < 100; ++i) cudaStreamWaitEvent(s[1], e[0], 0);
         }).call /
             100,
         least([&] {
           for (int i = 0; i < 100; ++i) cudaEventQuery(e[0]);
         }).call /
             100);
  // Dependences: chains of 100 kernels of 10 us each.
  const auto chain = [&](auto one) {
    return least(
               [&] {
                 for (int i = 0; i < 100; ++i) one(i);
               },
               5)
               .all /
           100;
  };
  printf("kernel of 10 us in a stream %.2f", chain([&](int) { wait_ns<<<1, 32, 0, s[0]>>>(10000); }));
  printf(", by turns on two streams ordered by events %.2f", chain([&](int i) {
           cudaStreamWaitEvent(s[i % 2], e[1 - i % 2], 0), wait_ns<<<1, 32, 0, s[i % 2]>>>(10000),
               cudaEventRecord(e[i % 2], s[i % 2]);
         }));
  printf(
      ", with a copy of 4 bytes up before each %.2f, down behind each %.2f",
      chain([&](int) { cudaMemcpyAsync(device, pinned, 4, up, s[0]), wait_ns<<<1, 32, 0, s[0]>>>(10000); }),
      chain(
          [&](int) { wait_ns<<<1, 32, 0, s[0]>>>(10000), cudaMemcpyAsync(pinned, device, 4, down, s[0]); }));
  printf(", with cudaStreamSynchronize behind each %.2f, cudaDeviceSynchronize %.2f\n",
         chain([&](int) { wait_ns<<<1, 32, 0, s[0]>>>(10000), cudaStreamSynchronize(s[0]); }),
         chain([&](int) { wait_ns<<<1, 32, 0, s[0]>>>(10000), cudaDeviceSynchronize(); }));

  printf(
      "# chains of kernels: launches, kernel, stream call/all; graph: instantiate, first launch all, launch "
      "call/all\n");
  for (unsigned ns : {0u, 1000u, 2000u, 4000u})
    for (int n : {1, 10, 20, 50, 100, 400}) {
      const auto work = [&](cudaStream_t to) {
        for (int i = 0; i < n; ++i)
          if (ns)
            wait_ns<<<1, 32, 0, to>>>(ns);
          else
            empty<<<1, 32, 0, to>>>();
      };
      const Cost plain = least([&] { work(s[0]); }, 20);
      cudaGraph_t g;
      cudaGraphExec_t x;
      cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);
      work(s[0]);
      cudaStreamEndCapture(s[0], &g);
      double t0 = now();
      cudaGraphInstantiate(&x, g, 0);
      const double made = now() - t0;
      cudaDeviceSynchronize();
      t0 = now();
      cudaGraphLaunch(x, s[0]), cudaDeviceSynchronize();
      const double first = now() - t0;
      const Cost graph = least([&] { cudaGraphLaunch(x, s[0]); }, 20);
      printf("%d, %u ns, %.2f/%.2f; %.2f, %.2f, %.2f/%.2f\n", n, ns, plain.call, plain.all, made, first,
             graph.call, graph.all);
      cudaGraphExecDestroy(x), cudaGraphDestroy(g);
    }
  printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
