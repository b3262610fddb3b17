// What course.toml may hold: every key is known and of its kind, or refused with its line.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "grade/course/course.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::grade;

TEST_CASE("a course's keys and kinds are checked; a deadline may be one of TOML's own times") {
  const test::Folder f;
  const Catalog c = load_catalog(DOJO_TEST_ROOT);
  const auto loaded = [&](const std::string& head, const std::string& step) {
    std::ofstream(f.path / "c.toml") << head << "\n[[step]]\nstep = 'reduce/5'\n" << step << "\n";
    return load_course(f.path / "c.toml", c);
  };
  CHECK(loaded("deadline = 2026-10-20T23:59:00", "").steps[0].deadline == "2026-10-20T23:59:00");
  CHECK(loaded("deadline = '2026-10-20T23:59'", "deadline = 2026-10-21").steps[0].deadline == "2026-10-21");
  CHECK(loaded("[late]\nper_day = 1\ndays = 2", "").late->per_day == 1);
  CHECK(!loaded("", "").late);
  CHECK(loaded("[drop]\nlowest = 1", "[[step]]\nstep = 'reduce/6'").drop_lowest == 1);
  const std::pair<const char*, const char*> wrong[] = {{"model_version = 19", "a text in quotes"},
                                                       {"seeds = '3'", "a whole number"},
                                                       {"seeds = 2.5", "a whole number"},
                                                       {"solved_starters = 1", "true or false"},
                                                       {"deadline = 'soon'", "a deadline is a time"},
                                                       {"sede = 3", "there is no 'sede' here"},
                                                       {"late = 3", "late is a table"},
                                                       {"[late]\nper_day = 2.0", "per_day is a share"},
                                                       {"[late]\nperday = 0.1", "no 'perday' here"},
                                                       {"[drop]\nmost = 1", "[drop] has lowest"},
                                                       {"[drop]\nlowest = 1", "leaves no step in a total"},
                                                       {"seeds = 4294967298", "seeds is from 1 to 100"},
                                                       {"memory_mb = 4294967808", "memory_mb is from 256"},
                                                       {"time_limit_s = inf", "above 0, at most 86400"},
                                                       {"time_limit_s = nan", "above 0, at most 86400"},
                                                       {"compile_limit_s = inf", "from 1 to 86400"},
                                                       {"correct_share = nan", "from 0 to 1"}};
  for (const auto& [line, words] : wrong) {
    CAPTURE(line);
    try {
      loaded(line, "");
      FAIL_CHECK("loaded");
    } catch (const Error& e) {
      CHECK_MESSAGE(std::string(e.what()).find(words) != std::string::npos, e.what());
    }
  }
  CHECK_THROWS_AS(loaded("", "point = 3"), Error);
  // A misspelt lab or step is named with its line, and with what is nearest.
  for (const char* misspelt : {"redcue/5", "reduce/5-sequentail", "redcue/5-sequential", "reduc"}) {
    CAPTURE(misspelt);
    std::ofstream(f.path / "c.toml") << "seeds = 1\n[[step]]\nstep = '" << misspelt << "'\n";
    try {
      load_course(f.path / "c.toml", c);
      FAIL_CHECK("loaded");
    } catch (const Error& e) {
      const std::string words = e.what();
      CHECK_MESSAGE(words.find(std::string("c.toml:2: no step '") + misspelt + "'") != std::string::npos,
                    words);
      CHECK_MESSAGE(words.find("the nearest is 'reduce/") != std::string::npos, words);
    }
  }
  CHECK_THROWS_AS(loaded("", "stage = 0"), Error);
  for (const char* points : {"nan", "inf", "-1", "1e300"}) {
    CAPTURE(points);
    CHECK_THROWS_AS(loaded("", std::string("points = ") + points), Error);
  }
  CHECK_THROWS_AS(loaded("", "gates = { \"shared_conflicts == 0\" = inf }"), Error);
  CHECK(loaded("[late]\ndays = 4294967296", "").late->days > 1000);  // and not 0
}
