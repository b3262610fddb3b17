// Stands in for the machine and the machine-code reader while a checkout is without them, so that everything
// else links. The build takes this file only then.
#include "core/error.hpp"
#include "ptx/code_shape.hpp"
#include "simt/machine.hpp"

namespace dojo {
namespace {
[[noreturn]] void missing() { throw Error("this checkout has no SIMT machine yet", 71); }
}  // namespace
namespace simt {
class Program {};
struct HostThread::Impl {};
std::shared_ptr<const Program> decode(std::shared_ptr<const ptx::Module>, const SymbolTable&) { missing(); }
std::vector<LaunchTrace> execute(const Program&, std::span<const LaunchNode>, AddressSpace&, const MachineConfig&) { missing(); }
HostThread::HostThread(const Program&, AddressSpace&, HostCalls&, const RunControl&) { missing(); }
HostThread::~HostThread() = default;
std::vector<std::byte> HostThread::call(const std::string&, std::span<const std::byte>) { missing(); }
std::vector<std::byte> HostThread::call(uint64_t, std::span<const std::byte>) { missing(); }
SourceLoc HostThread::where() const { missing(); }
const ptx::Function* function_at(const Program&, uint64_t) { missing(); }
uint64_t code_address(const Program&, const std::string&) { missing(); }
}  // namespace simt
#ifdef DOJO_NO_SASS_SHAPE
namespace ptx {
CodeShape sass_shape(const Module& m, const Function& f, const std::vector<std::byte>&) { return estimate_shape(m, f); }
}  // namespace ptx
#endif
}  // namespace dojo
