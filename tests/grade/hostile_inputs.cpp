// Submissions that try to hurt the grader: each costs its own row, with a reason, and tells nothing.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <map>

#include "../whole_suite.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

namespace {

/// "// expect: A B" of the first line.
std::string expected(const std::string& text) {
  const std::string mark = "// expect: ";
  return text.starts_with(mark) ? text.substr(mark.size(), text.find('\n') - mark.size()) : "";
}

bool among(const std::string& status, const std::string& list) {
  return (" " + list + " ").find(" " + status + " ") != std::string::npos;
}

/// What can't lie in a repository: made here. Returns the statuses that are right for each.
std::map<std::string, std::string> made_inputs(const SmallClass& c) {
  std::map<std::string, std::string> all;
  auto text = [&](const std::string& name, const std::string& statuses, const std::string& content) {
    c.hand_in(name, content);
    all[name] = statuses;
  };
  const std::string good = c.solution();
  std::string junk;
  uint64_t x = 88172645463325252ull;
  for (int i = 0; i < 200000; ++i) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    junk += char(x);
  }
  text("binary-junk", "compile_error", junk);
  for (char& ch : junk)
    if (!ch) ch = 1;
  text("binary-junk-without-zeros", "compile_error", junk);
  text("elf", "compile_error", read_or_empty(program_path()).substr(0, 1 << 20));
  text("empty", "compile_error", "");
  const auto utf16 = [&](bool little) {
    std::string wide = little ? "\xFF\xFE" : "\xFE\xFF";
    for (char ch : good) wide += little ? std::string{ch, '\0'} : std::string{'\0', ch};
    return wide;
  };
  text("utf16", "compile_error", utf16(true));
  text("utf16-big-endian", "compile_error", utf16(false));
  text("utf16-without-a-mark", "compile_error", utf16(true).substr(2));
  text("invalid-utf8", "compile_error", "int \xC3\x28\xF0\x28\x8C\xBC\x80\xFF = 1;\n" + good);
  text("invalid-utf8-in-comment", "pass", "// \xC3\x28 \xFF\xFE \xED\xA0\x80\n" + good);
  text("control-characters", "compile_error",
       "#error \x1b[2K\x1b[1A\x07 all is well \x1b]0;owned\x07\n" + good);
  text("huge-line", "compile_error", "int x = " + std::string(3 << 20, '1') + ";\n" + good);
  text(
      "huge-line-of-tokens", "pass", "int f() { return 1" + [] {
        std::string s;
        for (int i = 0; i < 60000; ++i) s += "+1";
        return s;
      }() + "; }\n" + good);
  // (Without optimisation its compile is near the limit of 2 seconds of processor time.)
  text("deep-parentheses", "pass timeout",
       "int x = " + std::string(100000, '(') + "1" + std::string(100000, ')') + ";\n" + good);
  // (The compiler lets its stack grow by realloc, which AddressSanitizer copies each time: that takes it a
  // minute.)
  text("deep-braces", sanitized ? "pass timeout" : "pass",
       "void f() " + std::string(50000, '{') + std::string(50000, '}') + "\n" + good);
  text("many-kernels", "pass", [&] {
    std::string s;
    for (int i = 0; i < 300; ++i)
      s += fmt::format("__global__ void k{}(float* p) {{ p[{}] = {}; }}\n", i, i, i);
    return s + good;
  }());
  text("backslashes", "compile_error", std::string(100000, '\\') + "\n" + good);
  text("newlines", "pass", std::string(500000, '\n') + good);
  // A hundred megabytes, none of them on the disk.
  text("hundred-megabytes", "missing", "");
  fs::resize_file(c.file_of("hundred-megabytes"), uintmax_t(100) << 20);
  auto place = [&](const std::string& name, const std::string& statuses) {
    fs::create_directories(c.file_of(name).parent_path());
    all[name] = statuses;
    return c.file_of(name);
  };
  fs::create_symlink("/etc/passwd", place("link-to-passwd", "missing"));
  fs::create_symlink(c.canary, place("link-to-canary", "missing"));
  fs::create_symlink(c.root / "reference/01-reduce/5-sequential.cu", place("link-to-reference", "missing"));
  fs::create_symlink("../../newlines/01-reduce/5-sequential.cu", place("link-to-another-student", "missing"));
  fs::create_symlink("5-sequential.cu", place("link-to-itself", "missing"));
  fs::create_symlink("nowhere", place("link-to-nowhere", "missing"));
  fs::create_symlink("/dev/zero", place("link-to-device", "missing"));
  fs::create_directories(c.people / "link-as-folder");
  fs::create_directory_symlink(c.root / "reference/01-reduce", c.people / "link-as-folder/01-reduce");
  all["link-as-folder"] = "missing";
  fs::create_directories(place("folder-as-file", "missing"));
  mkfifo(place("fifo", "missing").c_str(), 0600);
  c.hand_in("unreadable", good);
  fs::permissions(c.file_of("unreadable"), fs::perms::none);
  all["unreadable"] = geteuid() == 0 ? "pass" : "missing";  // root reads anything
  text("=HYPERLINK(\"http:..evil\")", "pass", good);
  text("line\nend and \x1b[31m colour", "pass", good);
  text("bytes-\xFF\xFE", "pass", good);
  fs::create_directories(c.people / "nothing-handed-in");
  all["nothing-handed-in"] = "missing";
  return all;
}

}  // namespace

TEST_CASE("hostile submissions cost one row each, with a reason, and disclose nothing") {
  const SmallClass c;
  std::map<std::string, std::string> want = made_inputs(c);
  Part part("hostile files", 12);
  for (const auto& e : fs::directory_iterator(fs::path(DOJO_TEST_ROOT) / "tests/hostile")) {
    if (e.path().extension() != ".cu" || !part.takes(e.path().stem().string())) continue;
    const std::string text = read_or_empty(e.path()), name = e.path().stem().string();
    want[name] = expected(text);
    REQUIRE_MESSAGE(!want[name].empty(), name, " says in its first line what to expect");
    c.hand_in(name, text);
  }
  REQUIRE(part.seen() >= 60);
  const Catalog catalog = c.catalog();
  auto options = c.options(catalog);
  options.course.compile_limit_s = roomy(2);  // of processor time: an honest file needs a tenth of that
  options.course.memory_mb = roomy(1200);     // an endless loop's traces take some 900 MiB until its limit
  // Loops and floods end by their instructions and calls, long before.
  options.course.time_limit_s = 120;
  // Without a closed sandbox the includes are still refused: the layers are there for what was not foreseen.
  MESSAGE("sandbox: ", options.sandbox.words());
  const Environment secret("WARPDOJO_SECRET", SmallClass::secret_words);
  const auto rows = c.grade(options, catalog);
  REQUIRE(rows.size() == want.size());
  std::map<std::string, const grade::Row*> by_name;
  for (const auto& r : rows) by_name[r.student] = &r;
  for (const auto& student : want) {
    const auto &name = student.first, &statuses = student.second;
    const auto it = by_name.find(grade::clean_text(name, 200));
    REQUIRE_MESSAGE(it != by_name.end(), name);
    const grade::Row& r = *it->second;
    CAPTURE(name);
    CAPTURE(r.message);
    CHECK_MESSAGE(among(to_string(r.status), statuses), to_string(r.status), " instead of ", statuses);
    CHECK((r.status == grade::RowStatus::pass || r.status == grade::RowStatus::gate_failed ||
           !r.message.empty()));
    if (r.status != grade::RowStatus::pass && r.status != grade::RowStatus::gate_failed) CHECK(r.points == 0);
    if (name.starts_with("utf16"))
      CHECK(r.message.find("UTF-16 text: save it as UTF-8") != std::string::npos);
    const std::string whole = grade::to_json(r);
    for (const char* leak : {SmallClass::secret_words, "root:x", "/bin/bash", "FOUND-IT", "@CANARY@"})
      CHECK(whole.find(leak) == std::string::npos);
    CHECK(r.message.find('\x1b') == std::string::npos);
  }
  CHECK(!fs::exists(c.canary.string() + ".owned"));
}
