// The glossary's data, how texts find their terms, and the page that is made of it.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "core/labs/glossary.hpp"
#include "core/labs/lab.hpp"
#include "shell.hpp"

using namespace dojo;

TEST_CASE("the glossary has the words of the labs, each explained briefly and linked to others that exist") {
  const Glossary g = Glossary::load(find_root());
  CHECK(g.terms().size() >= 40);
  for (auto& t : g.terms()) {
    CAPTURE(t.name);
    CHECK(t.text.size() < 240);
    CHECK(t.text.back() == '.');
    CHECK(g.find(t.name) == &t);  // no other term takes its name
    for (auto& s : t.see) CHECK_MESSAGE(g.find(s), s);
  }
  for (const char* word :
       {"warp", "sector", "wavefront", "wave", "long scoreboard", "SM", "in flight", "MSHR", "reuse distance",
        "write back", "excess wavefronts", "resident blocks per SM"})
    CHECK_MESSAGE(g.find(word), word);
}

TEST_CASE("the page in docs is the one that the data make") {
  CHECK_MESSAGE(read_or_empty(find_root() / "docs/glossary.md") == Glossary::load(find_root()).markdown(),
                "warpdojo glossary --markdown > docs/glossary.md");
}

TEST_CASE("terms are found as whole words, in any case, the longest at each place") {
  test::TempFolder t;
  t.write("labs/glossary.toml", R"([[term]]
name = "warp"
also = ["warps"]
text = "32 threads."
[[term]]
name = "bank"
text = "One of 32."
[[term]]
name = "bank conflict"
also = ["bank conflicts"]
text = "Two words, one bank."
[[term]]
name = "SM"
text = "A core."
[[term]]
name = "write back"
also = ["write-back traffic"]
text = "Later."
)");
  const Glossary g = Glossary::load(t.path);
  auto words = [&](const std::string& text) {
    std::string out;
    for (auto& m : g.marks(text)) out += text.substr(m.from, m.to - m.from) + "|";
    return out;
  };
  CHECK(words("Warps (32), bank conflicts.") == "Warps|bank conflicts|");
  CHECK(words("a bank, a warped embankment") == "bank|");
  CHECK(words("sm_90 is not one; an SM is.") == "SM|");
  CHECK(words("write-back traffic of a warp") == "write-back traffic|warp|");
  CHECK(words("").empty());
  t.write("labs/glossary.toml", "[[term]]\nname = \"warp\"\n");
  CHECK_THROWS_AS(Glossary::load(t.path), Error);
  const std::string term = "[[term]]\nname = \"warp\"\ntext = \"32 threads.\"\n";
  for (const auto& [line, words] : {std::pair{"aslo = [\"warps\"]", "there is no 'aslo' here"},
                                    {"also = \"warps\"", "also is a list of texts"},
                                    {"see = [1]", "see is a list of texts"}}) {
    CAPTURE(line);
    t.write("labs/glossary.toml", term + line + "\n");
    CHECK_THROWS_WITH_AS(Glossary::load(t.path), doctest::Contains(words), Error);
  }
}
