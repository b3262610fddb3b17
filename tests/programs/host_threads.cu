// Host threads that take work from a queue, each with a stream of its own, and threads of POSIX.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <queue>
#include <thread>
#include <vector>

__global__ void count(int* to) { atomicAdd(to, 1); }

struct Job {
  int number;
  float* data;
  float last;
};
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int finished = 0;

__global__ void fill(float* p, float v) { p[threadIdx.x] = v; }

static void* run(void* argument) {
  Job* job = static_cast<Job*>(argument);
  fill<<<1, 64>>>(job->data, job->number * 1.5f);
  cudaMemcpy(&job->last, job->data + 63, sizeof(float), cudaMemcpyDeviceToHost);
  pthread_mutex_lock(&guard);
  ++finished;
  pthread_mutex_unlock(&guard);
  return job;
}

int main() {
  std::mutex m;
  std::condition_variable changed;
  std::queue<int> work;
  bool all = false;
  int* counts;
  cudaMallocManaged(&counts, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) counts[i] = 0;
  std::vector<std::thread> workers;
  for (int t = 0; t < 3; ++t)
    workers.emplace_back([&] {
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      for (;;) {
        int next = 0;
        {
          std::unique_lock<std::mutex> lock(m);
          changed.wait(lock, [&] { return !work.empty() || all; });
          if (work.empty()) break;
          next = work.front();
          work.pop();
        }
        count<<<1, 32, 0, stream>>>(counts + next % 4);
      }
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    });
  for (int i = 0; i < 20; ++i) {
    {
      std::lock_guard<std::mutex> lock(m);
      work.push(i);
    }
    changed.notify_one();
  }
  {
    std::lock_guard<std::mutex> lock(m);
    all = true;
  }
  changed.notify_all();
  for (std::thread& t : workers) t.join();
  cudaDeviceSynchronize();
  std::printf("%d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);
  cudaFree(counts);

  pthread_t threads[3];
  Job jobs[3];
  for (int i = 0; i < 3; ++i) {
    jobs[i].number = i;
    cudaMalloc(&jobs[i].data, 64 * sizeof(float));
    pthread_create(&threads[i], nullptr, run, &jobs[i]);
  }
  for (int i = 0; i < 3; ++i) {
    void* result = nullptr;
    pthread_join(threads[i], &result);
    const Job* job = static_cast<Job*>(result);
    std::printf("%d: %g\n", job->number, job->last);
    cudaFree(job->data);
  }
  std::printf("%d finished\n", finished);
}
