// What `exec` reads of a program's file: fat binaries and line tables, whole and damaged.
#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "exec/fat_binary.hpp"
#include "exec/line_table.hpp"

using namespace dojo;

namespace {

template <class T>
void put(std::string& to, T v) {
  to.append(reinterpret_cast<const char*>(&v), sizeof v);
}

/// An entry of PTX for one architecture.
std::string ptx_entry(uint32_t arch, const std::string& text, uint16_t kind = 1, uint64_t flags = 0) {
  std::string e;
  put(e, kind), put(e, uint16_t(0x101)), put(e, uint32_t(64)), put(e, uint64_t(text.size()));
  put(e, uint32_t(flags ? text.size() : 0)), put(e, uint32_t(0)), put(e, uint32_t(0)), put(e, arch);
  put(e, uint64_t(0)), put(e, flags), put(e, uint64_t(0)), put(e, uint64_t(flags ? 1000 : 0));
  return e + text;
}
std::string fat_data(const std::string& entries) {
  std::string d;
  put(d, uint32_t(0xba55ed50)), put(d, uint16_t(1)), put(d, uint16_t(16)), put(d, uint64_t(entries.size()));
  return d + entries;
}
struct FatWrapper {
  uint32_t magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  const void* list = nullptr;
};
exec::FoundPtx found_in(const std::string& data, int arch) {
  FatWrapper w;
  w.data = data.data();
  return exec::find_ptx(&w, arch).at(0);
}

/// A DWARF 5 line program: two files, three rows from address 0x1000 on.
std::string line_program() {
  std::string tables;
  tables += std::string("\1\1\1\1\0\0\0\1\0\0\0\1", 12);  // lengths of the standard operations 1 to 12
  put(tables, uint8_t(1)), tables += "\1\x08";            // folders: a path, as text
  put(tables, uint8_t(1)), tables += std::string("/src\0", 5);
  put(tables, uint8_t(1)), tables += "\1\x08";
  put(tables, uint8_t(2)), tables += std::string("a.cu\0b.hpp\0", 11);
  std::string code;
  code += std::string("\0\x09\2", 3), put(code, uint64_t(0x1000));  // address
  code += std::string("\3\x09\1", 3);                               // line 10, a row
  code += std::string("\4\1\2\4\1", 5);                             // file 1, 4 bytes on, a row
  code += std::string("\4\0\2\4\3\2\1", 7);                         // file 0, 4 bytes on, line 12, a row
  code += std::string("\2\4\0\1\1", 5);                             // 4 bytes on, the end
  std::string head;
  put(head, uint8_t(1)), put(head, uint8_t(1)), put(head, uint8_t(1)), put(head, int8_t(-5));
  put(head, uint8_t(14)), put(head, uint8_t(13));
  std::string unit;
  put(unit, uint16_t(5)), put(unit, uint8_t(8)), put(unit, uint8_t(0));
  put(unit, uint32_t(head.size() + tables.size()));
  unit += head + tables + code;
  std::string all;
  put(all, uint32_t(unit.size()));
  return all + unit;
}

}  // namespace

TEST_CASE("exec: of several PTX texts the one that suits the device") {
  const std::string three = fat_data(ptx_entry(80, "eighty") + ptx_entry(75, "seventy") +
                                     ptx_entry(90, "ninety") + ptx_entry(90, "code", 2));
  CHECK(found_in(three, 86).text == "eighty");
  CHECK(found_in(three, 90).text == "ninety");
  CHECK(found_in(three, 70).text == "seventy");  // none fits: the lowest
  CHECK(found_in(three, 70).arch == 75);
  CHECK(found_in(fat_data(ptx_entry(75, "x", 2)), 90).why_not.find("code=compute_75") != std::string::npos);
  CHECK(found_in(fat_data(""), 90).why_not == "it holds no PTX");
  CHECK(found_in(fat_data(ptx_entry(75, std::string("x\0\0", 3))), 90).text == "x");
}

TEST_CASE("exec: linked files are one PTX text each") {
  const std::string a = fat_data(ptx_entry(75, "a")), b = fat_data(ptx_entry(75, "b"));
  const void* list[] = {a.data(), b.data(), nullptr};
  FatWrapper w;
  w.version = 2;
  w.list = list;
  const auto found = exec::find_ptx(&w, 90);
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "a");
  CHECK(found[1].text == "b");
}

TEST_CASE("exec: a damaged fat binary is refused with a reason") {
  FatWrapper w;
  w.magic = 1;
  CHECK_FALSE(exec::find_ptx(&w, 90).at(0).why_not.empty());
  CHECK_FALSE(exec::find_ptx(nullptr, 90).at(0).why_not.empty());
  CHECK_FALSE(found_in(std::string(64, 'x'), 90).why_not.empty());
  std::string long_payload = fat_data(ptx_entry(75, "text"));
  long_payload[16 + 8] = char(0xff);  // more bytes than there are
  CHECK(found_in(long_payload, 90).why_not == "it holds no PTX");
  for (const uint64_t flags : {0x2000, 0x8000}) {
    const auto packed = found_in(fat_data(ptx_entry(75, "not compressed at all", 1, flags)), 90);
    CHECK(packed.text.empty());
    CHECK(packed.why_not.find("--no-compress") != std::string::npos);
  }
}

TEST_CASE("exec: lines of native code") {
  const exec::LineProgram p = exec::read_debug_lines(line_program(), "", "");
  REQUIRE(p.rows.size() == 4);
  CHECK(p.rows[0].address == 0x1000);
  CHECK(p.rows[0].line == 10);
  CHECK(p.files[p.rows[1].file] == "/src/b.hpp");
  CHECK(p.rows[1].address == 0x1004);
  CHECK(p.files[p.rows[2].file] == "/src/a.cu");
  CHECK(p.rows[2].line == 12);
  CHECK(p.rows[3].end);
  CHECK(p.rows[3].address == 0x100c);
}

TEST_CASE("exec: damaged line tables end, and harm nothing") {
  const std::string whole = line_program();
  for (size_t n = 0; n < whole.size(); ++n) exec::read_debug_lines(whole.substr(0, n), "", "");
  std::mt19937 random(1);
  size_t rows = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string s = whole;
    for (int k = 0; k < 3; ++k) s[4 + random() % (s.size() - 4)] = char(random());
    rows += exec::read_debug_lines(s, "strings", "").rows.size();
  }
  CHECK(rows > 0);
}
