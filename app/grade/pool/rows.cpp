#include "grade/pool/rows.hpp"

#include <mutex>

#include "core/error.hpp"
#include "grade/pool/threads.hpp"

namespace dojo::grade {

run::WorkerOptions worker_options(const GradeOptions& o) {
  run::WorkerOptions w;
  w.sandbox = o.sandbox;
  w.compile_limit_s = o.course.compile_limit_s;
  w.memory_bytes = uint64_t(o.course.memory_mb) << 20;
  return w;
}

std::vector<Row> grade_rows(RowQueue& queue, size_t count, const GradeOptions& o,
                            const std::function<GradeRow()>& new_thread) {
  std::vector<std::optional<Row>> rows(count);
  std::mutex mutex;
  std::optional<Error> broken;
  int done = 0;
  const auto stopped = [&] { return o.stopped && o.stopped(); };
  run_on_threads(o.jobs, [&] {
    const GradeRow grade = new_thread();
    std::optional<size_t> mine;
    const auto ended = [&] {
      const std::lock_guard lock(mutex);
      return broken.has_value() || stopped();
    };
    while (!ended() && (mine = queue.next(mine))) {
      if (stopped()) return;
      std::optional<Row> row;
      try {
        row = grade(*mine);
      } catch (const Error& e) {
        const std::lock_guard lock(mutex);
        broken = e;
        return;
      }
      if (!row) return;
      const std::lock_guard lock(mutex);
      rows[*mine] = std::move(row);
      if (o.row) o.row(*rows[*mine], ++done, int(count));
    }
  });
  if (broken) throw *broken;
  std::vector<Row> finished;
  for (auto& r : rows)
    if (r) finished.push_back(std::move(*r));
  return finished;
}

}  // namespace dojo::grade
