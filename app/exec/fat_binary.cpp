#include "exec/fat_binary.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace dojo::exec {
namespace {

constexpr uint32_t wrapper_magic = 0x466243b1, data_magic = 0xba55ed50;
constexpr uint32_t linked_version = 2;
constexpr uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;
constexpr uint16_t kind_ptx = 1, kind_machine_code = 2;
constexpr uint64_t most_text = uint64_t(1) << 30;  // bytes: refuses damaged sizes

template <class T>
T field(const std::byte* at, size_t offset) {
  T v;
  std::memcpy(&v, at + offset, sizeof v);
  return v;
}

struct Entry {
  uint16_t kind = 0;
  uint32_t arch = 0, compressed_bytes = 0;
  uint64_t flags = 0, plain_bytes = 0, payload_bytes = 0;
  const std::byte* payload = nullptr;
};

/// Decompresses with liblz4 or libzstd, loaded on demand because few programs are compressed.
bool decompress(const Entry& e, std::string& out, std::string& why_not) {
  if (e.plain_bytes == 0 || e.plain_bytes > most_text) {
    why_not = "its compressed PTX has no valid size";
    return false;
  }
  out.resize(e.plain_bytes);
  const bool zstd = (e.flags & flag_zstd) != 0;
  const char* name = zstd ? "libzstd.so.1" : "liblz4.so.1";
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  bool done = false;
  if (library && zstd) {
    using Call = size_t (*)(void*, size_t, const void*, size_t);
    if (auto call = reinterpret_cast<Call>(dlsym(library, "ZSTD_decompress")))
      done = call(out.data(), out.size(), e.payload, e.compressed_bytes) == out.size();
  } else if (library) {
    using Call = int (*)(const char*, char*, int, int);
    if (auto call = reinterpret_cast<Call>(dlsym(library, "LZ4_decompress_safe")))
      done = call(reinterpret_cast<const char*>(e.payload), out.data(), int(e.compressed_bytes),
                  int(out.size())) == int(out.size());
  }
  if (!done)
    why_not = library ? std::string("its compressed PTX could not be read: build it with nvcc --no-compress")
                      : std::string("its PTX is compressed and this machine has no ") + name +
                            ": build it with nvcc --no-compress";
  return done;
}

constexpr const char* unknown_form = "its fat binary has an unknown form";

FoundPtx find_in(const std::byte* data, int device_arch) {
  FoundPtx found;
  if (!data || field<uint32_t>(data, 0) != data_magic) {
    found.why_not = unknown_form;
    return found;
  }
  const uint64_t bytes = field<uint64_t>(data, 8);
  const std::byte* at = data + field<uint16_t>(data, 6);
  const std::byte* end = at + bytes;
  Entry best;
  bool machine_code = false;
  while (end - at >= 64) {
    Entry e;
    e.kind = field<uint16_t>(at, 0);
    const uint32_t header = field<uint32_t>(at, 4);
    e.payload_bytes = field<uint64_t>(at, 8);
    e.compressed_bytes = field<uint32_t>(at, 16);
    e.arch = field<uint32_t>(at, 28);
    e.flags = field<uint64_t>(at, 40);
    e.plain_bytes = field<uint64_t>(at, 56);
    e.payload = at + header;
    if (header < 64 || uint64_t(end - at) < header || e.payload_bytes > uint64_t(end - e.payload) ||
        e.compressed_bytes > e.payload_bytes)
      break;
    machine_code |= e.kind == kind_machine_code;
    if (e.kind == kind_ptx) {
      const auto fits = [&](const Entry& x) { return int(x.arch) <= device_arch; };
      const bool better = !best.payload || (fits(e) != fits(best) ? fits(e)
                                            : fits(e)             ? e.arch > best.arch
                                                                  : e.arch < best.arch);
      if (better) best = e;
    }
    at = e.payload + e.payload_bytes;
  }
  if (!best.payload) {
    found.why_not = machine_code
                        ? "it holds machine code only: build it with code=compute_75 for PTX, by clang with "
                          "--cuda-include-ptx=all"
                        : "it holds no PTX";
    return found;
  }
  found.arch = int(best.arch);
  if (best.flags & (flag_lz4 | flag_zstd)) {
    if (!decompress(best, found.text, found.why_not)) found.text.clear();
  } else {
    found.text.assign(reinterpret_cast<const char*>(best.payload), best.payload_bytes);
  }
  if (const size_t zero = found.text.find('\0'); zero != std::string::npos) found.text.resize(zero);
  return found;
}

}  // namespace

FoundPtx find_image(const void* image, int device_arch) {
  const auto* at = static_cast<const std::byte*>(image);
  const uint32_t magic = field<uint32_t>(at, 0);
  if (magic == wrapper_magic) return find_ptx(image, device_arch).front();
  if (magic == data_magic) return find_in(at, device_arch);
  if (std::memcmp(at,
                  "\x7f"
                  "ELF",
                  4) == 0)
    return {"", "it is machine code: compile it to PTX, with nvcc -ptx or with nvrtcGetPTX for compute_NN",
            0};
  return {static_cast<const char*>(image), "", device_arch};
}

std::vector<FoundPtx> find_ptx(const void* wrapper, int device_arch) {
  const auto* w = static_cast<const std::byte*>(wrapper);
  if (!w || field<uint32_t>(w, 0) != wrapper_magic) return {{"", unknown_form, 0}};
  if (field<uint32_t>(w, 4) != linked_version)
    return {find_in(reinterpret_cast<const std::byte*>(field<uint64_t>(w, 8)), device_arch)};
  std::vector<FoundPtx> all;
  const auto* list = reinterpret_cast<const std::byte* const*>(field<uint64_t>(w, 16));
  for (; list && *list; ++list) all.push_back(find_in(*list, device_arch));
  return all;
}

}  // namespace dojo::exec
