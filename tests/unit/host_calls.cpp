// Calls of the runtime and the C library, one at a time, without a machine. Copies of rows and arrays:
// host_copies.cpp.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "core/text/format_printf.hpp"
#include "host/files.hpp"
#include "host/runtime.hpp"
#include "host_call_bench.hpp"

using namespace dojo;
using namespace dojo::host;
using host_test::CallBench;

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
  CHECK(b.rt.findings[0].kind == FindingKind::wrong_space);
  CHECK(b.rt.findings[0].message.find("destination") != std::string::npos);
  CHECK(b.rt.last_error == cuda_error::invalid_value);
}

TEST_CASE("a copy past an end is found on either side") {
  CallBench b;
  const uint64_t d = b.device_memory(16), h = b.host(64);
  CHECK(b.call("cudaMemcpy", d, h, 20, 1) == cuda_error::invalid_value);
  CHECK(b.rt.findings.at(0).kind == FindingKind::out_of_bounds);
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
  CHECK(b.rt.findings.at(0).kind == FindingKind::wrong_space);
  b.rt.findings.clear();
  b.line = 7;
  b.device_memory(100);
  b.rt.close();
  REQUIRE(b.rt.findings.size() == 1);
  CHECK(b.rt.findings[0].kind == FindingKind::leak);
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

TEST_CASE("streams say what they were made with, and their attributes are kept") {
  CallBench b;
  const uint64_t p = b.host(8), v = b.host(64);
  CHECK(b.call("cudaStreamCreateWithPriority", p, 1, -9) == 0);
  const uint64_t s = b.at<uint64_t>(p);
  CHECK(b.call("cudaStreamGetPriority", s, v) == 0);
  CHECK(b.at<int32_t>(v) == -5);
  CHECK(b.call("cudaStreamGetFlags", s, v) == 0);
  CHECK(b.at<int32_t>(v) == 1);
  CHECK(b.call("cudaStreamGetPriority", s + 1, v) == cuda_error::invalid_resource_handle);
  constexpr int policy_of_waits = 3, dimension = 4, priority = 8;
  CHECK(b.call("cudaStreamGetAttribute", s, policy_of_waits, v) == 0);
  CHECK(b.at<int32_t>(v) == -1);
  CHECK(b.call("cudaStreamGetAttribute", s, priority, v) == 0);
  CHECK(b.at<int32_t>(v) == -5);
  CHECK(b.call("cudaStreamSetAttribute", s, policy_of_waits, v) == 0);
  CHECK(b.call("cudaStreamCopyAttributes", 0, s) == 0);
  CHECK(b.call("cudaStreamGetAttribute", 0, policy_of_waits, v) == 0);
  CHECK(b.at<int32_t>(v) == -5);
  CHECK(b.call("cudaStreamGetPriority", 0, v) == 0);
  CHECK(b.at<int32_t>(v) == -5);
  CHECK(b.call("cudaStreamSetAttribute", s, dimension, v) == cuda_error::invalid_value);
}

TEST_CASE("a pool counts what it holds, and keeps as much as its threshold says") {
  CallBench b;
  constexpr int threshold = 4, reserved = 5, used = 7, most = 8;
  const uint64_t p = b.host(8), v = b.host(8), piece = uint64_t(32) << 20;
  const auto put = [&](uint64_t value) { std::memcpy(b.device.memory().at(v, 8), &value, 8); };
  const auto count = [&](int attribute) {
    CHECK(b.call("cudaMemPoolGetAttribute", 1, attribute, v) == 0);
    return b.at<uint64_t>(v);
  };
  const auto allocate_and_free = [&](uint64_t bytes) {
    CHECK(b.call("__dojo_MallocAsync", p, bytes, 0) == 0);
    CHECK(count(used) == bytes);
    CHECK(count(reserved) == piece);
    CHECK(b.call("cudaFreeAsync", b.at<uint64_t>(p), 0) == 0);
    CHECK(count(used) == 0);
  };
  allocate_and_free(1000);
  CHECK(count(reserved) == 0);
  CHECK(count(most) == 1000);
  put(~uint64_t(0));
  CHECK(b.call("cudaMemPoolSetAttribute", 1, threshold, v) == 0);
  allocate_and_free(2000);
  CHECK(count(reserved) == piece);
  CHECK(b.call("cudaMemPoolTrimTo", 1, 0) == 0);
  CHECK(count(reserved) == 0);
  put(5);
  CHECK(b.call("cudaMemPoolSetAttribute", 1, most, v) == cuda_error::invalid_value);
  CHECK(b.call("cudaMemPoolGetAttribute", 1, 99, v) == cuda_error::invalid_value);
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
  struct Packed : PrintfArguments {
    std::vector<uint64_t> values;
    size_t i = 0;
    uint64_t next(unsigned) override { return i < values.size() ? values[i++] : 0; }
    uint64_t most = 0;  ///< of the last text
    std::string text(uint64_t, uint64_t m) override { return most = m, std::string("word"); }
  };
  auto print = [](std::string_view f, std::vector<uint64_t> v) {
    Packed p;
    p.values = std::move(v);
    return format_printf(f, p);
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
  CHECK(print("%*d", {uint64_t(INT32_MIN), 1}) == "1" + std::string(4095, ' '));
  CHECK(print("%*s|", {uint64_t(-1), 0}) == "(null)|");
  CHECK(print("%-*d|%.*f", {uint64_t(-3), 7, uint64_t(-1), bits}) == "7  |2.500000");
  Packed p;
  p.values = {1};
  format_printf("%.2s", p);
  CHECK(p.most == 2);
}

TEST_CASE("printf's precision of a text needs no final zero") {
  CallBench b;
  const uint64_t letters = b.host(3), arguments = b.host(8);
  std::memcpy(b.device.memory().at(letters, 3), "abc", 3);
  std::memcpy(b.device.memory().at(arguments, 8), &letters, 8);
  const uint64_t fine = b.text("%.3s|"), nothing = b.text("%.0s|"), too_long = b.text("%.4s|");
  CHECK(b.stopped([&] { b.call("vprintf", fine, arguments); }) == "");
  CHECK(b.stopped([&] { b.call("vprintf", nothing, arguments); }) == "");
  CHECK(b.printed == "abc||");
  CHECK(b.stopped([&] { b.call("vprintf", too_long, arguments); }).find("past the end") != std::string::npos);
}

namespace {

/// The text of all files below a folder of the checkout.
std::string texts_below(const char* folder) {
  std::string all;
  for (const auto& e : std::filesystem::recursive_directory_iterator(source_root() / folder))
    if (e.is_regular_file()) all += dojo::read_or_empty(e.path());
  return all;
}

bool has_name(const std::string& text, const std::string& name) {
  const auto part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1))
    if ((at == 0 || !part_of_word(text[at - 1])) && !part_of_word(text[at + name.size()])) return true;
  return false;
}

}  // namespace

TEST_CASE("calls in messages have the names that a program writes") {
  CallBench b;
  int seen = 0;
  for (auto calls :
       {memory_calls(), array_calls(), array_copy_calls(), mipmap_calls(), launch_calls(), occupancy_calls(),
        stream_calls(), stream_attribute_calls(), pool_calls(), graph_calls(), graph_node_calls(),
        device_calls(), string_calls(), library_calls(), print_calls(), file_calls()})
    for (const Entry& e : calls) {
      ptx::Function f;
      f.name = f.demangled = e.name;
      std::vector<std::byte> args(64);
      f.params.resize(8);
      for (size_t i = 0; i < f.params.size(); ++i) f.params[i].offset = 8 * i, f.params[i].bytes = 8;
      const std::string name = Call{b.rt, f, args, {}, {}}.name();
      CHECK_MESSAGE((!name.empty() && name.find("dojo") == name.npos && name.find("CDP") == name.npos &&
                     (name[0] != '_' || name == "_Exit")),
                    std::string(e.name) << " is called " << name);
      ++seen;
    }
  CHECK(seen > 200);
  const uint64_t freed = b.text("word");
  b.call("free", freed);
  CHECK(b.stopped([&] { b.call<uint64_t>("__dojo_strchr", freed, 'w'); }).find("strchr reads") !=
        std::string::npos);
}

TEST_CASE("every call in the tables is declared for student files, and the runtime's have a C function") {
  // Of compiled programs only, of kernels only, and one that CUDA 13 has no more.
  const std::set<std::string> undeclared{"cudaDeviceGetGraphMemAttribute", "cudaDeviceSetGraphMemAttribute",
                                         "cudaDeviceGraphMemTrim",         "__cudaCDP2GetParameterBufferV2",
                                         "__cudaCDP2LaunchDeviceV2",       "__dojo_MemsetElements",
                                         "__dojo_MemsetElementsAsync"};
  const std::set<std::string> without_c{"cudaThreadSynchronize"};
  const std::string headers = texts_below("labs/include"), exec = texts_below("app/exec");
  const std::string renamed =
      "__cudaCDP2";  // by the toolkit's header; clang's stand-in says DOJO_CDP(Malloc)
  int seen = 0;
  std::set<std::string> names;
  for (std::span<const Entry> table : call_tables())
    for (const Entry& e : table) {
      const std::string name = e.name;
      CHECK_MESSAGE(names.insert(name).second, name << " has two entries");
      const bool is_renamed = name.starts_with(renamed);
      const std::string plain = is_renamed ? "cuda" + name.substr(renamed.size()) : name;
      ++seen;
      if (name.starts_with("__nv_")) continue;  // libdevice's, which clang calls for math functions
      if (!undeclared.contains(name)) {
        const bool declared = is_renamed
                                  ? headers.find("DOJO_CDP(" + plain.substr(4) + ")") != headers.npos ||
                                        names.contains(plain)  // clang's code calls that entry
                                  : has_name(headers, name);
        CHECK_MESSAGE(declared, name << " has no declaration: labs/include/shims/dojo_pre.hpp, or "
                                     << "labs/include/clang/dojo_runtime.hpp");
      }
      if (plain.starts_with("cuda") && !undeclared.contains(name) && !without_c.contains(name))
        CHECK_MESSAGE(has_name(exec, plain), plain << " has no C function for `exec`: app/exec/face_*.cpp");
    }
  CHECK(seen > 150);
}
