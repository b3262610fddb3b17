#include "run/engine.hpp"

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "host/program_run.hpp"
#include "run/compile_memory.hpp"
#include "run/worker/compile_apart.hpp"

namespace dojo::run {
namespace {

class SessionProgram : public Program {
 public:
  SessionProgram(const Compiled& c, const std::string& file, Device& d, const RunControl& control)
      : session_(c, file, d, control), device_(d) {}
  std::vector<std::byte> call(const std::string& entry,
                              std::span<const std::vector<std::byte>> args) override {
    return session_.call(entry, args).returned;
  }
  void launch(const LaunchSpec& wanted, std::span<const std::vector<std::byte>> args) override {
    const ptx::Function* kernel = session_.module().find_base(wanted.kernel, true);
    if (!kernel)
      throw Error("there is no kernel '" + wanted.kernel + "' in " + wanted.where.file +
                  ", or there are several; of a template name the instance: scale<4>");
    if (kernel->params.size() != args.size())
      throw Error("the kernel '" + wanted.kernel + "' takes " + std::to_string(kernel->params.size()) +
                  " arguments; the call has " + std::to_string(args.size()));
    LaunchSpec spec = wanted;
    spec.kernel = kernel->name;
    spec.params.resize(kernel->param_bytes);
    for (size_t i = 0; i < args.size(); ++i) {
      const ptx::Variable& p = kernel->params[i];
      if (p.bytes != args[i].size())
        throw Error("argument " + std::to_string(i) + " of the kernel '" + wanted.kernel + "' has " +
                    std::to_string(p.bytes) + " bytes; the call gives " + std::to_string(args[i].size()));
      copy_bytes(spec.params.data() + p.offset, args[i].data(), args[i].size());
    }
    device_.allow_dynamic_smem(spec.kernel, int(spec.dynamic_smem));
    const CudaStatus s = device_.launch(spec);
    if (s.ok()) return;
    Diagnostic d;
    d.kind = FindingKind::launch_error;
    d.where = wanted.where;
    d.kernel = wanted.kernel;
    d.message = std::string("The launch is refused: ") + cuda_error_name(s.code) + " (" +
                cuda_error_text(s.code) + ").";
    throw RunStopped(Status::finding, std::move(d));
  }
  int main(std::span<const std::string> args) override { return session_.main(args).exit_status; }
  void set_printer(std::function<void(std::string_view)> f) override { session_.set_printer(std::move(f)); }
  void set_files(const std::string& folder) override { session_.set_files(folder); }
  void note_result(uint64_t address) override { session_.note_result(address); }
  std::vector<Diagnostic> take_findings() override { return session_.take_findings(); }
  HostWork host_work() const override { return session_.host_work(); }

 private:
  host::Session session_;
  Device& device_;
};

}  // namespace

void use_native_engine() {
  engine().compile = remembering([](const CompileRequest& r) { return compile_apart(r); });
  engine().load = [](const Compiled& c, const std::string& file, Device& d, const RunControl& control) {
    return std::unique_ptr<Program>(std::make_unique<SessionProgram>(c, file, d, control));
  };
}

}  // namespace dojo::run
