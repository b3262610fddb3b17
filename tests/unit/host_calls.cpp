// Calls of the runtime and the C library, one at a time, without a machine.
#include <doctest/doctest.h>

#include "host/format.hpp"
#include "host/runtime.hpp"
#include "host_fake_device.hpp"

using namespace dojo;
using namespace dojo::host;

namespace {

struct CallBench {
  host_test::FakeDevice device;
  Runtime rt{device, std::make_shared<ptx::Module>(), {{7, "d_in"}}};
  std::map<std::string, ptx::Function> functions;
  std::string printed;
  int line = 1;

  CallBench() {
    rt.printer = [this](std::string_view s) { printed += s; };
  }
  /// Calls a function of the tables with 8-byte parameters.
  template <class R = int32_t, class... A>
  R call(const std::string& name, A... args) {
    std::vector<uint64_t> values = {uint64_t(args)...};
    ptx::Function& f = functions[name];
    f.name = f.demangled = name;
    f.params.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      f.params[i].offset = 8 * i;
      f.params[i].bytes = 8;
    }
    R r{};
    std::vector<std::byte> block(8 * values.size());
    if (!values.empty()) std::memcpy(block.data(), values.data(), block.size());
    rt.call(f, block, std::as_writable_bytes(std::span(&r, 1)), SourceLoc{"t.cu", line, 1});
    return r;
  }
  uint64_t host(uint64_t n) { return call<uint64_t>("malloc", n); }
  uint64_t text(const std::string& s) {
    const uint64_t a = host(s.size() + 1);
    std::memcpy(device.memory().at(a, s.size() + 1), s.c_str(), s.size() + 1);
    return a;
  }
  template <class T>
  T at(uint64_t a) {
    T v;
    std::memcpy(&v, device.memory().at(a, sizeof v), sizeof v);
    return v;
  }
  uint64_t device_memory(uint64_t n) {
    const uint64_t p = host(8);
    CHECK(call("__cudaCDP2Malloc", p, n) == 0);
    return at<uint64_t>(p);
  }
  std::string stopped(const std::function<void()>& f) {
    try {
      f();
    } catch (const RunStopped& s) {
      return s.why.kind + ": " + s.why.message;
    }
    return "";
  }
};

}  // namespace

TEST_CASE("memory goes there and back, and is named after the variable") {
  CallBench b;
  b.line = 7;
  const uint64_t d = b.device_memory(16), h = b.host(16), g = b.host(16);
  CHECK(b.device.memory().find(d)->name == "d_in");
  CHECK(b.call<uint64_t>("memset", h, 0x5a, 16) == h);
  CHECK(b.call("cudaMemcpy", d, h, 16, 1) == 0);
  CHECK(b.call("cudaMemcpy", g, d, 16, 2) == 0);
  CHECK(b.at<uint32_t>(g + 12) == 0x5a5a5a5au);
  CHECK(b.call("cudaMemset", d, 0, 8) == 0);
  CHECK(b.call("cudaMemcpy", g, d, 16, 4) == 0);
  CHECK(b.at<uint32_t>(g + 4) == 0);
  CHECK(b.call("__cudaCDP2Free", d) == 0);
  CHECK(b.rt.findings.empty());
}

TEST_CASE("a copy in the wrong direction is an error and a finding that says which pointer") {
  CallBench b;
  const uint64_t d = b.device_memory(16), h = b.host(16);
  CHECK(b.call("cudaMemcpy", d, h, 16, 2) == cuda_error::invalid_value);
  REQUIRE(b.rt.findings.size() == 1);
  CHECK(b.rt.findings[0].kind == "wrong_space");
  CHECK(b.rt.findings[0].message.find("destination") != std::string::npos);
  CHECK(b.rt.last_error == cuda_error::invalid_value);
}

TEST_CASE("a copy past an end is found on either side") {
  CallBench b;
  const uint64_t d = b.device_memory(16), h = b.host(64);
  CHECK(b.call("cudaMemcpy", d, h, 20, 1) == cuda_error::invalid_value);
  CHECK(b.rt.findings.at(0).kind == "out_of_bounds");
  const uint64_t small = b.host(8);
  CHECK(b.stopped([&] { b.call("cudaMemcpy", small, d, 16, 2); }).rfind("out_of_bounds", 0) == 0);
}

TEST_CASE("host functions may not touch device memory, and say what to do") {
  CallBench b;
  const uint64_t d = b.device_memory(16);
  const std::string s = b.stopped([&] { b.call<uint64_t>("memset", d, 0, 16); });
  CHECK(s.rfind("wrong_space", 0) == 0);
  CHECK(s.find("cudaMemcpy") != std::string::npos);
  CHECK(b.stopped([&] { b.call("free", d); }).find("use cudaFree") != std::string::npos);
}

TEST_CASE("free twice, free of the wrong kind, and leaks") {
  CallBench b;
  const uint64_t h = b.host(8);
  b.call("free", h);
  CHECK(b.stopped([&] { b.call("free", h); }).rfind("use_after_free", 0) == 0);
  b.call("free", 0);
  CHECK(b.call("__cudaCDP2Free", b.host(8)) == cuda_error::invalid_value);
  CHECK(b.rt.findings.at(0).kind == "wrong_space");
  b.rt.findings.clear();
  b.line = 7;
  b.device_memory(100);
  b.rt.close();
  REQUIRE(b.rt.findings.size() == 1);
  CHECK(b.rt.findings[0].kind == "leak");
  CHECK(b.rt.findings[0].severity == Severity::warning);
  CHECK(b.rt.findings[0].message.find("100 bytes") == 0);
  CHECK(b.rt.findings[0].message.find("d_in") != std::string::npos);
}

TEST_CASE("errors stay until asked for, and have names") {
  CallBench b;
  const uint64_t d = b.device_memory(16);
  b.call("cudaMemcpy", d, d, 16, 9);
  CHECK(b.call("__cudaCDP2PeekAtLastError") == cuda_error::invalid_memcpy_direction);
  CHECK(b.call("__cudaCDP2GetLastError") == cuda_error::invalid_memcpy_direction);
  CHECK(b.call("__cudaCDP2GetLastError") == 0);
  const uint64_t name = b.call<uint64_t>("__cudaCDP2GetErrorName", 1),
                 text = b.call<uint64_t>("__cudaCDP2GetErrorString", 9);
  CHECK(std::string(reinterpret_cast<const char*>(b.device.memory().at(name, 1))) == "cudaErrorInvalidValue");
  CHECK(std::string(reinterpret_cast<const char*>(b.device.memory().at(text, 1))) ==
        "invalid configuration argument");
  CHECK(b.call<uint64_t>("__cudaCDP2GetErrorName", 1) == name);
}

TEST_CASE("streams and events: handles are checked") {
  CallBench b;
  const uint64_t p = b.host(8), ms = b.host(4);
  CHECK(b.call("cudaStreamCreate", p) == 0);
  const uint64_t stream = b.at<uint64_t>(p);
  CHECK(b.call("cudaStreamSynchronize", stream) == 0);
  CHECK(b.call("cudaStreamSynchronize", stream + 5) == cuda_error::invalid_resource_handle);
  CHECK(b.call("__cudaCDP2StreamDestroy", stream) == 0);
  CHECK(b.call("cudaStreamSynchronize", stream) == cuda_error::invalid_resource_handle);
  b.call("__dojo_EventCreate", p, 0);
  const uint64_t e = b.at<uint64_t>(p);
  CHECK(b.call("cudaEventElapsedTime", ms, e, e) == cuda_error::invalid_resource_handle);
  b.call("__cudaCDP2EventRecord", e, 0);
  CHECK(b.call("cudaEventElapsedTime", ms, e, e) == 0);
  CHECK(b.at<float>(ms) == 1.5f);
}

TEST_CASE("strings and numbers from text") {
  CallBench b;
  const uint64_t s = b.text("alpha,beta;12"), t = b.text("beta");
  CHECK(b.call<uint64_t>("strlen", s) == 13);
  CHECK(b.call<uint64_t>("__dojo_strstr", s, t) == s + 6);
  CHECK(b.call<uint64_t>("__dojo_strchr", s, ';') == s + 10);
  CHECK(b.call("atoi", s + 11) == 12);
  CHECK(b.call<uint64_t>("strtok", s, b.text(",;")) == s);
  CHECK(b.call<uint64_t>("strtok", 0, b.text(",;")) == s + 6);
  CHECK(b.call("strcmp", s + 6, t) == 0);
  const uint64_t room = b.host(4);
  CHECK(b.stopped([&] { b.call<uint64_t>("strcpy", room, t); }).rfind("out_of_bounds", 0) == 0);
  const uint64_t open = b.host(3);
  std::memset(b.device.memory().at(open, 3), 'x', 3);
  CHECK(b.stopped([&] { b.call<uint64_t>("strlen", open); }).find("no final zero") != std::string::npos);
}

TEST_CASE("calls that are given a length read no further, whether or not a zero follows") {
  CallBench b;
  const uint64_t open = b.host(3), room = b.host(8);
  std::memcpy(b.device.memory().at(open, 3), "xyz", 3);
  CHECK(b.call("strncmp", open, b.text("xyzzy"), uint64_t(3)) == 0);
  CHECK(b.call("strncmp", open + 1, b.text("ya"), uint64_t(2)) > 0);
  CHECK(b.call("strncasecmp", open, b.text("XYZ."), uint64_t(3)) == 0);
  CHECK(b.call("strncmp", open, open, uint64_t(0)) == 0);
  CHECK(b.call<uint64_t>("strncpy", room, open, uint64_t(3)) == room);
  *reinterpret_cast<char*>(b.device.memory().at(room + 3, 1)) = 0;
  CHECK(b.call("strcmp", room, b.text("xyz")) == 0);
  CHECK(b.call<uint64_t>("strncat", room, open, uint64_t(2)) == room);
  CHECK(b.call("strcmp", room, b.text("xyzxy")) == 0);
  const auto too_far = b.stopped([&] { b.call("strncmp", open, b.text("xyzzy"), uint64_t(5)); });
  CHECK(too_far.find("no final zero") != std::string::npos);
}

TEST_CASE("rand repeats what the C library of Linux gives") {
  CallBench b;
  CHECK(b.call("rand") == 1804289383);
  CHECK(b.call("rand") == 846930886);
  b.call("srand", 42);
  CHECK(b.call("rand") == 71876166);
  CHECK(b.call("rand") == 708592740);
}

TEST_CASE("exit ends the program; an unknown function stops it by name") {
  CallBench b;
  CHECK_THROWS_AS(b.call("exit", 3), ProgramExit);
  CHECK(b.stopped([&] { b.call("cublasCreate_v2", 0); }).find("cublasCreate_v2") != std::string::npos);
}

TEST_CASE("printf's packed arguments") {
  struct Packed : FormatSource {
    std::vector<uint64_t> values;
    size_t i = 0;
    uint64_t next(unsigned) override { return i < values.size() ? values[i++] : 0; }
    std::string text(uint64_t) override { return "word"; }
  };
  auto print = [](std::string_view f, std::vector<uint64_t> v) {
    Packed p;
    p.values = std::move(v);
    return format(f, p);
  };
  const double d = 2.5;
  uint64_t bits;
  std::memcpy(&bits, &d, 8);
  CHECK(print("%d|%5u|%-4x|%03d", {uint64_t(-3), 7, 255, 5}) == "-3|    7|ff  |005");
  CHECK(print("%lld %zu %hhd", {uint64_t(-1), 9, 300}) == "-1 9 44");
  CHECK(print("%.2f %g %e", {bits, bits, bits}) == "2.50 2.5 2.500000e+00");
  CHECK(print("%s|%6s|%.2s|%c|%%", {1, 1, 1, 'x'}) == "word|  word|wo|x|%");
  CHECK(print("%*d|%-*d|%.*f", {5, 3, 4, 7, 1, bits}) == "    3|7   |2.5");
  CHECK(print("%p %p %y %", {0x1000, 0}) == "0x1000 (nil) %y %");
  CHECK(print("%999999999d", {1}).size() == 4096);
}

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
  CHECK(b.rt.findings[0].kind == "out_of_bounds");
  CHECK(b.rt.findings[1].kind == "wrong_space");

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
  CHECK(b.rt.findings[0].kind == "out_of_bounds");
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
  CHECK(b.rt.findings[0].kind == "out_of_bounds");
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
  set(56, 2);
  CHECK(b.call("cudaMemcpy3D", parms) == 0);
  REQUIRE(b.device.boxes.size() == 1);
  CHECK(b.device.boxes[0].slices == 2);
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
