// Copies and fills of rows, copies to arrays of a real GPU, and pinned host memory, without a machine.
#include <doctest/doctest.h>

#include "host_call_bench.hpp"
#include "host_play.hpp"

using namespace dojo;
using namespace dojo::host;
using host_test::CallBench;

namespace {

/// A driver that notes the copies it is asked for.
struct FakeTextures : TextureDriver {
  std::vector<ArrayCopy> copies;
  int freed = 0;
  CudaStatus create_array(uint64_t* handle, const ArraySpec&) override {
    *handle = 77;
    return {};
  }
  CudaStatus free_array(uint64_t) override {
    ++freed;
    return {};
  }
  CudaStatus copy_array(const ArrayCopy& c) override {
    copies.push_back(c);
    return {};
  }
  CudaStatus create_texture(uint64_t*, const TextureSource&, const SamplerSpec&) override { return {}; }
  CudaStatus create_surface(uint64_t*, uint64_t) override { return {}; }
  CudaStatus destroy_texture(uint64_t) override { return {}; }
  CudaStatus destroy_surface(uint64_t) override { return {}; }
};

}  // namespace

TEST_CASE("a copy to an array of a real GPU is checked, counted, and goes to the driver with its stream") {
  CallBench b;
  FakeTextures driver;
  b.device.textures = &driver;
  const uint64_t format = b.host(20), handle = b.host(8), pixels = b.device_memory(64), stream = b.host(8);
  const int32_t floats[5] = {32, 0, 0, 0, 2};  // cudaChannelFormatDesc: one float
  std::memcpy(b.device.memory().at(format, 20), floats, 20);
  CHECK(b.call("cudaMallocArray", handle, format, 4, 4, 0) == 0);
  const auto array = b.at<uint64_t>(handle);
  CHECK(b.call("cudaStreamCreate", stream) == 0);
  const auto s = b.at<uint64_t>(stream);
  CHECK(b.call("cudaMemcpy2DToArrayAsync", array, 4, 1, pixels, 16, 8, 3, 3, s) == 0);
  REQUIRE(driver.copies.size() == 1);
  const ArrayCopy& c = driver.copies[0];
  CHECK(c.array == array);
  CHECK(c.x == 1);  // texels
  CHECK(c.y == 1);
  CHECK(c.memory == pixels);
  CHECK(c.pitch == 16);
  CHECK(c.width_bytes == 8);
  CHECK(c.rows == 3);
  CHECK(c.to_array);
  CHECK(c.stream != 0);
  CHECK(!c.blocking);
  CHECK(b.rt.work().copied_bytes == 24);

  // 20 bytes from row to row: the fourth row ends behind the 64 bytes of memory.
  CHECK(b.call("cudaMemcpy2DToArray", array, 0, 0, pixels, 20, 16, 4, 3) != 0);
  CHECK(b.call("cudaMemcpy2DToArray", array, 0, 0, pixels, 16, 16, 4, 1) != 0);  // it is device memory
  CHECK(driver.copies.size() == 1);
  REQUIRE(b.rt.findings.size() == 2);
  CHECK(b.rt.findings[0].kind == FindingKind::out_of_bounds);
  CHECK(b.rt.findings[1].kind == FindingKind::wrong_space);

  CHECK(b.call("cudaStreamBeginCapture", s, 0) == 0);
  CHECK(b.call("cudaMemcpy2DToArrayAsync", array, 0, 0, pixels, 16, 16, 4, 3, s) == 900);
  CHECK(b.rt.findings.back().message.find("Copy before the capture") != std::string::npos);
  b.rt.close();
  CHECK(driver.freed == 1);  // what the program left
}

TEST_CASE("cudaMemcpy2D is one transfer of all its rows") {
  CallBench b;
  const uint64_t d = b.device_memory(128), h = b.host(64), back = b.host(64);
  b.call<uint64_t>("memset", h, 0x5a, 64);
  b.call<uint64_t>("memset", back, 0, 64);
  CHECK(b.call("cudaMemcpy2D", d, 32, h, 16, 16, 4, 1) == 0);
  REQUIRE(b.device.boxes.size() == 1);
  CHECK(b.device.boxes[0].rows == 4);
  CHECK(b.device.boxes[0].width == 16);
  CHECK(b.rt.work().copied_bytes == 64);
  CHECK(b.call("cudaMemcpy2D", back, 16, d + 64, 32, 16, 2, 2) == 0);
  CHECK(b.at<uint32_t>(back + 28) == 0x5a5a5a5au);
  CHECK(b.at<uint32_t>(back + 32) == 0);
  // Rows that follow each other are one.
  CHECK(b.call("cudaMemcpy2D", d, 16, h, 16, 16, 4, 1) == 0);
  CHECK(b.device.boxes.back().rows == 1);
  CHECK(b.device.boxes.back().width == 64);
}

TEST_CASE("cudaMemset2D is one fill of all its rows") {
  CallBench b;
  const uint64_t d = b.device_memory(128), h = b.host(128);
  CHECK(b.call("cudaMemset", d, 0x11, 128) == 0);
  CHECK(b.call("cudaMemset2D", d, 32, 0x5a, 16, 4) == 0);
  REQUIRE(b.device.fills.size() == 2);
  CHECK(b.device.fills[1].rows == 4);
  CHECK(b.device.fills[1].width == 16);
  CHECK(b.device.fills[1].row == 32);
  CHECK(b.call("cudaMemcpy", h, d, 128, 2) == 0);
  CHECK(b.at<uint32_t>(h + 96 + 12) == 0x5a5a5a5au);
  CHECK(b.at<uint32_t>(h + 96 + 16) == 0x11111111u);
  CHECK(b.rt.work().memsets == 2);
  // Rows that follow each other are one.
  CHECK(b.call("cudaMemset2D", d, 32, 0, 32, 4) == 0);
  CHECK(b.device.fills.back().rows == 1);
  CHECK(b.device.fills.back().width == 128);

  // Rows that the memory does not hold are refused before any is written; those of no bytes do nothing.
  for (const uint64_t rows : {uint64_t(5), uint64_t(1) << 62, UINT64_MAX})
    CHECK(b.call("cudaMemset2D", d, 32, 1, 16, rows) == cuda_error::invalid_value);
  REQUIRE(b.rt.findings.size() == 3);
  CHECK(b.rt.findings[0].kind == FindingKind::out_of_bounds);
  CHECK(b.rt.findings[0].message.find("writes 5 rows of 16 bytes, 32 apart, at") != std::string::npos);
  CHECK(b.call("cudaMemset2D", d, 8, 1, 16, 2) == 12);  // the rows would overlap
  CHECK(b.call("cudaMemset2D", d, 32, 1, 0, UINT64_MAX) == 0);
  CHECK(b.call("cudaMemset2D", d, 32, 1, 16, 0) == 0);
  CHECK(b.device.fills.size() == 3);
}

TEST_CASE("copies of rows that no memory holds are refused at once, and those of no bytes do nothing") {
  CallBench b;
  const uint64_t d = b.device_memory(128), e = b.device_memory(128);
  for (const uint64_t rows : {uint64_t(5), uint64_t(1) << 62, UINT64_MAX})
    CHECK(b.call("cudaMemcpy2D", d, 32, e, 32, 16, rows, 3) == cuda_error::invalid_value);
  CHECK(b.call("cudaMemcpy2D", d, UINT64_MAX, e, UINT64_MAX, 16, 3, 3) == cuda_error::invalid_value);
  REQUIRE(b.rt.findings.size() == 4);
  CHECK(b.rt.findings[0].kind == FindingKind::out_of_bounds);
  CHECK(b.rt.findings[0].message.find("writes 5 rows of 16 bytes, 32 apart at") != std::string::npos);
  CHECK(b.call("cudaMemcpy2D", d, 0, e, 0, 0, UINT64_MAX, 3) == 0);
  CHECK(b.call("cudaMemcpy2D", d, 32, e, 32, 16, 0, 3) == 0);
  CHECK(b.device.boxes.empty());

  // Slices must not overlap: a box of them would transpose.
  const uint64_t parms = b.host(160);
  b.call<uint64_t>("memset", parms, 0, 160);
  const auto set = [&](uint64_t at, uint64_t value) {
    std::memcpy(b.device.memory().at(parms + at, 8), &value, 8);
  };
  // cudaMemcpy3DParms: srcPtr at 32 and dstPtr at 96 {ptr, pitch, xsize, ysize}, extent at 128, kind at 152.
  set(32, d), set(40, 16), set(56, 1);
  set(96, e), set(104, 16), set(120, 2);
  set(128, 4), set(136, 2), set(144, 2), set(152, 3);
  CHECK(b.call("cudaMemcpy3D", parms) == cuda_error::invalid_value);
  set(56, uint64_t(1) << 62);  // times 16: 0 in 64 bits
  CHECK(b.call("cudaMemcpy3D", parms) == cuda_error::invalid_value);
  CHECK(b.rt.findings.back().message.find("is past the end of any memory") != std::string::npos);
  set(56, 2);
  CHECK(b.call("cudaMemcpy3D", parms) == 0);
  REQUIRE(b.device.boxes.size() == 1);
  CHECK(b.device.boxes[0].slices == 2);

  // A position whose product with the pitch is 0 in 64 bits: srcPos {x, y, z} is at 8, dstPos at 72.
  set(128, 4), set(136, 1), set(144, 1);
  for (const uint64_t side : {uint64_t(0), uint64_t(64)}) {
    const size_t before = b.rt.findings.size();
    set(side + 40, uint64_t(1) << 60), set(side + 16, 16);
    CHECK(b.call("cudaMemcpy3D", parms) == cuda_error::invalid_value);
    set(side + 40, 16), set(side + 16, 0), set(side + 24, uint64_t(1) << 59);
    CHECK(b.call("cudaMemcpy3D", parms) == cuda_error::invalid_value);
    set(side + 24, 0);
    REQUIRE(b.rt.findings.size() == before + 2);
    const Diagnostic& found = b.rt.findings[before];
    CHECK(found.kind == FindingKind::out_of_bounds);
    CHECK(found.message.find(side ? "its destination, at row 16 of slice 0" : "its source, at row 16 of") !=
          std::string::npos);
  }
  CHECK(b.device.boxes.size() == 1);
}

TEST_CASE("cudaHostRegister pins host memory until cudaHostUnregister, and says what is wrong") {
  CallBench b;
  const uint64_t h = b.host(256), d = b.device_memory(256);
  CHECK(b.call("cudaHostRegister", h, 128, 0) == 0);
  CHECK(b.device.pinned == std::map<uint64_t, uint64_t>{{h, 128}});
  CHECK(b.call("cudaHostRegister", h + 64, 128, 0) == cuda_error::already_registered);
  CHECK(b.call("cudaHostRegister", h + 128, 128, 0) == 0);
  CHECK(b.call("cudaHostUnregister", h + 64) == cuda_error::not_registered);
  CHECK(b.call("cudaHostUnregister", h) == 0);
  CHECK(b.call("cudaHostUnregister", h) == cuda_error::not_registered);
  CHECK(b.device.pinned.size() == 1);
  CHECK(b.call("cudaHostRegister", h, 300, 0) == cuda_error::already_registered);
  CHECK(b.call("cudaHostUnregister", h + 128) == 0);
  CHECK(b.call("cudaHostRegister", h, 300, 0) == cuda_error::invalid_value);
  CHECK(b.call("cudaHostRegister", d, 16, 0) == cuda_error::invalid_value);
  CHECK(b.call("cudaHostRegister", h, 0, 0) == cuda_error::invalid_value);
  CHECK(std::string(cuda_error_name(712)) == "cudaErrorHostMemoryAlreadyRegistered");

  // Host code that overtakes an asynchronous copy of it races, as with memory of cudaMallocHost.
  CHECK(b.call("cudaHostRegister", h, 256, 0) == 0);
  CHECK(b.call("__cudaCDP2MemcpyAsync", d, h, 256, 1, 0) == 0);
  CHECK(b.stopped([&] { b.call<uint64_t>("memset", h, 0, 16); }).rfind("race", 0) == 0);
  CHECK(b.call("cudaDeviceSynchronize") == 0);
  const size_t before = b.rt.findings.size();
  b.call("free", h);
  REQUIRE(b.rt.findings.size() == before + 1);
  CHECK(b.rt.findings.back().message.find("still registered") != std::string::npos);
}

TEST_CASE("a kernel reaches of host memory what cudaHostRegister was given, and no more") {
  const std::string text = R"(#include <cstdlib>
#include <cstring>
__global__ void fill(float* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] = 1;
}
int main(int, char** argv) {
  float *whole = (float*)malloc(256), *mapped = nullptr;
  memset(whole, 0, 256);
  cudaHostRegister(whole + 16, 64, cudaHostRegisterMapped);
  cudaHostGetDevicePointer((void**)&mapped, whole + 16, 0);
  fill<<<1, 32>>>(mapped, atoi(argv[1]));
  cudaDeviceSynchronize();
  const bool good = whole[15] == 0 && whole[16] == 1 && whole[31] == 1 && whole[32] == 0;
  cudaHostUnregister(whole + 16);
  free(whole);
  return !good;
}
)";
  const host_test::Played fine = host_test::play(text, {"16"});
  CHECK(fine.exit_status == 0);
  CHECK(fine.findings.empty());
  const host_test::Played beyond = host_test::play(text, {"17"});
  REQUIRE(!beyond.findings.empty());
  CHECK(beyond.findings.front().kind == FindingKind::out_of_bounds);
  CHECK(beyond.findings.front().message.find("outside of what cudaHostRegister was given") !=
        std::string::npos);
  CHECK(beyond.findings.front().where.line == 4);
}
