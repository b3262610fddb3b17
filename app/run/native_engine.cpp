#include "run/engine.hpp"

#include "core/error.hpp"
#include "host/program_run.hpp"
#include "run/worker/compile_apart.hpp"

namespace dojo::run {
namespace {

class SessionProgram : public Program {
 public:
  SessionProgram(const Compiled& c, const std::string& file, Device& d, const RunControl& control)
      : session_(c, file, d, control) {}
  std::vector<std::byte> call(const std::string& entry,
                              std::span<const std::vector<std::byte>> args) override {
    return session_.call(entry, args).returned;
  }
  int main(std::span<const std::string> args) override { return session_.main(args).exit_status; }
  void set_printer(std::function<void(std::string_view)> f) override { session_.set_printer(std::move(f)); }
  std::vector<Diagnostic> take_findings() override { return session_.take_findings(); }
  HostWork host_work() const override { return session_.host_work(); }

 private:
  host::Session session_;
};

}  // namespace

void use_native_engine() {
  engine().compile = [](const CompileRequest& r) { return compile_apart(r); };
  engine().load = [](const Compiled& c, const std::string& file, Device& d, const RunControl& control) {
    return std::unique_ptr<Program>(std::make_unique<SessionProgram>(c, file, d, control));
  };
}

}  // namespace dojo::run
