#include "gui/other_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "core/files/whole_file.hpp"

namespace dojo::gui {

namespace {
constexpr const char* usual_places[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                        "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
                                        "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
                                        "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
                                        "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
                                        "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
                                        "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc"};
constexpr size_t most_asked = 64;

/// A big-endian number of `size` bytes; 0 behind the end.
size_t number_at(const std::string& bytes, size_t at, size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return 0;
  size_t out = 0;
  for (size_t k = 0; k < size; ++k) out = out << 8 | static_cast<unsigned char>(bytes[at + k]);
  return out;
}
}  // namespace

std::vector<FontFile> usual_script_fonts() {
  std::vector<FontFile> out;
  std::error_code ec;
  for (const char* file : usual_places)
    if (std::filesystem::is_regular_file(file, ec)) out.push_back({file, 0});
  return out;
}

FontFile installed_font_for(const std::vector<unsigned>& code_points) {
  // The window waits for the answer: a cold cache of fontconfig's may take long.
  std::string command = "timeout 2 fc-match --format='%{index}\\n%{file}' ':charset=";
  for (size_t k = 0; k < std::min(code_points.size(), most_asked); ++k)
    command += fmt::format("{}{:x}", k ? " " : "", code_points[k]);
  FILE* answer = ::popen((command + "' 2>/dev/null").c_str(), "re");
  if (!answer) return {};
  std::string text;
  std::array<char, 4096> part;
  for (size_t n; text.size() < part.size() && (n = std::fread(part.data(), 1, part.size(), answer)) > 0;)
    text.append(part.data(), n);
  if (::pclose(answer) != 0) return {};
  FontFile out;
  std::istringstream lines(text);
  std::string index;
  std::getline(lines, index);
  std::getline(lines, out.path);
  out.index = int(std::strtol(index.c_str(), nullptr, 10) & 0xFFFF);  // above: a named instance
  return has_outlines(read_file(out.path).value_or(""), out.index) ? out : FontFile{};
}

bool has_outlines(const std::string& bytes, int index) {
  size_t start = 0;
  if (bytes.starts_with("ttcf")) {
    if (index < 0 || size_t(index) >= number_at(bytes, 8, 4)) return false;
    start = number_at(bytes, 12 + 4 * size_t(index), 4);
  } else if (index != 0) {
    return false;
  }
  const size_t kind = number_at(bytes, start, 4);
  if (kind != 0x00010000 && kind != 0x4F54544F && kind != 0x74727565) return false;  // "OTTO", "true"
  const size_t tables = number_at(bytes, start + 4, 2);
  bool outlines = false, letters = false;
  for (size_t k = 0; k < tables; ++k) {
    const size_t at = start + 12 + 16 * k;
    if (at + 16 > bytes.size()) return false;
    const std::string_view name(bytes.data() + at, 4);
    outlines |= name == "glyf" || name == "CFF ";
    letters |= name == "cmap";
  }
  return outlines && letters;
}

}  // namespace dojo::gui
