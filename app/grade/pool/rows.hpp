#pragma once
// A batch of rows, graded by threads that take them from a queue. Each thread has worker children of its own.
#include <functional>
#include <optional>
#include <vector>

#include "grade/grader.hpp"
#include "grade/pool/row_queue.hpp"
#include "run/worker/worker.hpp"

namespace dojo::grade {

/// The limits and the sandbox of a batch's worker children.
run::WorkerOptions worker_options(const GradeOptions&);

/// Grades a row of the queue; nothing when the batch was stopped meanwhile. An Error ends the batch.
using GradeRow = std::function<std::optional<Row>(size_t row)>;

/// All `count` rows, as far as the batch came, in the queue's order. `new_thread` makes what one thread
/// grades by. Each row is told to GradeOptions::row when it is there. Throws the Error that ended the batch.
std::vector<Row> grade_rows(RowQueue&, size_t count, const GradeOptions&,
                            const std::function<GradeRow()>& new_thread);

}  // namespace dojo::grade
