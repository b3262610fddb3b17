#include "grade/course.hpp"

#include <toml++/toml.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/error_words.hpp"

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
    if (!weight || !(*weight >= 0)) refuse(file, &value, "a weight is a number, 0 or more");
    weights[expr] = *weight;
  }
  return weights;
}

bool is_share(double v) { return v >= 0 && v <= 1; }

}  // namespace

Course load_course(const fs::path& file, const Catalog& catalog) {
  toml::table t;
  try {
    t = toml::parse_file(file.string());
  } catch (const toml::parse_error& e) {
    throw Error(file.string() + ":" + std::to_string(e.source().begin.line) + ": " + toml_words);
  }
  Course c;
  c.title = t["title"].value_or(c.title);
  c.device = t["device"].value_or(std::string{});
  c.model_version = t["model_version"].value_or(std::string{});
  c.correct_share = t["correct_share"].value_or(c.correct_share);
  c.seeds = int(t["seeds"].value_or(int64_t(c.seeds)));
  c.time_limit_s = t["time_limit_s"].value_or(c.time_limit_s);
  c.compile_limit_s = t["compile_limit_s"].value_or(c.compile_limit_s);
  c.memory_mb = int(t["memory_mb"].value_or(int64_t(c.memory_mb)));
  if (c.time_limit_s <= 0) refuse(file, t.get("time_limit_s"), "time_limit_s is a number of seconds above 0");
  if (c.compile_limit_s < 1) refuse(file, t.get("compile_limit_s"), "compile_limit_s is at least 1 second");
  if (c.memory_mb < 256) refuse(file, t.get("memory_mb"), "memory_mb is at least 256");
  if (!is_share(c.correct_share)) refuse(file, t.get("correct_share"), "correct_share is from 0 to 1");
  if (c.seeds < 1 || c.seeds > 100) refuse(file, t.get("seeds"), "seeds is from 1 to 100");
  const toml::array* steps = t["step"].as_array();
  if (!steps)
    refuse(file, nullptr, "a course needs at least one [[step]] with step = \"reduce/5-sequential\"");
  for (const auto& node : *steps) {
    const toml::table* s = node.as_table();
    const auto name = s ? (*s)["step"].value<std::string>() : std::nullopt;
    if (!name) refuse(file, &node, "a [[step]] needs step = \"LAB/STEP\"");
    CourseStep made;
    const Step* step = nullptr;
    try {
      step = &catalog.find(*name);
    } catch (const Error& e) {
      refuse(file, &node, e.what());
    }
    made.step = step->id();
    for (const auto& other : c.steps)
      if (other.step == made.step) refuse(file, &node, made.step + " is there twice");
    made.points = own_points(*step);
    made.points = (*s)["points"].value_or(made.points);
    made.deadline = (*s)["deadline"].value_or(std::string{});
    made.hidden = (*s)["hidden"].value_or(false);
    made.visibility = (*s)["visibility"].value_or(std::string(made.hidden ? "after_published" : "visible"));
    made.correct_share = (*s)["correct_share"].value_or(made.correct_share);
    if (const toml::node* size = s->get("size")) made.size = read_size(file, *size, *step);
    if (const toml::node* gates = s->get("gates")) made.gate_weights = read_weights(file, *gates, *step);
    if (!(made.points >= 0)) refuse(file, &node, "points can't be negative");
    if ((*s)["correct_share"] && !is_share(made.correct_share))
      refuse(file, s->get("correct_share"), "correct_share is from 0 to 1");
    const auto& known = visibilities();
    if (std::find(known.begin(), known.end(), made.visibility) == known.end())
      refuse(file, s->get("visibility"), "visibility is visible, after_due_date, after_published or hidden");
    c.steps.push_back(std::move(made));
  }
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
