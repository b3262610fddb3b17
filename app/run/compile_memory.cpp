#include "run/compile_memory.hpp"

#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "core/compile/front_end.hpp"

namespace dojo::run {
namespace {

class CompileMemory {
 public:
  CompileMemory(Compile compile, size_t programs) : compile_(std::move(compile)), most_(programs) {}

  Compiled operator()(const CompileRequest& request) {
    if (request.program) return compile_(request);
    const std::string by = compile_detail::front_end().name();
    if (const std::lock_guard lock(guard_); const Compiled* known = find(request, by)) return *known;
    Compiled made = compile_(request);
    if (made.ok) keep({request, by, made});
    return made;
  }

 private:
  struct Entry {
    CompileRequest request;
    std::string front_end;
    Compiled made;
  };

  /// Moves what it finds to the front.
  const Compiled* find(const CompileRequest& request, const std::string& by) {
    for (auto e = entries_.begin(); e != entries_.end(); ++e)
      if (e->front_end == by && e->request == request) {
        entries_.splice(entries_.begin(), entries_, e);
        return &e->made;
      }
    return nullptr;
  }

  void keep(Entry e) {
    const std::lock_guard lock(guard_);
    entries_.push_front(std::move(e));
    if (entries_.size() > most_) entries_.pop_back();
  }

  Compile compile_;
  size_t most_;
  std::mutex guard_;
  std::list<Entry> entries_;  // the latest first
};

}  // namespace

Compile remembering(Compile compile, size_t programs) {
  auto memory = std::make_shared<CompileMemory>(std::move(compile), programs);
  return [memory](const CompileRequest& request) { return (*memory)(request); };
}

}  // namespace dojo::run
