#pragma once
// What a worker child and all that it started use, as its parent sees it: limits that a process can't lift by
// itself.
#include <sys/types.h>

#include <cstdint>

namespace dojo::run {

struct GroupUse {
  int tasks = 0;          ///< processes and threads
  uint64_t resident = 0;  ///< bytes; what processes share counts for each
};
/// Of a process group, from /proc.
GroupUse use_of_group(pid_t group);

/// Tasks that an enclosed child may have, itself included: the threads of a run on every core, and room.
int most_tasks();
/// Tasks of this process's user, in all of the system.
int tasks_of_user();

}  // namespace dojo::run
