#include "cli/calls/calls.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "cli/usage.hpp"

namespace dojo::cli {

CLI::App* Calls::add(const char* name, const char* help, std::function<int()> run) {
  CLI::App* c = app_.add_subcommand(name, help);
  c->fallthrough();  // --compiler may stand behind the call
  c->callback([this, run = std::move(run)] { chosen_ = run; });
  return c;
}

CLI::App* Calls::add_below(const char* name, const char* help, const char* word, const char* word_help,
                           std::function<int()> run) {
  CLI::App* c = app_.add_subcommand(name, help);
  c->fallthrough();
  c->require_subcommand(1);
  CLI::App* below = c->add_subcommand(word, word_help);
  below->callback([this, run = std::move(run)] { chosen_ = run; });
  return below;
}

void add_calls(Calls& calls, const std::vector<std::string>& behind_play) {
  add_learning_calls(calls);
  add_program_calls(calls, behind_play);
  add_measuring_calls(calls);
  add_teaching_calls(calls);
}

const std::map<std::string, run::Who>& whos() {
  static const std::map<std::string, run::Who> all{
      {"student", run::Who::student}, {"reference", run::Who::reference}, {"both", run::Who::both}};
  return all;
}

/// Negative and too large numbers would become others in silence.
std::string whole_seed(const std::string& text) {
  uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  return error == std::errc() && end == text.data() + text.size()
             ? ""
             : "'" + text + "' is no seed: give a whole number from 0 to 18446744073709551615";
}

std::string seconds_of_a_limit(const std::string& text) {
  char* end = nullptr;
  const double v = std::strtod(text.c_str(), &end);
  const bool number = end != text.c_str() && *end == 0;
  return number && v > 0 && v <= 86400
             ? ""
             : "'" + text + "' is no limit: give seconds, more than 0 and at most 86400";
}

void add_json(CLI::App& c, bool& json) {
  c.add_flag("--json", json, "one JSON object on standard output (docs/cli.md)");
}

void add_seed(CLI::App& c, uint64_t& seed) {
  c.add_option("--seed", seed, "of the inputs")->check(CLI::Validator(whole_seed, ""));
}

void add_device(CLI::App& c, std::string& device, const char* help) {
  c.add_option("--device", device, help)->transform([](std::string given) {
    return full_device_name(given);
  });
}

void add_run_options(CLI::App& c, RunOptions& o) {
  c.add_option("STEP", o.step, step_words)->required();
  c.add_option("--who", o.who, "student, reference or both")
      ->transform(CLI::CheckedTransformer(whos()).description(""));
  add_device(c, o.device, "h100, a100, cuda:0, rec:FILE and others (warpdojo devices)");
  c.add_option("--size", o.size, size_words);
  add_seed(c, o.seed);
  c.add_option("--time-limit", o.time_limit_s, "seconds of processor time that a run may take")
      ->check(CLI::Validator(seconds_of_a_limit, ""));
}

}  // namespace dojo::cli
