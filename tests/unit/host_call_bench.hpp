#pragma once
// One call of the runtime or the C library at a time, on a made-up device.
#include <doctest/doctest.h>

#include "host/runtime.hpp"
#include "host_fake_device.hpp"

namespace dojo::host_test {

using namespace dojo::host;

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
      return to_string(s.why.kind) + (": " + s.why.message);
    }
    return "";
  }
};

}  // namespace dojo::host_test
