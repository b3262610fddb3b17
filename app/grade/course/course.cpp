#include "grade/course/course.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <climits>
#include <sstream>
#include <type_traits>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "grade/book/calendar.hpp"
#include "grade/book/toml_time.hpp"

namespace dojo::grade {
namespace {

[[noreturn]] void refuse(const fs::path& file, const toml::node* at, const std::string& what) {
  const auto line = at ? at->source().begin.line : 0;
  throw Error(file.string() + (line ? ":" + std::to_string(line) : "") + ": " + what);
}

double own_points(const Step& step) {
  const auto it = step.params.find("points");
  return it == step.params.end() ? 10 : it->second;
}

/// `size = { n = 65536 }`: the extents that the lab's own size has.
Size read_size(const fs::path& file, const toml::node& at, const Step& step) {
  Size size = step.size;
  const toml::table* t = at.as_table();
  if (!t) refuse(file, &at, "size is a table of extents: size = { n = 65536 }");
  for (const auto& [name, value] : *t) {
    const auto extent = value.value<int64_t>();
    const auto it = size.find(std::string(name.str()));
    if (it == size.end())
      refuse(file, &value, step.id() + " has no extent '" + std::string(name.str()) + "'");
    if (!extent || *extent < 1) refuse(file, &value, "an extent is a whole number above 0");
    it->second = *extent;
  }
  return size;
}

/// `gates = { "shared_conflicts == 0" = 3 }`: weights of gates that the step has.
std::map<std::string, double> read_weights(const fs::path& file, const toml::node& at, const Step& step) {
  std::map<std::string, double> weights;
  const toml::table* t = at.as_table();
  if (!t) refuse(file, &at, "gates is a table of weights: gates = { \"shared_conflicts == 0\" = 3 }");
  for (const auto& [name, value] : *t) {
    const std::string expr(name.str());
    const auto weight = value.value<double>();
    if (std::none_of(step.gates.begin(), step.gates.end(),
                     [&](const GateDef& g) { return g.expr == expr; })) {
      std::string known;
      for (const GateDef& g : step.gates) known += (known.empty() ? "" : ", ") + ("\"" + g.expr + "\"");
      refuse(file, &value,
             step.id() + " has no gate \"" + expr + "\"; it has " + (known.empty() ? "none" : known));
    }
    if (!weight || !(*weight >= 0 && *weight <= most_points))
      refuse(file, &value, fmt::format("a weight is a number from 0 to {:.0f}", most_points));
    weights[expr] = *weight;
  }
  return weights;
}

/// A misspelt key would be dropped without a word.
void only_known(const fs::path& file, const toml::table& t, std::initializer_list<const char*> keys) {
  for (const auto& [name, value] : t) {
    if (std::any_of(keys.begin(), keys.end(), [&](const char* k) { return name.str() == k; })) continue;
    std::string known;
    for (const char* k : keys) known += (known.empty() ? "" : ", ") + std::string(k);
    refuse(file, &value, "there is no '" + std::string(name.str()) + "' here; there are " + known);
  }
}

/// A value of the wrong kind would be dropped without a word.
template <class T>
void read_key(const fs::path& file, const toml::table& t, const char* key, T& into) {
  const toml::node* n = t.get(key);
  if (!n) return;
  std::optional<T> v;
  if constexpr (std::is_same_v<T, int>) {
    if (const auto whole = n->value_exact<int64_t>()) v = int(std::clamp<int64_t>(*whole, INT_MIN, INT_MAX));
  } else if constexpr (std::is_same_v<T, double>) {
    if (n->is_number()) v = n->value<double>();
  } else {
    v = n->value_exact<T>();
  }
  if (!v)
    refuse(file, n,
           std::string(key) + (std::is_same_v<T, std::string> ? " is a text in quotes"
                               : std::is_same_v<T, bool>      ? " is true or false"
                               : std::is_same_v<T, int>       ? " is a whole number"
                                                              : " is a number"));
  into = *v;
}

std::string read_deadline(const fs::path& file, const toml::table& t, const std::string& otherwise) {
  const toml::node* n = t.get("deadline");
  if (!n) return otherwise;
  const std::optional<std::string> text = time_text(*n);
  if (!text || !read_time(*text)) refuse(file, n, "a deadline is a time: \"2026-10-20T23:59\"");
  return *text;
}

LateRule read_late(const fs::path& file, const toml::node& at) {
  const toml::table* t = at.as_table();
  if (!t) refuse(file, &at, "late is a table: [late] per_day = 0.1, days = 3");
  only_known(file, *t, {"per_day", "days", "grace_minutes"});
  LateRule r;
  read_key(file, *t, "per_day", r.per_day);
  read_key(file, *t, "days", r.days);
  read_key(file, *t, "grace_minutes", r.grace_minutes);
  if (!(r.per_day >= 0 && r.per_day <= 1)) refuse(file, &at, "per_day is a share of the points, from 0 to 1");
  if (r.days < 0 || r.grace_minutes < 0) refuse(file, &at, "days and grace_minutes can't be negative");
  return r;
}

bool is_share(double v) { return v >= 0 && v <= 1; }

/// Refuses a course's value that is out of range.
void check_ranges(const fs::path& file, const toml::table& t, const Course& c) {
  constexpr double day_s = 86400;
  if (!(c.time_limit_s > 0 && c.time_limit_s <= day_s))
    refuse(file, t.get("time_limit_s"), "time_limit_s is a number of seconds above 0, at most 86400");
  if (!(c.compile_limit_s >= 1 && c.compile_limit_s <= day_s))
    refuse(file, t.get("compile_limit_s"), "compile_limit_s is a number of seconds from 1 to 86400");
  if (c.memory_mb < 256 || c.memory_mb > 1 << 24)
    refuse(file, t.get("memory_mb"), "memory_mb is from 256 to 16777216");
  if (!is_share(c.correct_share)) refuse(file, t.get("correct_share"), "correct_share is from 0 to 1");
  if (c.seeds < 1 || c.seeds > 100) refuse(file, t.get("seeds"), "seeds is from 1 to 100");
}

int read_drop(const fs::path& file, const toml::node& drop) {
  const auto lowest = drop.is_table() ? (*drop.as_table())["lowest"].value<int64_t>() : std::nullopt;
  if (!lowest || *lowest < 0) refuse(file, &drop, "[drop] has lowest = 1: how many steps are in no total");
  return int(std::min<int64_t>(*lowest, INT_MAX));
}

/// Refuses a step's value that is out of range.
void check_ranges(const fs::path& file, const toml::table& s, const CourseStep& made) {
  if (made.stage < 1) refuse(file, s.get("stage"), "a stage is a whole number, 1 or more");
  if (!(made.points >= 0 && made.points <= most_points))
    refuse(file, s.get("points"), fmt::format("points are a number from 0 to {:.0f}", most_points));
  if (s["correct_share"] && !is_share(made.correct_share))
    refuse(file, s.get("correct_share"), "correct_share is from 0 to 1");
  const auto& known = visibilities();
  if (std::find(known.begin(), known.end(), made.visibility) == known.end())
    refuse(file, s.get("visibility"), "visibility is visible, after_due_date, after_published or hidden");
}

/// One [[step]] of a course. `deadline`: the course's.
CourseStep read_step(const fs::path& file, const toml::node& node, const Catalog& catalog,
                     const std::string& deadline) {
  const toml::table* s = node.as_table();
  const auto name = s ? (*s)["step"].value<std::string>() : std::nullopt;
  if (!name) refuse(file, &node, "a [[step]] needs step = \"LAB/STEP\"");
  only_known(
      file, *s,
      {"step", "points", "deadline", "stage", "hidden", "visibility", "size", "correct_share", "gates"});
  CourseStep made;
  const Step* step = nullptr;
  try {
    step = &catalog.find(*name);
  } catch (const Error& e) {
    refuse(file, &node, e.what());
  }
  made.step = step->id();
  made.points = own_points(*step);
  read_key(file, *s, "points", made.points);
  made.deadline = read_deadline(file, *s, deadline);
  read_key(file, *s, "stage", made.stage);
  read_key(file, *s, "hidden", made.hidden);
  made.visibility = made.hidden ? "after_published" : "visible";
  read_key(file, *s, "visibility", made.visibility);
  read_key(file, *s, "correct_share", made.correct_share);
  if (const toml::node* size = s->get("size")) made.size = read_size(file, *size, *step);
  if (const toml::node* gates = s->get("gates")) made.gate_weights = read_weights(file, *gates, *step);
  check_ranges(file, *s, made);
  return made;
}

}  // namespace

Course load_course(const fs::path& file, const Catalog& catalog) {
  toml::table t;
  // toml++ reports a file that is not there as an error of its first line.
  if (std::error_code ec; !fs::exists(file, ec)) throw Error("there is no " + file.string());
  try {
    t = toml::parse_file(file.string());
  } catch (const toml::parse_error& e) {
    throw Error(file.string() + ":" + std::to_string(e.source().begin.line) + ": " + toml_words);
  }
  Course c;
  only_known(file, t,
             {"title", "device", "model_version", "correct_share", "seeds", "time_limit_s", "compile_limit_s",
              "memory_mb", "deadline", "late", "drop", "solved_starters", "step"});
  read_key(file, t, "title", c.title);
  read_key(file, t, "solved_starters", c.solved_starters);
  read_key(file, t, "device", c.device);
  read_key(file, t, "model_version", c.model_version);
  read_key(file, t, "correct_share", c.correct_share);
  read_key(file, t, "seeds", c.seeds);
  read_key(file, t, "time_limit_s", c.time_limit_s);
  read_key(file, t, "compile_limit_s", c.compile_limit_s);
  read_key(file, t, "memory_mb", c.memory_mb);
  check_ranges(file, t, c);
  const std::string deadline = read_deadline(file, t, {});
  if (const toml::node* late = t.get("late")) c.late = read_late(file, *late);
  if (const toml::node* drop = t.get("drop")) c.drop_lowest = read_drop(file, *drop);
  const toml::array* steps = t["step"].as_array();
  if (!steps)
    refuse(file, nullptr, "a course needs at least one [[step]] with step = \"reduce/5-sequential\"");
  for (const auto& node : *steps) {
    CourseStep made = read_step(file, node, catalog, deadline);
    for (const auto& other : c.steps)
      if (other.step == made.step) refuse(file, &node, made.step + " is there twice");
    c.steps.push_back(std::move(made));
  }
  if (c.drop_lowest > 0 && size_t(c.drop_lowest) >= c.steps.size())
    refuse(file, t.get("drop"),
           fmt::format("[drop] leaves no step in a total: the course has {}", c.steps.size()));
  return c;
}

const std::vector<std::string>& visibilities() {
  static const std::vector<std::string> all = {"visible", "after_due_date", "after_published", "hidden"};
  return all;
}

Course whole_catalog(const Catalog& catalog) {
  Course c;
  for (const Lab& lab : catalog.labs)
    for (const Step& s : lab.steps)
      c.steps.push_back(
          {.step = s.id(), .points = own_points(s), .deadline = {}, .hidden = false, .size = {}});
  return c;
}

}  // namespace dojo::grade
