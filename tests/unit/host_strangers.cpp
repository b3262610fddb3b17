// What programs of others rely on: names without an include, calls of older CUDA, places in messages.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "../left_out.hpp"
#include "core/compile.hpp"
#include "core/compile/messages.hpp"
#include "host_play.hpp"

using namespace dojo;
using host_test::Played;

TEST_CASE("time(), clock() and CLOCKS_PER_SEC need no include, as with nvcc; units of time are literals") {
  const Played p = host_test::play(R"(#include <cstdio>
int first() {
  srand(time(NULL));
  return int((clock() - clock()) / CLOCKS_PER_SEC);
}
#include <chrono>
#include <thread>
int main() {
  using namespace std::chrono_literals;
  std::this_thread::sleep_for(5ms);
  const auto d = 1500ms;
  const long whole = long(std::chrono::duration_cast<std::chrono::seconds>(d).count());
  printf("%d %ld %g %d\n", first(), whole, (0.5s).count(), d == 1.5s);
}
)");
  for (const Diagnostic& d : p.findings) MESSAGE(d.message);
  CHECK(p.printed == "0 1 0.5 1\n");
}

TEST_CASE("cudaStreamAddCallback calls back in the order of its stream") {
  const Played p = host_test::play(R"(#include <cstdio>
__global__ void fill(int* p) { *p = 3; }
void CUDART_CB done(cudaStream_t s, cudaError_t e, void* data) {
  printf("%d %d %d\n", s != nullptr, int(e), *(int*)data);
}
int main() {
  cudaStream_t s;
  int* p;
  cudaStreamCreate(&s);
  cudaMallocManaged(&p, 4);
  fill<<<1, 1, 0, s>>>(p);
  cudaStreamAddCallback(s, done, p, 0);
  cudaStreamSynchronize(s);
  cudaFree(p);
  cudaStreamDestroy(s);
}
)");
  for (const Diagnostic& d : p.findings) MESSAGE(d.message);
  CHECK(p.printed == "1 0 3\n");
  CHECK(p.findings.empty());
}

TEST_CASE("a host function in a stream has what came before it; the program must still wait") {
  const Played p = host_test::play(R"(#include <cstdio>
__global__ void fill(int* p) { *p = 3; }
void show(void* p) { printf("%d\n", *(int*)p); }
int main() {
  cudaStream_t s, other;
  int *p, *q, *pinned;
  cudaStreamCreate(&s);
  cudaStreamCreate(&other);
  cudaMallocManaged(&p, 4);
  cudaMalloc(&q, 4);
  cudaMallocHost(&pinned, 4);
  fill<<<1, 1, 0, s>>>(p);
  fill<<<1, 1, 0, s>>>(q);
  cudaMemcpyAsync(pinned, q, 4, cudaMemcpyDeviceToHost, s);
  cudaLaunchHostFunc(s, show, p);
  cudaLaunchHostFunc(s, show, pinned);
  printf("%d\n", *p);
}
)");
  CHECK(p.printed.starts_with("3\n3\n"));
  const auto race = std::find_if(p.findings.begin(), p.findings.end(),
                                 [](const Diagnostic& d) { return d.kind == FindingKind::race; });
  REQUIRE(race != p.findings.end());
  CHECK(race->where.line == 17);
}

TEST_CASE("a wait for one stream ends that stream's work, and what an event ordered before it") {
  const auto race_line = [](const char* waits) {
    const Played p = host_test::play(R"(#include <cstdio>
__global__ void fill(int* p) { *p = 3; }
int main() {
  cudaStream_t a, b;
  cudaEvent_t e;
  int *p, *q;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreate(&e);
  cudaMallocManaged(&p, 4);
  cudaMallocManaged(&q, 4);
  fill<<<1, 1, 0, a>>>(p);
  fill<<<1, 1, 0, b>>>(q);
  )" + std::string(waits) + R"(
  printf("%d\n", *p);
  printf("%d\n", *q);
}
)");
    const auto race = std::find_if(p.findings.begin(), p.findings.end(),
                                   [](const Diagnostic& d) { return d.kind == FindingKind::race; });
    return race == p.findings.end() ? 0 : race->where.line;
  };
  CHECK(race_line("") == 15);
  CHECK(race_line("cudaStreamSynchronize(a);") == 16);
  CHECK(race_line("cudaStreamSynchronize(a); cudaStreamSynchronize(b);") == 0);
  CHECK(race_line("cudaStreamSynchronize(0);") == 15);
  CHECK(race_line("cudaEventRecord(e, b); cudaStreamWaitEvent(a, e, 0); cudaStreamSynchronize(a);") == 0);
  CHECK(race_line("cudaStreamSynchronize(a); cudaEventRecord(e, b); cudaStreamWaitEvent(0, e, 0);"
                  "cudaStreamSynchronize(0);") == 0);
}

TEST_CASE("a call that a function of our headers makes has the line of the program, inlined or not") {
  const Played p = host_test::play(R"(#include <cstdio>
int main(int argc, char**) {
  cudaError_t (*volatile allocate)(float**, size_t, unsigned) = cudaMallocManaged<float>;
  float* p;
  allocate(&p, 64, cudaMemAttachGlobal);
}
)");
  REQUIRE(p.findings.size() == 1);
  CHECK(p.findings.front().where.file == "t.cu");
  CHECK(p.findings.front().where.line == 5);
}

TEST_CASE("the least integer divided by -1 in host code is a finding; in a kernel it wraps as on a GPU") {
  const std::string text = R"(#include <cstdio>
#include <climits>
__global__ void k(int* p) { *p = *p / p[1]; }
int main(int argc, char** argv) {
  int* p;
  cudaMallocManaged(&p, 8);
  p[0] = INT_MIN, p[1] = -1;
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%d\n", p[0] == INT_MIN);
  volatile long long least = LLONG_MIN;
  volatile short little = SHRT_MIN, minus = -1;
  printf("%d %d\n", little / minus, argc > 1 ? 0 : (p[0] + 1) / p[1] == INT_MAX);
  if (argc > 2) printf("%lld\n", least % p[1]);
  if (argc > 1) printf("%d\n", p[0] / p[1]);
  cudaFree(p);
}
)";
  const Played fine = host_test::play(text);
  for (const Diagnostic& d : fine.findings) MESSAGE(d.message);
  CHECK(fine.printed == "1\n32768 1\n");
  CHECK(fine.findings.empty());
  const Played bad = host_test::play(text, {"x"});
  REQUIRE(!bad.findings.empty());
  CHECK(bad.findings.front().where.line == 15);
  CHECK(bad.findings.front().message ==
        "Host code divides -2147483648 by -1. The quotient 2147483648 does not fit its type of 32 bits: the "
        "result is "
        "undefined. Test for this case first, or use a wider type.");
  const Played remainder = host_test::play(text, {"x", "y"});
  REQUIRE(!remainder.findings.empty());
  CHECK(remainder.findings.front().where.line == 14);
}

TEST_CASE("what programs of others need and is not here says what to do") {
  using compile_detail::not_there;
  for (const char* name : {"cuInit", "CUresult", "CUDA_SUCCESS", "CU_STREAM_DEFAULT", "CUDA_ERROR_NOT_FOUND"})
    CHECK(not_there("identifier \"" + std::string(name) + "\" is undefined").find("warpdojo exec") !=
          std::string::npos);
  for (const char* name : {"CUBE", "CUDA_CHECK", "custom", "cu"})
    CHECK(not_there("identifier \"" + std::string(name) + "\" is undefined").empty());
  CHECK(not_there("cannot pass an argument with a user-provided destructor to a device-side kernel launch")
            .find("warpdojo exec") != std::string::npos);
}

TEST_CASE("a vector copies an element once and destroys the first one first, as libstdc++ does") {
  const Played p = host_test::play(R"(#include <cstdio>
#include <vector>
struct Loud {
  int n;
  explicit Loud(int k) : n(k) {}
  Loud(const Loud& o) : n(o.n) { printf("copy %d ", n); }
  Loud(Loud&& o) noexcept : n(o.n) { o.n = 0; }
  Loud& operator=(const Loud&) = default;
  ~Loud() {
    if (n) printf("~%d ", n);
  }
};
int main() {
  std::vector<Loud> v;
  v.reserve(4);
  const Loud one(1);
  v.push_back(one);
  v.emplace_back(2);
  v.push_back(Loud(3));
  v.push_back(v[1]);
  printf("| ");
  v.clear();
}
)");
  CHECK(p.printed == "copy 1 copy 2 | ~1 ~2 ~3 ~2 ~1 ");
}

TEST_CASE("a file with Markdown around its code says so") {
  CompileRequest r;
  r.file = "t.cu";
  r.source = "Here is the code:\n```cpp\n__global__ void k() {}\nint main() {}\n```\n";
  r.program = true;
  const Compiled c = compile(r);
  REQUIRE(!c.diagnostics.empty());
  CHECK(c.diagnostics.front().where.line == 2);
  CHECK(c.diagnostics.front().message.find("Markdown") != std::string::npos);
  r.source = "// ```\nint main() { const char* s = \"```\"; return s[0] == '`'; }\n";
  CHECK(compile(r).ok);
}

TEST_CASE("clang: a function takes any cooperative group as thread_group") {
  const host_test::ChosenCompiler clang("clang");
  if (needs::left_out_without("clang-19")) return;
  const Played p = host_test::play(R"(#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__device__ int sum(cg::thread_group g, int* room, int v) {
  const int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    room[lane] = v;
    g.sync();
    if (lane < i) v += room[lane + i];
    g.sync();
  }
  return v;
}
__global__ void k(int* out) {
  __shared__ int room[128];
  auto block = cg::this_thread_block();
  const int all = sum(block, room, 1);
  auto tile = cg::tiled_partition<16>(block);
  const int some = sum(tile, room + threadIdx.x / 16 * 16, int(threadIdx.x / 16));
  cg::thread_group four = cg::tiled_partition(block, 4);
  const int few = sum(four, room + threadIdx.x / 4 * 4, 1);
  if (block.thread_rank() == 0) out[0] = all;
  if (threadIdx.x == 48) out[1] = some, out[2] = few;
}
int main() {
  int* out;
  cudaMallocManaged(&out, 12);
  k<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[1], out[2]);
  cudaFree(out);
}
)");
  for (const Diagnostic& d : p.findings) MESSAGE(d.message);
  CHECK(p.printed == "128 48 4\n");
}
