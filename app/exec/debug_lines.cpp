// The line number program of DWARF 2 to 5 (https://dwarfstd.org, section 6.2).
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "exec/line_table.hpp"

namespace dojo::exec {
namespace {

/// Bytes with a position; reads beyond the end give 0 and set `bad`.
struct Bytes {
  std::string_view b;
  size_t at = 0;
  bool bad = false;
  template <class T>
  T fixed() {
    T v{};
    if (at > b.size() || b.size() - at < sizeof(T))
      bad = true, at = b.size();
    else
      std::memcpy(&v, b.data() + at, sizeof(T)), at += sizeof(T);
    return v;
  }
  uint64_t uleb() {
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto x = fixed<uint8_t>();
      if (shift < 64) v |= uint64_t(x & 0x7F) << shift;
      if (!(x & 0x80) || bad) return v;
    }
  }
  int64_t sleb() {
    uint64_t v = 0;
    for (unsigned shift = 0;;) {
      const auto x = fixed<uint8_t>();
      if (shift < 64) v |= uint64_t(x & 0x7F) << shift;
      shift += 7;
      if (!(x & 0x80) || bad) {
        if (shift < 64 && (x & 0x40)) v |= ~uint64_t(0) << shift;
        return int64_t(v);
      }
    }
  }
  std::string text() {
    if (at >= b.size()) return bad = true, std::string();
    const size_t n = strnlen(b.data() + at, b.size() - at);
    std::string s(b.substr(at, n));
    at = std::min(b.size(), at + n + 1);
    return s;
  }
  void skip(uint64_t n) {
    if (n > b.size() - std::min(at, b.size())) bad = true, n = 0;
    at += n;
  }
};

std::string string_at(std::string_view section, uint64_t offset) {
  if (offset >= section.size()) return {};
  return std::string(section.substr(offset, strnlen(section.data() + offset, section.size() - offset)));
}

constexpr uint64_t content_path = 1, content_directory = 2;

/// One directory or file of DWARF 5's tables.
struct Named {
  std::string path;
  uint64_t directory = 0;
};

std::vector<Named> read_names(Bytes& r, bool wide, std::string_view strings, std::string_view text) {
  std::vector<std::pair<uint64_t, uint64_t>> format(r.fixed<uint8_t>());
  for (auto& [content, form] : format) content = r.uleb(), form = r.uleb();
  std::vector<Named> names;
  for (uint64_t n = r.uleb(); n && !r.bad && !format.empty(); --n) {
    Named name;
    for (const auto& [content, form] : format) {
      std::string s;
      uint64_t v = 0;
      const auto offset = [&] { return wide ? r.fixed<uint64_t>() : r.fixed<uint32_t>(); };
      switch (form) {
        case 0x08:
          s = r.text();
          break;  // string
        case 0x1f:
          s = string_at(strings, offset());
          break;  // line_strp
        case 0x0e:
          s = string_at(text, offset());
          break;  // strp
        case 0x0b:
          v = r.fixed<uint8_t>();
          break;  // data1
        case 0x05:
          v = r.fixed<uint16_t>();
          break;  // data2
        case 0x06:
          v = r.fixed<uint32_t>();
          break;  // data4
        case 0x0f:
          v = r.uleb();
          break;  // udata
        case 0x1e:
          r.skip(16);
          break;  // data16: a checksum
        default:
          r.bad = true;
      }
      if (content == content_path) name.path = std::move(s);
      if (content == content_directory) name.directory = v;
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::string joined(const std::string& folder, const std::string& name) {
  return name.starts_with('/') || folder.empty() ? name : folder + "/" + name;
}

/// One unit's program, from behind its length on.
struct Unit {
  LineProgram& out;
  std::unordered_map<std::string, uint32_t>& numbers;  ///< of the table's files
  std::vector<uint32_t> files;                         ///< the unit's numbers to the table's
  uint64_t first_file = 0;

  uint32_t file(uint64_t number) const {
    return number - first_file < files.size() ? files[number - first_file] : 0;
  }
  uint32_t add(const std::string& path) {
    const auto [it, fresh] = numbers.try_emplace(path, uint32_t(out.files.size()));
    if (fresh) out.files.push_back(path);
    return it->second;
  }

  void run(Bytes& r, size_t end, bool wide, std::string_view strings, std::string_view text) {
    const auto version = r.fixed<uint16_t>();
    if (version < 2 || version > 5) return;
    if (version == 5) r.skip(2);  // address and segment selector size
    const uint64_t header = wide ? r.fixed<uint64_t>() : r.fixed<uint32_t>();
    const size_t start = r.at + header;
    const auto step = r.fixed<uint8_t>();
    if (version >= 4) r.skip(1);  // operations per instruction
    r.skip(1);                    // default is_stmt
    const auto base = r.fixed<int8_t>();
    const auto range = r.fixed<uint8_t>(), first_special = r.fixed<uint8_t>();
    std::vector<uint8_t> operands(256, 0);
    for (int i = 1; i < first_special; ++i) operands[size_t(i)] = r.fixed<uint8_t>();
    if (version == 5) {
      const std::vector<Named> folders = read_names(r, wide, strings, text);
      for (const Named& f : read_names(r, wide, strings, text)) {
        std::string folder = f.directory < folders.size() ? folders[f.directory].path : "";
        if (!folders.empty()) folder = joined(folders[0].path, folder);
        files.push_back(add(joined(folder, f.path)));
      }
    } else {
      std::vector<std::string> folders{""};
      for (std::string s = r.text(); !s.empty() && !r.bad; s = r.text()) folders.push_back(s);
      first_file = 1;
      for (std::string s = r.text(); !s.empty() && !r.bad; s = r.text()) {
        const uint64_t folder = r.uleb();
        r.uleb(), r.uleb();
        files.push_back(add(joined(folder < folders.size() ? folders[folder] : "", s)));
      }
    }
    if (r.bad || start > end || range == 0) return;
    r.at = start;
    execute(r, end, step, base, range, first_special, operands);
  }

  void execute(Bytes& r, size_t end, uint8_t step, int8_t base, uint8_t range, uint8_t first_special,
               const std::vector<uint8_t>& operands) {
    uint64_t address = 0, number = 1;
    int64_t line = 1;
    const auto row = [&](bool last) {
      out.rows.push_back({address, file(number), int(std::clamp<int64_t>(line, 0, 1 << 30)), last});
    };
    while (r.at < end && !r.bad) {
      const auto op = r.fixed<uint8_t>();
      if (op >= first_special) {
        address += uint64_t((op - first_special) / range) * step;
        line += base + (op - first_special) % range;
        row(false);
        continue;
      }
      if (op == 0) {
        const uint64_t size = r.uleb();
        const size_t next = r.at + size;
        if (size == 0 || size > end - std::min(end, r.at)) return;
        const auto what = r.fixed<uint8_t>();
        if (what == 1) row(true), address = 0, number = 1, line = 1;
        if (what == 2) address = r.fixed<uint64_t>();
        r.at = next;
        continue;
      }
      switch (op) {
        case 1:
          row(false);
          break;
        case 2:
          address += r.uleb() * step;
          break;
        case 3:
          line += r.sleb();
          break;
        case 4:
          number = r.uleb();
          break;
        case 8:
          address += uint64_t((255 - first_special) / range) * step;
          break;
        case 9:
          address += r.fixed<uint16_t>();
          break;
        default:
          for (int i = 0; i < operands[op]; ++i) r.uleb();
      }
    }
  }
};

}  // namespace

LineProgram read_debug_lines(std::string_view lines, std::string_view strings, std::string_view text) {
  LineProgram out;
  out.files.push_back("");
  std::unordered_map<std::string, uint32_t> numbers{{"", 0}};
  Bytes r{lines};
  while (r.at < lines.size() && !r.bad) {
    uint64_t length = r.fixed<uint32_t>();
    const bool wide = length == 0xffffffff;
    if (wide) length = r.fixed<uint64_t>();
    if (length > lines.size() - r.at) break;
    const size_t end = r.at + length;
    Unit{out, numbers, {}, 0}.run(r, end, wide, strings, text);
    r.at = end;
    r.bad = false;
  }
  // An end that shares its address with the next sequence's start comes first.
  std::stable_sort(out.rows.begin(), out.rows.end(), [](const LineRow& a, const LineRow& b) {
    return a.address != b.address ? a.address < b.address : a.end && !b.end;
  });
  return out;
}

}  // namespace dojo::exec
