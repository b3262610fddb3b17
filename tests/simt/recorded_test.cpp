// The helper that holds the model to recordings: how lines are read, and that it complains when it should.
#include "recorded.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

using namespace dojo::test;

namespace {
constexpr StatedBound kBound{"some.txt", "some lines", 2, 0.1};
std::vector<std::string> complaints(std::vector<ExpectedMiss> misses, double first, double second) {
  Tally t(kBound, std::move(misses));
  t.add("row  1   100 us", 100, first);
  t.add("row  2   100 us", 100, second);
  return t.complaints();
}
using Lines = std::vector<std::string>;
}  // namespace

TEST_CASE("a pattern takes numbers, words, columns and the measured figure out of a line") {
  const auto row = Pattern("busy {reads} read, {kind:w}, {what:8} {*}, {=us} us")
                       .read("busy  2 read, cold, 4 6 8    any thing,   538.5 us");
  REQUIRE(row);
  CHECK(row->integer("reads") == 2);
  CHECK(row->text("kind") == "cold");
  CHECK(row->text("what") == "4 6 8");
  CHECK(row->measured == 538.5);
}

TEST_CASE("a pattern refuses a line that reads otherwise") {
  const Pattern p("busy {reads} read, {=us} us");
  CHECK_FALSE(p.read(""));
  CHECK_FALSE(p.read("# busy 2 read, 5 us"));
  CHECK_FALSE(p.read("busy two read, 5 us"));
  CHECK_FALSE(p.read("busy 2 written, 5 us"));
  CHECK_FALSE(p.read("busy 2 read, 5 ns"));
  CHECK_FALSE(p.read("busy 2 read,"));
  CHECK_FALSE(Pattern("{name:24} {=us}").read("short 5"));
  CHECK_FALSE(Pattern("{*}: {=us}").read("no colon 5"));
}

TEST_CASE("an expected miss names lines by what they have in common") {
  CHECK(matches_line("row * us", "row   1 100   us"));
  CHECK(matches_line("*, 2 words*", "sums 132 blocks,   2 words  1.6 us"));
  CHECK_FALSE(matches_line("*, 2 words*", "sums 132 blocks,  32 words  1.6 us"));
  CHECK_FALSE(matches_line("row", "row 1"));
  CHECK_FALSE(matches_line("row * ns", "row 1 100 us"));
}

TEST_CASE("lines within the bound raise no complaint, one beyond it does") {
  CHECK(complaints({}, 110, 90) == Lines{});
  CHECK(complaints({}, 111, 100) ==
        Lines{"row 1 100 us: modelled 111, measured 100, 11 % high; the bound is 10 %"});
  CHECK(complaints({}, 100, 89).size() == 1);
  CHECK(complaints({}, std::nan(""), 100).size() == 1);
}

TEST_CASE("a line too few or too many is a complaint") {
  Tally none(kBound, {});
  CHECK(none.complaints() == Lines{"0 lines were compared, 2 are stated"});
}

TEST_CASE("an expected miss covers its own lines alone, up to its own bound") {
  const ExpectedMiss first{"some.txt", "some lines", "row 1 *", 0.2, "a reason"};
  CHECK(complaints({first}, 119, 100) == Lines{});
  CHECK(complaints({first}, 121, 100).size() == 1);
  CHECK(complaints({first}, 119, 111).size() == 1);
}

TEST_CASE("an expected miss that is not needed, too wide, or names no line is a complaint") {
  const ExpectedMiss first{"some.txt", "some lines", "row 1 *", 0.2, "a reason"};
  CHECK(complaints({first}, 105, 100) ==
        Lines{"the expected miss \"row 1 *\" is no longer needed: remove it"});
  CHECK(complaints({first}, 112, 100) ==
        Lines{"the expected miss \"row 1 *\" is wider than it has to be: its worst line is 12 % off"});
  ExpectedMiss none = first;
  none.lines_like = "row 3 *";
  CHECK(complaints({none}, 100, 100) == Lines{"the expected miss \"row 3 *\" names no line: remove it"});
}

TEST_CASE("an absolute bound is an alternative to the relative one") {
  Tally t({"some.txt", "some lines", 2, 0.1, 0.3}, {});
  t.add("row 1", 1, 1.29);
  t.add("row 2", 1, 1.31);
  CHECK(t.complaints().size() == 1);
}

TEST_CASE("docs: the stated bounds are those of the tests") {
  const std::filesystem::path page = dojo::source_root() / "docs/time-model-evidence.md";
  const std::string text = dojo::read_or_empty(page);
  const std::string begin = "<!-- stated bounds -->\n", end = "<!-- end of stated bounds -->\n";
  const size_t from = text.find(begin) + begin.size(), to = text.find(end);
  REQUIRE(text.find(begin) != std::string::npos);
  REQUIRE(to != std::string::npos);
  const std::string fresh = tables_of_bounds();
  const bool current = text.substr(from, to - from) == fresh;
  if (std::getenv("WARPDOJO_WRITE_DOCS"))
    std::ofstream(page) << text.substr(0, from) << fresh << text.substr(to);
  CHECK_MESSAGE(current,
                "the tables differ from stated_bounds.hpp: run this test with WARPDOJO_WRITE_DOCS=1");
}
