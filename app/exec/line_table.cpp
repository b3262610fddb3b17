#include "exec/line_table.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/files/whole_file.hpp"
#include "ptx/module.hpp"

namespace dojo::exec {
namespace {

struct Function {
  uint64_t address = 0, bytes = 0;
  std::string name;  ///< mangled
};

}  // namespace

/// Lines and functions of one ELF file; both empty if it can't be read or is damaged.
struct NativeCode::File {
  LineProgram lines;
  std::vector<Function> functions;  ///< by address

  explicit File(const std::string& path) {
    const std::string bytes = read_or_empty(path);
    Elf64_Ehdr head;
    if (bytes.size() < sizeof head) return;
    std::memcpy(&head, bytes.data(), sizeof head);
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(Elf64_Shdr)) return;
    std::vector<Elf64_Shdr> sections(head.e_shnum);
    const uint64_t table = sections.size() * sizeof(Elf64_Shdr);
    if (sections.empty() || head.e_shoff > bytes.size() || bytes.size() - head.e_shoff < table) return;
    std::memcpy(sections.data(), bytes.data() + head.e_shoff, table);
    const auto body = [&](const Elf64_Shdr& s) -> std::string_view {
      if (s.sh_type == SHT_NOBITS || s.sh_offset > bytes.size() || s.sh_size > bytes.size() - s.sh_offset ||
          (s.sh_flags & SHF_COMPRESSED))
        return {};
      return std::string_view(bytes).substr(s.sh_offset, s.sh_size);
    };
    const std::string_view names =
        head.e_shstrndx < sections.size() ? body(sections[head.e_shstrndx]) : std::string_view();
    const auto section = [&](std::string_view wanted) -> std::string_view {
      for (const Elf64_Shdr& s : sections)
        if (s.sh_name < names.size() && names.substr(s.sh_name).starts_with(wanted) &&
            names.substr(s.sh_name + wanted.size()).starts_with('\0'))
          return body(s);
      return {};
    };
    lines = read_debug_lines(section(".debug_line"), section(".debug_line_str"), section(".debug_str"));
    const std::string_view symbols = section(".symtab"), text = section(".strtab");
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
      Elf64_Sym s;
      std::memcpy(&s, symbols.data() + at, sizeof s);
      if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || s.st_name >= text.size()) continue;
      const std::string_view from = text.substr(s.st_name);
      functions.push_back({s.st_value, s.st_size, std::string(from.substr(0, from.find('\0')))});
    }
    std::sort(functions.begin(), functions.end(),
              [](const Function& a, const Function& b) { return a.address < b.address; });
  }

  const LineRow* row(uint64_t address) const {
    auto it = std::upper_bound(lines.rows.begin(), lines.rows.end(), address,
                               [](uint64_t a, const LineRow& r) { return a < r.address; });
    if (it == lines.rows.begin()) return nullptr;
    --it;
    if (it->end) return nullptr;
    // Code inlined from a header of the toolkit counts for the program's own line before it in the same
    // function, at most 256 bytes back. A function of the header's own, as cudaMalloc(T**, size_t) is, has no
    // such line.
    const LineRow* own = &*it;
    const Function* inside = function_at(address);
    const uint64_t first = inside ? inside->address : 0;
    for (auto back = it; of_toolkit(lines.files[own->file]); --back) {
      if (back->end || back->address < first || it->address - back->address > 256) return &*it;
      own = &*back;
      if (back == lines.rows.begin()) break;
    }
    return own;
  }

  /// Null: the symbol table has none there.
  const Function* function_at(uint64_t address) const {
    auto it = std::upper_bound(functions.begin(), functions.end(), address,
                               [](uint64_t a, const Function& f) { return a < f.address; });
    if (it == functions.begin()) return nullptr;
    --it;
    return address - it->address < std::max<uint64_t>(it->bytes, 1) ? &*it : nullptr;
  }

  std::string function(uint64_t address) const {
    const Function* f = function_at(address);
    return f ? ptx::demangled(f->name) : "";
  }
};

NativeCode::NativeCode() = default;
NativeCode::~NativeCode() = default;

bool of_toolkit(const std::string& file) {
  return file.starts_with("/usr/") || file.starts_with("/opt/") ||
         file.find("/targets/x86_64-linux/include") != std::string::npos ||
         file.find("/targets/sbsa-linux/include") != std::string::npos ||
         file.find("/cuda/include/") != std::string::npos || file.ends_with(".cudafe1.stub.c") ||
         file.ends_with("crt/host_runtime.h") || file.ends_with("cuda_runtime.h");
}

NativeCode::File* NativeCode::file_of(uint64_t address, uint64_t* in_file) {
  Dl_info info{};
  link_map* map = nullptr;
  if (!dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) ||
      !map)
    return nullptr;
  *in_file = address - map->l_addr;
  std::string path = map->l_name;
  if (path.empty()) {
    std::error_code ec;
    path = std::filesystem::read_symlink("/proc/self/exe", ec).string();
  }
  if (path.starts_with("/usr/lib") || path.starts_with("/lib") || path.find("/libcudart.so") != path.npos)
    return nullptr;
  auto& file = files_[path];
  if (!file) file = std::make_unique<File>(path);
  return file.get();
}

const NativeCode::Place& NativeCode::place(uint64_t address) {
  auto [it, fresh] = places_.try_emplace(address);
  if (!fresh) return it->second;
  Place& p = it->second;
  uint64_t in_file = 0;
  const File* file = file_of(address, &in_file);
  if (!file) return p;
  p.of_program = true;
  p.function = file->function(in_file);
  if (const LineRow* row = file->row(in_file)) {
    p.where.file = std::filesystem::path(file->lines.files[row->file]).lexically_normal().string();
    p.where.line = row->line;
  }
  return p;
}

NativeCode::Place NativeCode::caller(uint64_t return_address) {
  const auto known = callers_.find(return_address);
  if (known != callers_.end()) return known->second;
  // A return address is the first byte after the call.
  const Place& direct = place(return_address - 1);
  if (direct.of_program && !direct.where.file.empty() && !of_toolkit(direct.where.file))
    return callers_[return_address] = direct;
  // One of the toolkit's inline functions: the program's own line is further up, and may be another each
  // time.
  void* frames[32];
  const int n = backtrace(frames, 32);
  bool below = false;
  for (int i = 0; i < n; ++i) {
    below |= reinterpret_cast<uint64_t>(frames[i]) == return_address;
    if (!below) continue;
    const Place& p = place(reinterpret_cast<uint64_t>(frames[i]) - 1);
    if (p.of_program && !p.where.file.empty() && !of_toolkit(p.where.file)) return p;
  }
  return direct;
}

}  // namespace dojo::exec
