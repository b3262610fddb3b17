#include "core/compile/own/own_headers.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "core/compile/tokens.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

namespace dojo {
namespace fs = std::filesystem;

namespace {

// Limits of one program, so that a wrong -I can't read a whole disk. Ours, not a compiler's.
constexpr size_t most_headers = 200, most_bytes = size_t(8) << 20;

bool header_like(const fs::path& p) {
  static const char* const endings[] = {".h", ".hh", ".hpp", ".hxx", ".cuh", ".cu",
                                        ".c", ".cc", ".cpp", ".inc", ".inl", ".def"};
  return std::find(std::begin(endings), std::end(endings), p.extension().string()) != std::end(endings);
}

/// Is this a header of the CUDA samples (helper_cuda.h) that labs/include/shims replaces?
bool shim_stands_in(const std::string& name) {
  std::error_code ec;
  return name.starts_with("helper_") && fs::exists(source_root() / "labs/include/shims" / name, ec);
}

/// Where an #include of `from` may find `name`, in the order of the search.
std::vector<std::string> places(const std::string& from, const std::string& name, bool quoted,
                                const std::vector<std::string>& folders) {
  std::vector<std::string> all;
  if (name.empty() || fs::path(name).is_absolute() || shim_stands_in(name)) return all;
  if (quoted) all.push_back((fs::path(from).parent_path() / name).lexically_normal().string());
  for (const std::string& f : folders) all.push_back((fs::path(f) / name).lexically_normal().string());
  return all;
}

/// Reads a header; false for another kind of file, a missing one, or one over most_bytes.
bool read_text(const std::string& file, std::string* out) {
  std::error_code ec;
  if (!header_like(file) || !fs::is_regular_file(file, ec) || fs::file_size(file, ec) > most_bytes)
    return false;
  std::optional<std::string> text = read_file(file);
  if (!text) return false;
  // A backslash that joins the last line to none: nvcc warns, NVRTC refuses the header.
  const size_t last = text->find_last_not_of("\r\n");
  if (last != std::string::npos && (*text)[last] == '\\') (*text)[last] = ' ';
  *out = std::move(*text);
  return true;
}

/// Follows #include from file to file, depth first; each header is read once.
struct Reader {
  const std::vector<std::string>& folders;
  std::vector<OwnHeader> found;
  size_t bytes = 0;

  bool known(const std::string& name) const {
    return std::any_of(found.begin(), found.end(), [&](const OwnHeader& h) { return h.name == name; });
  }

  void scan(const std::string& file, const std::string& text) {
    for (const auto& d : compile_detail::tokenize(text).directives) {
      if (d.name != "include" || d.tokens.empty() || d.tokens[0].text.size() < 3) continue;
      const std::string& word = d.tokens[0].text;
      if (word.front() != '"' && word.front() != '<') continue;
      for (const std::string& place :
           places(file, word.substr(1, word.size() - 2), word.front() == '"', folders)) {
        if (place == file || known(place)) break;
        std::string header;
        if (found.size() >= most_headers || !read_text(place, &header)) continue;
        bytes += header.size();
        if (bytes > most_bytes) return;
        found.push_back({place, header});
        scan(place, header);
        break;
      }
    }
  }
};

}  // namespace

std::vector<OwnHeader> own_headers(const std::string& file, const std::string& text,
                                   const std::vector<std::string>& folders) {
  Reader r{folders, {}, 0};
  r.scan(fs::path(file).lexically_normal().string(), text);
  return std::move(r.found);
}

namespace {
/// Appends s as LENGTH:BYTES.
void put(std::string& out, const std::string& s) { out += std::to_string(s.size()) + ":" + s; }

/// Reads LENGTH:BYTES at *at and moves behind it; false: there is none.
bool take(const std::string& from, size_t* at, std::string* s) {
  const size_t colon = from.find(':', *at);
  if (colon == std::string::npos || colon - *at > 9) return false;
  const size_t n = size_t(std::atol(from.substr(*at, colon - *at).c_str()));
  if (n > from.size() - colon - 1) return false;
  *s = from.substr(colon + 1, n);
  *at = colon + 1 + n;
  return true;
}
constexpr std::string_view bundle_mark{"\0program\0", 9};
}  // namespace

std::string pack(const Bundle& b) {
  if (b.headers.empty() && b.units.empty()) return b.text;
  std::string out(bundle_mark);
  put(out, b.text);
  put(out, std::to_string(b.folders.size()));
  for (const std::string& f : b.folders) put(out, f);
  put(out, std::to_string(b.units.size()));
  for (const OwnHeader& u : b.units) put(out, u.name), put(out, u.text);
  for (const OwnHeader& h : b.headers) put(out, h.name), put(out, h.text);
  return out;
}

Bundle unpack(const std::string& packed) {
  Bundle b;
  b.text = packed;
  if (!packed.starts_with(bundle_mark)) return b;
  size_t at = bundle_mark.size();
  std::string count, folder;
  Bundle out;
  if (!take(packed, &at, &out.text) || !take(packed, &at, &count)) return b;
  for (long n = std::atol(count.c_str()); n > 0 && take(packed, &at, &folder); --n)
    out.folders.push_back(folder);
  if (!take(packed, &at, &count)) return b;
  OwnHeader unit;
  for (long n = std::atol(count.c_str()); n > 0; --n) {
    if (!take(packed, &at, &unit.name) || !take(packed, &at, &unit.text)) return b;
    out.units.push_back(unit);
  }
  for (OwnHeader h; take(packed, &at, &h.name) && take(packed, &at, &h.text);) out.headers.push_back(h);
  return out;
}

int compile_detail::find_own(const Bundle& program, const std::string& from, const std::string& name,
                             bool quoted) {
  for (const std::string& place : places(from, name, quoted, program.folders))
    for (size_t i = 0; i < program.headers.size(); ++i)
      if (program.headers[i].name == place) return int(i);
  return -1;
}

}  // namespace dojo
