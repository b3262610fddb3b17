#include "grade/cases/case_child.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "grade/cases/student_calls.hpp"
#include "run/worker/channel.hpp"
#include "run/worker/enclosed_child.hpp"
#include "run/worker/worker_protocol.hpp"

namespace dojo::grade {
namespace {

using Json = nlohmann::json;
using RunTests = void (*)(harness::Listener*, int first);

Json next_line(run::Channel& channel) {
  const auto line = channel.read();
  if (!line) _exit(0);  // the grader is gone
  return Json::parse(*line);
}

void write_line(run::Channel& channel, const Json& j) {
  channel.write(j.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Tells the grader.
class Teller : public harness::Listener {
 public:
  explicit Teller(run::Channel& channel) : channel_(channel) {}
  void found(const std::vector<harness::TestCase>& all) override {
    Json cases = Json::array();
    for (const auto& c : all) cases.push_back({{"name", c.name}, {"points", c.points}});
    write_line(channel_, {{"cases", cases}});
  }
  void ended(size_t index, bool passed, const std::vector<std::string>& messages) override {
    write_line(channel_, {{"ended", index}, {"passed", passed}, {"messages", messages}});
  }

 private:
  run::Channel& channel_;
};

run::WorkerEvent answered(run::Channel& channel, const run::CallRequest& r) {
  channel.write("{\"call\":" + run::encode(r, 1) + "}");
  for (;;) {
    const auto line = channel.read();
    if (!line) _exit(0);
    uint64_t id = 0;
    if (auto e = run::decode_event(*line, &id)) return std::move(*e);
  }
}

}  // namespace

int case_child_main(const std::string& object) {
  const auto [in, out] = run::harden_child();
  run::Channel channel(in, out);
  try {
    // Before the sandbox, which has no way to the object.
    void* loaded = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto run_tests = loaded ? RunTests(dlsym(loaded, "warpdojo_run_tests")) : nullptr;
    if (!run_tests)
      throw Error(loaded ? "the file does not include \"grade/harness.hpp\"" : std::string(dlerror()));
    run::enclose_as_asked(run::Enclosed::runner);
    run::watch_memory(uint64_t(2) << 30, [](uint64_t) { _exit(71); });
    harness::answer_calls_with([&](const run::CallRequest& r) { return answered(channel, r); });
    Teller teller(channel);
    run_tests(&teller, -1);
    run_tests(&teller, next_line(channel).at("first"));
    write_line(channel, {{"end", true}});
  } catch (const std::exception& e) {
    write_line(channel, {{"failed", error_words(e)}});
    return 1;
  }
  return 0;
}

}  // namespace dojo::grade
