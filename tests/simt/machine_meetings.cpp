// Lanes that part meet nearer than at the post-dominator: in a loop that other lanes leave, and behind
// chained conditions. What each warp executes and what it computes (ptx/flow/meetings.hpp).
#include "device_fixture.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {

/// One warp of a kernel that gets `in`, a number of rounds and `out`.
struct OneWarp {
  std::vector<int> out;
  double instructions = 0, loads = 0;
  OneWarp(const char* source, const std::vector<int>& in, int rounds) {
    Kernels k(source);
    const uint64_t from = k.buffer_of(in), to = k.buffer_of(std::vector<int>(32, -1));
    const LaunchReport r = k.run(k.spec("k", {1, 1, 1}, {32, 1, 1}, from, to, rounds));
    out = k.read<int>(to, 32);
    instructions = r.counters.at("smsp__inst_executed.sum");
    loads = r.counters.at("smsp__inst_executed_op_global_ld.sum");
  }
};

std::vector<int> numbers(int n) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) all.push_back((i * 7919 + i / 3) % 1000);
  return all;
}

}  // namespace

TEST_CASE("meetings: lanes that either condition sends to a body run it together") {
  const std::vector<int> in = numbers(32 * 64);
  const OneWarp warp(R"(
__global__ void k(const int* in, int* out, int rounds) {
  const int lane = threadIdx.x;
  int sum = 0;
  if (lane % 4 == 0 || lane % 4 == 3) {
    for (int i = 0; i < rounds; ++i) sum = sum * 5 + in[i * 32 + lane] % (sum % 16 + 17);
  }
  out[lane] = sum;
}
)",
                     in, 64);
  CHECK(warp.loads == 64);
  for (int lane = 0; lane < 32; ++lane) {
    int sum = 0;
    for (int i = 0; i < 64 && (lane % 4 == 0 || lane % 4 == 3); ++i)
      sum = int(unsigned(sum) * 5u + unsigned(in[size_t(i * 32 + lane)] % (sum % 16 + 17)));
    CHECK(warp.out[size_t(lane)] == sum);
  }
}

TEST_CASE("meetings: of three conditions, too, each lane runs the body once with all others") {
  const std::vector<int> in = numbers(32 * 64);
  const OneWarp warp(R"(
__global__ void k(const int* in, int* out, int rounds) {
  const int lane = threadIdx.x;
  int sum = 0;
  if (in[lane] % 5 == 0 || in[lane] % 7 == 3 || lane > 20) {
    for (int i = 0; i < rounds; ++i) sum = sum * 5 + in[i * 32 + lane] % (sum % 16 + 17);
  }
  out[lane] = sum;
}
)",
                     in, 64);
  CHECK(warp.loads == 65);
  for (int lane = 0; lane < 32; ++lane) {
    const int value = in[size_t(lane)];
    int sum = 0;
    for (int i = 0; i < 64 && (value % 5 == 0 || value % 7 == 3 || lane > 20); ++i)
      sum = int(unsigned(sum) * 5u + unsigned(in[size_t(i * 32 + lane)] % (sum % 16 + 17)));
    CHECK(warp.out[size_t(lane)] == sum);
  }
}

TEST_CASE("meetings: lanes that stay in a loop meet in it, also while others leave it from a branch") {
  const std::vector<int> in = numbers(32 * 64);
  const char* source = R"(
__global__ void k(const int* in, int* out, int rounds) {
  const int lane = threadIdx.x;
  unsigned sum = 1;
  int i = 0;
  for (; i < rounds; ++i) {
    const int value = in[i * 32 + lane];
    if (value % 3 == 0) {
      for (int j = 0; j < value % 5; ++j) sum = sum * 3 + j;
      if (sum % 29 == 0) break;
    } else if (value % 3 == 1) {
      for (int j = 0; j < value % 7; ++j) sum = sum * 7 + j;
      if (sum % 31 == 0) break;
    } else {
      sum ^= value;
    }
  }
  out[lane] = int(sum) + in[i];
}
)";
  const OneWarp warp(source, in, 60);
  CHECK(warp.loads == 61);  // one per round, and one behind the loop, where all meet again
  int left_early = 0;
  for (int lane = 0; lane < 32; ++lane) {
    unsigned sum = 1;
    int i = 0;
    for (; i < 60; ++i) {
      const int value = in[size_t(i * 32 + lane)];
      if (value % 3 == 2) {
        sum ^= unsigned(value);
        continue;
      }
      const unsigned by = value % 3 == 0 ? 3 : 7;
      for (int j = 0; j < value % (by == 3 ? 5 : 7); ++j) sum = sum * by + unsigned(j);
      if (sum % (by == 3 ? 29 : 31) == 0) break;
    }
    left_early += i < 60;
    CHECK(warp.out[size_t(lane)] == int(sum) + in[size_t(i)]);
  }
  CHECK(left_early > 4);
  CHECK(left_early < 32);
}

TEST_CASE("meetings: lanes leave two loops at once, and a called function from within its loop") {
  const std::vector<int> in = numbers(4096);
  const OneWarp warp(R"(
__device__ __noinline__ int first_above(const int* in, int from, int bound) {
  for (int i = from; i < from + 40; ++i) {
    if (in[i] % 2) {
      if (in[i] > bound) return i;
    } else if (in[i] > bound + 300) {
      return -i;
    }
  }
  return 4000;
}
__global__ void k(const int* in, int* out, int rounds) {
  const int lane = threadIdx.x;
  int at = 0;
  for (int i = 0; i < rounds; ++i) {
    for (int j = 0; j < 8; ++j) {
      at += in[(at + i * 8 + j + lane) & 4095];
      if (at % 2) {
        at += first_above(in, at & 2047, 600);
        if (at % 41 == 0) goto done;
      } else if (at % 5 == 0) {
        break;
      }
    }
  }
done:
  out[lane] = at;
}
)",
                     in, 12);
  const auto first_above = [&](int from, int bound) {
    for (int i = from; i < from + 40; ++i) {
      const int value = in[size_t(i)];
      if (value % 2 ? value > bound : value > bound + 300) return value % 2 ? i : -i;
    }
    return 4000;
  };
  for (int lane = 0; lane < 32; ++lane) {
    int at = 0;
    bool done = false;
    for (int i = 0; i < 12 && !done; ++i)
      for (int j = 0; j < 8; ++j) {
        at += in[size_t((at + i * 8 + j + lane) & 4095)];
        if (at % 2) {
          at += first_above(at & 2047, 600);
          if ((done = at % 41 == 0)) break;
        } else if (at % 5 == 0) {
          break;
        }
      }
    CHECK(warp.out[size_t(lane)] == at);
  }
}

TEST_CASE("meetings: a loop over a switch whose default ends it runs its rounds once") {
  const std::vector<int> in = numbers(32 * 64);
  const OneWarp warp(R"(
__global__ void k(const int* in, int* out, int rounds) {
  const int lane = threadIdx.x;
  unsigned value = lane;
  for (int i = 0; i < rounds; ++i) {
    switch (in[i * 32 + lane] % 9) {
      case 0: value = value * 3 + 1; break;
      case 1: value ^= value >> 3; break;
      case 2: value += 77; break;
      case 3: value = __popc(value) + i; break;
      case 4: value = value << 2 | 1; break;
      case 5: value = value / 7; break;
      case 6: value = __clz(value); break;
      case 7: value -= lane; break;
      case 8: value = ~value; break;
      default: out[lane] = -7; return;
    }
  }
  out[lane] = int(value);
}
)",
                     in, 64);
  CHECK(warp.loads == 64);
  CHECK(warp.out[0] != -7);
}
