// The line number program of DWARF 2 to 5 (https://dwarfstd.org, section 6.2).
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "exec/line_table.hpp"
#include "ptx/lines/line_program.hpp"

namespace dojo::exec {
namespace {

using ptx::DwarfReader;

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

std::vector<Named> read_names(DwarfReader& r, bool wide, std::string_view strings, std::string_view text) {
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
          s = std::string(r.text());
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

/// Reads one unit's line program, from after its length field.
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

  void run(DwarfReader& r, size_t end, bool wide, std::string_view strings, std::string_view text) {
    const auto version = r.fixed<uint16_t>();
    if (version < 2 || version > 5) return;
    if (version == 5) r.skip(2);  // address and segment selector size
    const uint64_t header = wide ? r.fixed<uint64_t>() : r.fixed<uint32_t>();
    const size_t start = r.at + header;
    const ptx::LineHeader line_header = ptx::read_line_header(r, version);
    if (version == 5) {
      const std::vector<Named> folders = read_names(r, wide, strings, text);
      for (const Named& f : read_names(r, wide, strings, text)) {
        std::string folder = f.directory < folders.size() ? folders[f.directory].path : "";
        if (!folders.empty()) folder = joined(folders[0].path, folder);
        files.push_back(add(joined(folder, f.path)));
      }
    } else {
      std::vector<std::string> folders{""};
      for (std::string_view s = r.text(); !s.empty() && !r.bad; s = r.text()) folders.emplace_back(s);
      first_file = 1;
      for (std::string s(r.text()); !s.empty() && !r.bad; s = r.text()) {
        const uint64_t folder = r.uleb();
        r.uleb(), r.uleb();
        files.push_back(add(joined(folder < folders.size() ? folders[folder] : "", s)));
      }
    }
    if (r.bad || start > end || line_header.range == 0) return;
    r.at = start;
    ptx::execute_lines(r, end, line_header, *this);
  }

  void row(uint64_t address, uint64_t number, int line, bool last) {
    out.rows.push_back({address, file(number), line, last});
  }
  uint64_t address(DwarfReader& r) { return r.fixed<uint64_t>(); }
};

}  // namespace

LineProgram read_debug_lines(std::string_view lines, std::string_view strings, std::string_view text) {
  LineProgram out;
  out.files.push_back("");
  std::unordered_map<std::string, uint32_t> numbers{{"", 0}};
  DwarfReader r{lines};
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
