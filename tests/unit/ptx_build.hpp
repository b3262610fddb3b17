#pragma once
// Source text compiled to PTX and on to machine code, for tests of what becomes of it.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/compile.hpp"
#include "ptx/module.hpp"
#include "ptx/sass.hpp"

namespace dojo::ptx {

struct Built {
  std::shared_ptr<const Module> module;
  std::vector<std::byte> cubin;
};

inline Built build(const std::string& source, const std::string& sm = "sm_90") {
  CompileRequest request;
  request.file = "step.cu";
  request.source = source;
  request.arch = "compute_75";
  Compiled c = compile(request);
  REQUIRE(c.ok);
  Built b;
  b.module = parse(c.ptx, "step.cu");
  Assembled a = assemble(strip_host(*b.module), sm);
  REQUIRE_MESSAGE(a.ok, a.message);
  b.cubin = a.cubin;
  return b;
}

}  // namespace dojo::ptx
