#include "grade/course/course.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "core/error.hpp"
#include "core/files/toml_file.hpp"
#include "grade/book/calendar.hpp"
#include "grade/book/toml_time.hpp"

namespace dojo::grade {
namespace {

double own_points(const Step& step) {
  const auto it = step.params.find("points");
  return it == step.params.end() ? 10 : it->second;
}

/// `size = { n = 65536 }`: the extents that the lab's own size has.
Size read_size(const TomlFile& file, const toml::node& at, const Step& step) {
  Size size = step.size;
  const toml::table* t = at.as_table();
  if (!t) file.refuse(&at, "size is a table of extents: size = { n = 65536 }");
  for (const auto& [name, value] : *t) {
    const auto extent = value.value<int64_t>();
    const auto it = size.find(std::string(name.str()));
    if (it == size.end()) file.refuse(&value, step.id() + " has no extent '" + std::string(name.str()) + "'");
    if (!extent || *extent < 1) file.refuse(&value, "an extent is a whole number above 0");
    it->second = *extent;
  }
  return size;
}

/// `gates = { "shared_conflicts == 0" = 3 }`: weights of gates that the step has.
std::map<std::string, double> read_weights(const TomlFile& file, const toml::node& at, const Step& step) {
  std::map<std::string, double> weights;
  const toml::table* t = at.as_table();
  if (!t) file.refuse(&at, "gates is a table of weights: gates = { \"shared_conflicts == 0\" = 3 }");
  for (const auto& [name, value] : *t) {
    const std::string expr(name.str());
    const auto weight = value.value<double>();
    if (std::none_of(step.gates.begin(), step.gates.end(),
                     [&](const GateDef& g) { return g.expr == expr; })) {
      std::string known;
      for (const GateDef& g : step.gates) known += (known.empty() ? "" : ", ") + ("\"" + g.expr + "\"");
      file.refuse(&value,
                  step.id() + " has no gate \"" + expr + "\"; it has " + (known.empty() ? "none" : known));
    }
    if (!weight || !(*weight >= 0 && *weight <= most_points))
      file.refuse(&value, fmt::format("a weight is a number from 0 to {:.0f}", most_points));
    weights[expr] = *weight;
  }
  return weights;
}

std::string read_deadline(const TomlFile& file, const toml::table& t, const std::string& otherwise) {
  const toml::node* n = t.get("deadline");
  if (!n) return otherwise;
  const std::optional<std::string> text = time_text(*n);
  if (!text || !read_time(*text)) file.refuse(n, "a deadline is a time: \"2026-10-20T23:59\"");
  return *text;
}

LateRule read_late(const TomlFile& file, const toml::node& at) {
  const toml::table* t = at.as_table();
  if (!t) file.refuse(&at, "late is a table: [late] per_day = 0.1, days = 3");
  file.only(*t, {"per_day", "days", "grace_minutes"});
  LateRule r;
  file.read(*t, "per_day", r.per_day);
  file.read(*t, "days", r.days);
  file.read(*t, "grace_minutes", r.grace_minutes);
  if (!(r.per_day >= 0 && r.per_day <= 1)) file.refuse(&at, "per_day is a share of the points, from 0 to 1");
  if (r.days < 0 || r.grace_minutes < 0) file.refuse(&at, "days and grace_minutes can't be negative");
  return r;
}

bool is_share(double v) { return v >= 0 && v <= 1; }

/// Refuses a course's value that is out of range.
void check_ranges(const TomlFile& file, const toml::table& t, const Course& c) {
  constexpr double day_s = 86400;
  if (!(c.time_limit_s > 0 && c.time_limit_s <= day_s))
    file.refuse(t.get("time_limit_s"), "time_limit_s is a number of seconds above 0, at most 86400");
  if (!(c.compile_limit_s >= 1 && c.compile_limit_s <= day_s))
    file.refuse(t.get("compile_limit_s"), "compile_limit_s is a number of seconds from 1 to 86400");
  if (c.memory_mb < 256 || c.memory_mb > 1 << 24)
    file.refuse(t.get("memory_mb"), "memory_mb is from 256 to 16777216");
  if (!is_share(c.correct_share)) file.refuse(t.get("correct_share"), "correct_share is from 0 to 1");
  if (c.seeds < 1 || c.seeds > 100) file.refuse(t.get("seeds"), "seeds is from 1 to 100");
}

int read_drop(const TomlFile& file, const toml::node& drop) {
  const auto lowest = drop.is_table() ? (*drop.as_table())["lowest"].value<int64_t>() : std::nullopt;
  if (!lowest || *lowest < 0) file.refuse(&drop, "[drop] has lowest = 1: how many steps are in no total");
  return int(std::min<int64_t>(*lowest, INT_MAX));
}

/// Refuses a step's value that is out of range.
void check_ranges(const TomlFile& file, const toml::table& s, const CourseStep& made) {
  if (made.stage < 1) file.refuse(s.get("stage"), "a stage is a whole number, 1 or more");
  if (!(made.points >= 0 && made.points <= most_points))
    file.refuse(s.get("points"), fmt::format("points are a number from 0 to {:.0f}", most_points));
  if (s["correct_share"] && !is_share(made.correct_share))
    file.refuse(s.get("correct_share"), "correct_share is from 0 to 1");
  const auto& known = visibilities();
  if (std::find(known.begin(), known.end(), made.visibility) == known.end())
    file.refuse(s.get("visibility"), "visibility is visible, after_due_date, after_published or hidden");
}

/// One [[step]] of a course. `deadline`: the course's.
CourseStep read_step(const TomlFile& file, const toml::node& node, const Catalog& catalog,
                     const std::string& deadline) {
  const toml::table* s = node.as_table();
  const auto name = s ? (*s)["step"].value<std::string>() : std::nullopt;
  if (!name) file.refuse(&node, "a [[step]] needs step = \"LAB/STEP\"");
  file.only(
      *s, {"step", "points", "deadline", "stage", "hidden", "visibility", "size", "correct_share", "gates"});
  CourseStep made;
  const Step* step = nullptr;
  try {
    step = &catalog.find(*name);
  } catch (const Error& e) {
    file.refuse(&node, e.what());
  }
  made.step = step->id();
  made.points = own_points(*step);
  file.read(*s, "points", made.points);
  made.deadline = read_deadline(file, *s, deadline);
  file.read(*s, "stage", made.stage);
  file.read(*s, "hidden", made.hidden);
  made.visibility = made.hidden ? "after_published" : "visible";
  file.read(*s, "visibility", made.visibility);
  file.read(*s, "correct_share", made.correct_share);
  if (const toml::node* size = s->get("size")) made.size = read_size(file, *size, *step);
  if (const toml::node* gates = s->get("gates")) made.gate_weights = read_weights(file, *gates, *step);
  check_ranges(file, *s, made);
  return made;
}

}  // namespace

Course load_course(const fs::path& path, const Catalog& catalog) {
  const TomlFile file(path);
  const toml::table& t = file.root();
  Course c;
  file.only(t, {"title", "device", "model_version", "correct_share", "seeds", "time_limit_s",
                "compile_limit_s", "memory_mb", "deadline", "late", "drop", "solved_starters", "step"});
  file.read(t, "title", c.title);
  file.read(t, "solved_starters", c.solved_starters);
  file.read(t, "device", c.device);
  file.read(t, "model_version", c.model_version);
  file.read(t, "correct_share", c.correct_share);
  file.read(t, "seeds", c.seeds);
  file.read(t, "time_limit_s", c.time_limit_s);
  file.read(t, "compile_limit_s", c.compile_limit_s);
  file.read(t, "memory_mb", c.memory_mb);
  check_ranges(file, t, c);
  const std::string deadline = read_deadline(file, t, {});
  if (const toml::node* late = t.get("late")) c.late = read_late(file, *late);
  if (const toml::node* drop = t.get("drop")) c.drop_lowest = read_drop(file, *drop);
  const toml::array* steps = t["step"].as_array();
  if (!steps)
    file.refuse(nullptr, "a course needs at least one [[step]] with step = \"reduce/5-sequential\"");
  for (const auto& node : *steps) {
    CourseStep made = read_step(file, node, catalog, deadline);
    for (const auto& other : c.steps)
      if (other.step == made.step) file.refuse(&node, made.step + " is there twice");
    c.steps.push_back(std::move(made));
  }
  if (c.drop_lowest > 0 && size_t(c.drop_lowest) >= c.steps.size())
    file.refuse(t.get("drop"),
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
