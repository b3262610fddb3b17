// Sources that look alike: under other names, in another step, beside what all students were given.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "grade/similarity.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::grade;

namespace {

const std::string original = R"(__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float sums[256];
  int thread = threadIdx.x;
  int first = blockIdx.x * 512 + thread;
  float mine = 0.0f;
  if (first < n) mine += in[first];
  if (first + 256 < n) mine += in[first + 256];
  sums[thread] = mine;
  __syncthreads();
  for (int stride = 128; stride > 0; stride >>= 1) {
    if (thread < stride) sums[thread] += sums[thread + stride];
    __syncthreads();
  }
  if (thread == 0) partials[blockIdx.x] = sums[0];
}
)";

std::string renamed(std::string s) {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"thread ", "t0 "},
                                 {"thread)", "t0)"},
                                 {"thread;", "t0;"},
                                 {"thread]", "t0]"},
                                 {"(thread", "(t0"},
                                 {"[thread", "[t0"},
                                 {"sums", "cache"},
                                 {"mine", "acc"},
                                 {"first", "idx"},
                                 {"stride", "gap"},
                                 {"reduce_kernel", "my_own_work"}})
    for (size_t at = 0; (at = s.find(from, at)) != std::string::npos; at += to.size())
      s.replace(at, from.size(), to);
  return s;
}

const std::string another = R"(__global__ void reduce_kernel(const float* in, float* partials, int n) {
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  for (int offset = 16; offset; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(&partials[blockIdx.x], v);
}
)";

}  // namespace

TEST_CASE("renamed identifiers, comments and white space hide nothing; another idea is another source") {
  const std::string copy = "/* my own work */\n\n" + renamed(original);
  REQUIRE(copy.find("sums") == std::string::npos);
  CHECK(similarity(fingerprints(original), fingerprints(copy)) == 1);
  CHECK(similarity(fingerprints(original), fingerprints(another)) < 0.2);
}

TEST_CASE(
    "pairs name the students, the steps and the lines of the longest passage; what all were given is left "
    "out") {
  const std::string copy = "// 1\n// 2\n// 3\n" + renamed(original);
  std::vector<Document> all = {{"ada", "reduce/6", prints_of(original)},
                               {"bob", "reduce/7", prints_of(copy)},
                               {"carl", "reduce/6", prints_of(another)}};
  const auto pairs = pairs_alike(all, {});
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].a == "ada");
  CHECK(pairs[0].b == "bob");
  CHECK(pairs[0].step == "reduce/6");
  CHECK(pairs[0].other_step == "reduce/7");
  CHECK(pairs[0].share == 1);
  CHECK(pairs[0].a_first == 1);
  CHECK(pairs[0].a_last >= 14);
  CHECK(pairs[0].b_first == pairs[0].a_first + 3);
  CHECK(pairs[0].b_last == pairs[0].a_last + 3);
  CHECK(pairs_alike(all, fingerprints(original)).empty());  // it was the starter
  all[1].student = "ada";                                   // a student may copy from himself
  CHECK(pairs_alike(all, {}).empty());
}

TEST_CASE("references of different steps are not alike beside the starters that they grew from") {
  const Catalog catalog = load_catalog(DOJO_TEST_ROOT);
  std::vector<Document> all;
  std::vector<uint64_t> given;
  for (const Lab& lab : catalog.labs)
    for (const Step& s : lab.steps) {
      for (uint64_t h : fingerprints(read_or_empty(catalog.student_file(s)))) given.push_back(h);
      if (lab.order < 3) all.push_back({s.id(), s.id(), prints_of(read_or_empty(catalog.reference_file(s)))});
    }
  const auto pairs = pairs_alike(all, given);
  std::string told;
  for (const auto& p : pairs) told += fmt::format("{} {} {}\n", p.a, p.b, p.share);
  CHECK_MESSAGE(pairs.size() <= all.size() / 10, told);
}
