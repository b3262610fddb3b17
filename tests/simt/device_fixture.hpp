#pragma once
// Kernels from source text on a SIMT device, without the host interpreter: compile, strip, assemble, load,
// launch.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/compile.hpp"
#include "core/device.hpp"
#include "ptx/module.hpp"
#include "simt/device/register.hpp"

namespace dojo::test {

struct Kernels {
  std::unique_ptr<Device> device;
  std::shared_ptr<const ptx::Module> module;
  RunControl control;

  explicit Kernels(const std::string& source, const std::string& name = "simt:h100",
                   bool machine_code = true) {
    simt::register_simt();
    device = open_device(name);
    const DeviceInfo& d = device->info();
    const std::string cc = std::to_string(std::max(75, d.cc_major * 10 + d.cc_minor));
    CompileRequest request;
    request.file = "k.cu";
    request.source = source;
    request.arch = "compute_" + cc;
    const Compiled c = compile(request);
    std::string told;
    for (const auto& x : c.diagnostics) told += x.message + "\n";
    REQUIRE_MESSAGE(c.ok, told);
    module = ptx::parse(ptx::strip_host(*ptx::parse(c.ptx, "k.cu")), "k.cu");
    Assembled assembled;
    if (machine_code) assembled = assemble(module->text, "sm_" + cc);
    control.threads = 1;
    device->set_control(control);
    device->load(module, assembled);
  }
  uint64_t buffer(uint64_t bytes, const char* name = "buffer") {
    uint64_t a = 0;
    REQUIRE(device->allocate(&a, bytes, Owner::device, name, {}).ok());
    return a;
  }
  template <class T>
  uint64_t buffer_of(const std::vector<T>& values, const char* name = "buffer") {
    const uint64_t a = buffer(values.size() * sizeof(T), name);
    uint64_t h = 0;
    REQUIRE(device->allocate(&h, values.size() * sizeof(T), Owner::pinned, "staging", {}).ok());
    std::memcpy(device->memory().at(h, values.size() * sizeof(T)), values.data(), values.size() * sizeof(T));
    REQUIRE(device->copy(a, h, values.size() * sizeof(T), 0, true).ok());
    return a;
  }
  template <class T>
  std::vector<T> read(uint64_t address, size_t count) {
    std::vector<T> out(count);
    std::memcpy(out.data(), device->memory().at(address, count * sizeof(T)), count * sizeof(T));
    return out;
  }
  std::string mangled(const std::string& base) const {
    const ptx::Function* f = module->find_base(base, true);
    REQUIRE(f);
    return f->name;
  }
  /// Arguments go in order, each at its own alignment.
  template <class... Args>
  LaunchSpec spec(const std::string& base, Dim3 grid, Dim3 block, Args... args) const {
    LaunchSpec s;
    s.kernel = mangled(base);
    s.grid = grid;
    s.block = block;
    s.cluster = {1, 1, 1};
    [[maybe_unused]] const auto add = [&](const auto& v) {
      const size_t at = (s.params.size() + sizeof v - 1) / sizeof v * sizeof v;
      s.params.resize(at + sizeof v);
      std::memcpy(s.params.data() + at, &v, sizeof v);
    };
    (add(args), ...);
    return s;
  }
  LaunchReport run(const LaunchSpec& s) {
    REQUIRE(device->launch(s).ok());
    REQUIRE(device->synchronize().ok());
    auto all = device->take_launches();
    REQUIRE(all.size() == 1);
    return all[0];
  }
};

}  // namespace dojo::test
