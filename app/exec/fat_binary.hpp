#pragma once
// The PTX in a fat binary, as nvcc and clang embed it in a program. The layout is published nowhere; it was
// read off the output of nvcc 13.0:
//   wrapper  u32 magic 0x466243b1, u32 version, u64 address of the data,
//            u64 version 2 (nvcc -rdc=true): address of a list of data, one per linked file, a null pointer
//            behind it
//   data     u32 magic 0xba55ed50, u16 version, u16 header bytes, u64 bytes of all entries
//   entry    u16 kind (1 PTX, 2 machine code), u16 version, u32 header bytes, u64 payload bytes,
//            u32 compressed bytes, u32 -, u16 minor, u16 major, u32 architecture (75), u32 name offset,
//            u32 name bytes, u64 flags, u64 -, u64 bytes before compression; then the payload
#include <cstddef>
#include <string>
#include <vector>

namespace dojo::exec {

/// The embedded PTX that suits a device: of the highest architecture not above the device's, else of the
/// lowest.
struct FoundPtx {
  std::string text;  ///< empty: `why_not` says how the program must be built
  std::string why_not;
  int arch = 0;  ///< 75 for sm_75
};
/// The PTX of each file that was linked (nvcc -rdc=true), else of the one binary. `wrapper`: the argument of
/// __cudaRegisterFatBinary; `device_arch`: 90 for compute capability 9.0.
std::vector<FoundPtx> find_ptx(const void* wrapper, int device_arch);
/// The PTX of an argument of cuModuleLoadData: PTX text with a final zero, a fat binary, or its wrapper.
FoundPtx find_image(const void* image, int device_arch);

}  // namespace dojo::exec
