// libFuzzer target: any bytes may be given as a cubin; the shape is then the estimate, or some shape, never a
// crash.
#include <cstdint>
#include <cstring>

#include "ptx/executed.hpp"

namespace {

const char* text = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a)
{
.reg .pred %p<4>;
.reg .b32 %r<8>;
.reg .b64 %rd<4>;
mov.u32 %r1, %tid.x;
L: setp.gt.u32 %p1, %r1, 3;
@%p1 bra M;
ld.global.u32 %r2, [%rd1];
add.u32 %r1, %r1, %r2;
M: bar.sync 0;
setp.lt.u32 %p2, %r1, 9;
@%p2 bra L;
st.global.u32 [%rd1], %r1;
ret;
}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dojo;
  static const auto module = ptx::parse(text);
  std::vector<std::byte> bytes(size);
  if (size) std::memcpy(bytes.data(), data, size);
  const ptx::Function& f = module->functions[0];
  auto shape = ptx::sass_shape(*module, f, bytes);
  std::vector<ptx::Visited> visited(f.code.size(), ptx::Visited{3, 70, 1});
  ptx::count_executed(shape, f, visited);
  return 0;
}
