// Races and unwritten words of vectors (float2, float4) and of elements that lie apart, in shared and global
// memory: they are checked a warp at a time where nothing is found, and told as single words are.
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

namespace {

/// Runs kernel k(float* a, float* b) on blocks of threads and says what was found: "kind:line ...".
std::string found(const std::string& body, uint32_t blocks, uint32_t threads) {
  Rig rig("__global__ void k(float* a, float* b) {\n" + body + "\n}");
  std::vector<float> data(1 << 14, 1.f);
  const uint64_t a = rig.buffer(data, "a"), b = rig.blank(data.size() * 4, "b");
  rig.launch("k", {blocks, 1, 1}, {threads, 1, 1}, 0, a, b);
  return rig.found();
}
bool names(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE(
    "vectors in shared memory: barriers order them, missing ones are races, unwritten halves are told") {
  for (const char* type : {"float2", "float4", "double2"}) {
    CAPTURE(type);
    const std::string head =
        "__shared__ " + std::string(type) + " s[64]; int t = threadIdx.x; " + type + " v = {};";
    CHECK(
        found(
            head +
                "\ns[t] = v;\n__syncthreads();\nv = s[63 - t];\n__syncthreads();\ns[t] = v;\nb[t] = s[t].x;",
            2, 64) == "");
    CHECK(names(found(head + "\ns[t] = v;\nv = s[63 - t];\nb[t] = v.x + v.y;", 1, 64), "race:"));
    CHECK(names(found(head + "\ns[t] = v;\n__syncthreads();\nv = s[63 - t];\ns[t] = v;\nb[t] = v.x;", 1, 64),
                "race:"));
    // Within a warp, too, and of two lanes in one instruction.
    CHECK(names(found(head + "\ns[t] = v;\nv = s[t ^ 1];\nb[t] = v.x + v.y;", 1, 32), "race:"));
    CHECK(names(found(head + "\nv.x = t;\ns[t / 2] = v;\n__syncthreads();\nb[t] = s[t / 4].x;", 1, 32),
                "race:4"));
    CHECK(found(head + "\nif (t != 5) s[t] = v;\n__syncthreads();\nv = s[63 - t];\nb[t] = v.x + v.y;", 1,
                64) == "uninitialized:5");
    // What an earlier block left is not written for this one.
    CHECK(found(head + "\nif (blockIdx.x == 0) s[t] = v;\n__syncthreads();\nv = s[t];\nb[t] = v.x + v.y;", 2,
                64) == "uninitialized:5");
  }
}

TEST_CASE("vectors and elements apart in global memory: as single words") {
  for (const char* type : {"float2", "float4", "double2"}) {
    CAPTURE(type);
    const std::string head = std::string(type) + "* p = (" + type +
                             "*)b; int t = threadIdx.x, i = blockIdx.x * 64 + t; " + type + " v = {};";
    CHECK(found(head + "\np[i] = v;\n__syncthreads();\nv = p[i ^ 1];\na[i] = v.x + v.y;", 4, 64) == "");
    CHECK(names(found(head + "\np[i] = v;\nv = p[i ^ 33];\na[i] = v.x + v.y;", 4, 64), "race:"));
    CHECK(
        names(found(head + "\np[i] = v;\n__syncthreads();\nv = p[(i + 64) % 256];\na[i] = v.x + v.y;", 4, 64),
              "race:"));
    CHECK(found(head + "\nif (t != 5) p[i] = v;\n__syncthreads();\nv = p[i ^ 1];\na[i] = v.x + v.y;", 1,
                64) == "uninitialized:5");
  }
  const std::string apart = "int t = threadIdx.x, i = blockIdx.x * 64 + t;";
  CHECK(found(apart + "\nb[i * 3] = 1;\n__syncthreads();\na[i * 3] = b[(i ^ 1) * 3];", 4, 64) == "");
  CHECK(names(found(apart + "\nb[i * 3] = 1;\na[i * 3] = b[(i ^ 33) * 3];", 4, 64), "race:"));
  CHECK(names(found(apart + "\nb[i % 128 * 3] = i;", 4, 64), "race:3"));
  CHECK(found(apart + "\nb[i * 3] = 1;\n__syncthreads();\na[i] = b[i * 3 + 1];", 4, 64) == "uninitialized:5");
}
