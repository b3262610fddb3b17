#include "run/student/student_progress.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

namespace dojo::run {
namespace {
using Json = nlohmann::json;

Json read_object(const fs::path& file, std::string* problem = nullptr) {
  const auto text = file.empty() ? std::nullopt : read_file(file);
  if (!text) return Json::object();
  Json j = Json::parse(*text, nullptr, false);
  if (j.is_object()) return j;
  std::error_code ec;
  fs::rename(file, file.string() + ".broken", ec);
  if (problem)
    *problem = file.string() + " was not readable; it is kept as " + file.filename().string() + ".broken";
  return Json::object();
}

template <class T>
void take(const Json& j, const char* key, T& to) {
  auto it = j.find(key);
  if (it == j.end()) return;
  try {
    to = it->get<T>();
  } catch (const Json::exception&) {
    // Another type than ours: as if it were not there.
  }
}

StepProgress step_from(const Json& v) {
  StepProgress s;
  std::string state;
  if (v.is_string()) state = v.get<std::string>();
  if (v.is_object()) {
    take(v, "state", state);
    take(v, "hints", s.hints);
    take(v, "prediction", s.prediction);
    take(v, "prediction_skipped", s.prediction_skipped);
    take(v, "runs", s.runs);
  }
  s.state = state == "passed" ? StepState::passed : state == "failed" ? StepState::failed : StepState::fresh;
  return s;
}

}  // namespace

const char* to_string(StepState s) {
  return s == StepState::passed ? "passed" : s == StepState::failed ? "failed" : "new";
}

StudentProgress StudentProgress::load() {
  const fs::path folder = data_folder();
  return load(folder.empty() ? fs::path{} : folder / "progress.json");
}

StudentProgress StudentProgress::load(const fs::path& file, std::string* problem) {
  StudentProgress p(file);
  const Json j = read_object(file, problem);
  if (auto steps = j.find("steps"); steps != j.end() && steps->is_object())
    for (const auto& [id, v] : steps->items()) p.steps_[id] = step_from(v);
  return p;
}

const StepProgress& StudentProgress::of(const std::string& id) const {
  static const StepProgress none;
  auto it = steps_.find(id);
  return it == steps_.end() ? none : it->second;
}

StepProgress& StudentProgress::edit(const std::string& id) {
  StepProgress& s = steps_[id];
  counted_.emplace(id, s.runs);
  return s;
}

void StudentProgress::count_run(const std::string& id, Status status) {
  StepProgress& s = edit(id);
  ++s.runs;
  if (status == Status::pass)
    s.state = StepState::passed;
  else if (s.state != StepState::passed)
    s.state = StepState::failed;
}

std::string StudentProgress::save() {
  if (file_.empty()) return "progress can't be kept: there is no writable folder for it";
  Json j = read_object(file_);
  if (!j.contains("steps") || !j["steps"].is_object()) j["steps"] = Json::object();
  for (auto& [id, counted] : counted_) {
    StepProgress& s = steps_[id];
    Json& v = j["steps"][id];
    const StepProgress there = step_from(v);
    if (!v.is_object()) v = Json::object();
    s.runs = there.runs + (s.runs - counted);
    s.hints = std::max(s.hints, there.hints);
    s.state = std::max(s.state, there.state);
    if (s.prediction.empty()) s.prediction = there.prediction;
    v["state"] = to_string(s.state);
    v["hints"] = s.hints;
    v["prediction"] = s.prediction;
    v["prediction_skipped"] = s.prediction_skipped;
    v["runs"] = s.runs;
  }
  const std::string problem =
      replace_file(file_, j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  if (problem.empty()) counted_.clear();
  return problem;
}

}  // namespace dojo::run
