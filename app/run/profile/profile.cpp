#include "run/profile/profile.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/files/scratch_folder.hpp"
#include "core/install/search_path.hpp"
#include "core/paths.hpp"
#include "core/text/csv.hpp"
#include "core/text/escape.hpp"
#include "core/text/json_words.hpp"
#include "run/reference_cache.hpp"

namespace dojo::run {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* schema = "warpdojo/counters/1";

/// A command's standard output and its exit status.
std::pair<std::string, int> output_of(const std::string& command) {
  std::string text;
  FILE* p = popen(command.c_str(), "re");
  if (!p) throw Error("cannot start " + command);
  char buffer[65536];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, p)) > 0;) text.append(buffer, n);
  const int status = pclose(p);
  return {text, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

/// "(128, 1, 1)"
Dim3 dim3_of(const std::string& s) {
  Dim3 d;
  std::sscanf(s.c_str(), " (%u, %u, %u)", &d.x, &d.y, &d.z);
  return d;
}

/// "void scale<float>(float *, int)" and "scale(float*)" are both "scale".
std::string base_name(std::string s) {
  s = s.substr(0, s.find('('));
  s = s.substr(0, s.find('<'));
  if (const size_t space = s.rfind(' '); space != std::string::npos) s = s.substr(space + 1);
  if (const size_t colon = s.rfind(':'); colon != std::string::npos) s = s.substr(colon + 1);
  return s;
}

std::string child_command(const ProfileTarget& t) {
  const std::string self = shell_word(program_path().string());
  if (t.name.ends_with(".cu"))
    return fmt::format("{} play {} --device {} --once --json --time-limit 600", self, shell_word(t.name),
                       shell_word(t.device));
  return fmt::format("{} run {} --who {} --device {} --once --json --time-limit 600{}", self,
                     shell_word(t.name), t.who, shell_word(t.device),
                     t.size.empty() ? "" : " --size " + shell_word(t.size));
}

/// A program may print before its report.
Report report_in(const std::string& text, const std::string& otherwise) {
  const size_t at = text.rfind("{\n  \"schema\"");
  if (at == std::string::npos) throw Error("the run under the tool gave no report. " + otherwise, 71);
  return report_from_json(text.substr(at));
}

std::string metric_names() {
  std::string all;
  for (const CounterInfo& c : counter_table()) {
    const std::string name(c.name);
    if (name.starts_with("dojo__")) continue;  // our own: no hardware has them
    all += (all.empty() ? "" : ",") + name;
  }
  return all;
}

std::string last_lines(const std::string& text, size_t most = 600) {
  return text.size() > most ? text.substr(text.size() - most) : text;
}

}  // namespace

fs::path find_tool(const std::string& name) {
  std::string variable = name;
  for (char& c : variable) c = c == '-' ? '_' : char(std::toupper(static_cast<unsigned char>(c)));
  if (const char* given = std::getenv(variable.c_str())) return given;
  std::vector<fs::path> usual{"/usr/local/cuda/bin"};
  std::error_code ec;
  for (const auto& e : fs::directory_iterator("/opt/nvidia/nsight-compute", ec)) usual.push_back(e.path());
  if (const fs::path tool = find_program(name, {}, usual); !tool.empty()) return tool;
  throw Error(
      name +
      " is not installed here. It comes with the CUDA Toolkit; put its folder into PATH, or its path into $" +
      variable + ".");
}

std::vector<ProfiledKernel> parse_ncu_csv(const std::string& text) {
  // Starts at the row whose first field is ID; the row after it has the units.
  size_t at = text.starts_with("\"ID\"") ? 0 : text.find("\n\"ID\"");
  if (at == std::string::npos) throw Error("ncu gave no table. It said: " + last_lines(text), 71);
  if (text[at] == '\n') ++at;
  const std::vector<std::string> head = next_csv_row(text, at).cells;
  next_csv_row(text, at);
  std::vector<ProfiledKernel> kernels;
  while (at < text.size()) {
    const auto row = next_csv_row(text, at).cells;
    if (row.size() != head.size()) continue;  // a line of ncu's own
    ProfiledKernel k;
    for (size_t i = 0; i < head.size(); ++i) {
      if (head[i] == "Kernel Name") k.kernel = base_name(row[i]);
      if (head[i] == "Block Size") k.block = dim3_of(row[i]);
      if (head[i] == "Grid Size") k.grid = dim3_of(row[i]);
      if (!find_counter(head[i]) || row[i].empty()) continue;  // ncu adds what it knows of the device
      std::string plain;
      for (char c : row[i])
        if (c != ',') plain += c;
      char* end = nullptr;
      const double v = std::strtod(plain.c_str(), &end);
      if (end && *end == 0) k.counters[head[i]] = v;
    }
    kernels.push_back(std::move(k));
  }
  return kernels;
}

Report profile(const ProfileTarget& t) {
  const ScratchFolder folder("profile");
  if (folder.path.empty()) throw Error("cannot make a temporary folder for ncu's table", 71);
  const std::string log = folder.path + "/ncu.csv";
  const auto [out, status] = output_of(fmt::format(
      "{} --csv --page raw --print-units base --target-processes all --clock-control none --log-file {} "
      "--metrics {} {}",
      shell_word(find_tool("ncu").string()), shell_word(log), metric_names(), child_command(t)));
  const std::string table = read_file(log).value_or("");
  Report report = report_in(out, "ncu said: " + last_lines(table));
  if (report.runs.empty()) throw Error("nothing ran", 71);
  auto kernels = parse_ncu_csv(table);
  std::erase_if(kernels,
                [](const ProfiledKernel& k) { return k.kernel.starts_with("dojo_"); });  // empties the L2
  auto& launches = report.runs[0].launches;
  if (kernels.size() != launches.size())
    throw Error(fmt::format("ncu profiled {} kernels where the run made {} launches", kernels.size(),
                            launches.size()),
                71);
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (base_name(launches[i].kernel) != kernels[i].kernel)
      throw Error(
          fmt::format("ncu lists {} where the run launched {}", kernels[i].kernel, launches[i].kernel), 71);
    for (const auto& [name, v] : kernels[i].counters) launches[i].counters[name] = v;
    launches[i].source = Source::measured;
    launches[i].time_us = launches[i].counters["gpu__time_duration.sum"] * 1e-3;
  }
  return report;
}

SanitizerResult sanitize(const ProfileTarget& t, const std::string& tool) {
  SanitizerResult r;
  r.tool = tool;
  const auto [out, status] =
      output_of(fmt::format("{} --tool {} --target-processes all {} 2>&1",
                            shell_word(find_tool("compute-sanitizer").string()), tool, child_command(t)));
  r.errors = -1;
  // The tool's own lines start with "========="; the rest is our report.
  for (size_t at = 0; at < out.size();) {
    const size_t end = std::min(out.find('\n', at), out.size());
    const std::string line = out.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("=========")) continue;
    r.text += line + "\n";
    int n = 0;
    if (std::sscanf(line.c_str(), "========= ERROR SUMMARY: %d", &n) == 1)
      r.errors = std::max(r.errors, 0) + n;
    if (std::sscanf(line.c_str(), "========= RACECHECK SUMMARY: %d", &n) == 1)
      r.errors = std::max(r.errors, 0) + n;
  }
  return r;
}

CounterRecording load_counters(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) throw Error("cannot read " + path.string());
  try {
    const Json j = Json::parse(*text);
    if (j.at("schema") != schema) throw Error(path.string() + " is no recording of counters");
    CounterRecording r;
    r.date = j.value("date", ""), r.gpu = j.value("gpu", "");
    r.driver = j.value("driver", ""), r.commit = j.value("commit", "");
    for (const auto& e : j.at("launches")) {
      CountedLaunch l;
      l.target = e.at("target");
      l.who = e.value("who", "");
      for (const auto& [k, v] : e.at("size").items()) l.size[k] = v.get<int64_t>();
      l.launch = e.at("launch");
      l.kernel.kernel = e.at("kernel");
      const auto &g = e.at("grid"), &b = e.at("block");
      l.kernel.grid = {g.at(0), g.at(1), g.at(2)};
      l.kernel.block = {b.at(0), b.at(1), b.at(2)};
      for (const auto& [k, v] : e.at("counters").items()) l.kernel.counters[k] = v.get<double>();
      r.launches.push_back(std::move(l));
    }
    return r;
  } catch (const nlohmann::json::exception& e) {
    throw Error(path.string() + " is no recording of counters: " + json_words(e, *text));
  }
}

void save_counters(const fs::path& path, const CounterRecording& r) {
  std::string text = fmt::format(
      "{{\"schema\": \"{}\", \"date\": {}, \"gpu\": {}, \"driver\": {}, \"commit\": {},\n\"launches\": [",
      schema, Json(r.date).dump(), Json(r.gpu).dump(), Json(r.driver).dump(), Json(r.commit).dump());
  for (size_t i = 0; i < r.launches.size(); ++i) {
    const CountedLaunch& l = r.launches[i];
    const auto &g = l.kernel.grid, &b = l.kernel.block;
    Json j = {{"target", l.target},
              {"who", l.who},
              {"size", Json::object()},
              {"launch", l.launch},
              {"kernel", l.kernel.kernel}};
    for (const auto& [k, v] : l.size) j["size"][k] = v;
    j["grid"] = {g.x, g.y, g.z};
    j["block"] = {b.x, b.y, b.z};
    j["counters"] = Json::object();
    for (const auto& [k, v] : l.kernel.counters) j["counters"][k] = v;
    text += (i ? ",\n" : "\n") + j.dump();
  }
  text += "\n]}\n";
  if (!write_atomically(path, text)) throw Error("cannot write " + path.string());
}

}  // namespace dojo::run
