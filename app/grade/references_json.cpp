// What one task of an array job knows of a step, for the others.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/text/json_words.hpp"
#include "grade/references.hpp"

namespace dojo::grade {
namespace {

using nlohmann::json;

json of_run(const RunReport& run) {
  Report r;
  r.step = "grading";
  r.runs.push_back(run);
  return json::parse(to_json(r));
}

RunReport run_of(const json& j) {
  Report r = report_from_json(j.dump());
  if (r.runs.size() != 1) throw Error("not a report of one run");
  return std::move(r.runs[0]);
}

}  // namespace

std::string to_json(const References::StepPlan& p) {
  json j{{"most_instructions", p.most_instructions},
         {"notes", p.notes},
         {"starter", {{"right", p.starter.right}, {"met", p.starter.met}}},
         {"starter_report", json::parse(to_json(p.starter_report))},
         {"inputs", json::array()}};
  for (size_t i = 0; i < p.inputs.size(); ++i)
    j["inputs"].push_back({{"seed", p.inputs[i].seed},
                           {"size", p.inputs[i].size},
                           {"gates", p.inputs[i].gates},
                           {"reference", of_run(p.references[i])}});
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

References::StepPlan plan_from_json(const std::string& text) {
  try {
    const json j = json::parse(text);
    References::StepPlan p;
    p.most_instructions = j.at("most_instructions");
    p.notes = j.at("notes");
    p.starter.right = j.at("starter").at("right");
    p.starter.met = j.at("starter").at("met");
    p.starter_report = report_from_json(j.at("starter_report").dump());
    for (const auto& i : j.at("inputs")) {
      p.inputs.push_back({i.at("seed").get<uint64_t>(), i.at("size").get<Size>(), i.at("gates").get<bool>()});
      p.references.push_back(run_of(i.at("reference")));
    }
    return p;
  } catch (const json::exception& e) {
    throw Error("not a plan of a step: " + json_words(e, text));
  }
}

std::string to_json(const std::vector<References::Mistake>& all) {
  json j = json::array();
  for (const auto& m : all) j.push_back({{"words", m.words}, {"source", m.source}, {"run", of_run(m.run)}});
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<References::Mistake> mistakes_from_json(const std::string& text) {
  try {
    std::vector<References::Mistake> all;
    for (const auto& m : json::parse(text))
      all.push_back({m.at("words"), m.at("source"), run_of(m.at("run"))});
    return all;
  } catch (const json::exception& e) {
    throw Error("not stored mistakes: " + json_words(e, text));
  }
}

std::vector<std::string> notes_of_plans(const fs::path& folder) {
  std::vector<std::string> notes;
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(folder, ec)) {
    if (!e.path().filename().string().starts_with("plan-")) continue;
    if (const auto text = read_file(e.path())) try {
        for (auto& n : plan_from_json(*text).notes) notes.push_back(std::move(n));
      } catch (const Error&) {  // damaged: its makers' logs still say it
      }
  }
  std::sort(notes.begin(), notes.end());
  return notes;
}

}  // namespace dojo::grade
