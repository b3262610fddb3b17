#pragma once
// Prepared labs, reports and a stand-in for the worker, so that the app is tested without the machine.
#include <deque>
#include <filesystem>
#include <string>

#include "../temp_folder.hpp"
#include "core/device.hpp"
#include "core/labs/lab.hpp"
#include "gui/model/session/runner.hpp"
#include "gui/model/session/session.hpp"

namespace dojo::gui::test {

using temporary::TempFolder;

/// Writes two small labs with three steps (demo/1-first, demo/2-second, other/1-only) under a folder.
void write_labs(const std::filesystem::path& root);

struct RunShape {
  std::string who = "student";
  Status status = Status::pass;
  int64_t blocks = 4096;
  int sms = 132, per_sm = 8;
  double block_us = 2.0;  ///< a block's length; varies a little from block to block
  std::string file = "1-first.cu";
};
/// A run with counters, lines, blocks and gates that fit together roughly as a real one's do.
RunReport make_run(const RunShape&);
Report make_report(const std::string& step, const RunShape& student, const RunShape& reference);
std::vector<DeviceInfo> make_devices();
/// Two warps: both store to shared memory (line 3), wait (line 4), load with stride two (line 5), store to
/// global memory (line 6) where the second warp takes one sector a lane; warp 1's lines 5 has a finding when
/// asked for.
std::shared_ptr<StepTrace> make_trace(bool finding = false);

/// One kernel of four PTX instructions (lines 4, 5, 5, 6) and three of machine code, without a disassembler.
CodeListing make_listing(bool counts);

/// Answers each request with prepared events, one a poll after `delay` polls. Without a script it makes a
/// report.
class FakeRunner final : public Runner {
 public:
  void start(const run::RunRequest&) override;
  bool busy() const override { return busy_; }
  std::optional<run::WorkerEvent> poll() override;
  void cancel() override { cancelled_ = true; }

  std::deque<std::deque<run::WorkerEvent>> scripts;  ///< one a request
  std::vector<run::RunRequest> requests;
  RunShape student, reference{"reference", Status::pass, 4096, 132, 8, 1.1, "1-first.cu"};
  int delay = 0;       ///< polls before the first event
  double seconds = 0;  ///< of wall time that a run takes (for a window that is watched)
  bool fail_start = false;
  std::shared_ptr<StepTrace> steps;  ///< answers requests for a block's steps
  fs::path listed;                   ///< a file that is made when a request for code was answered

 private:
  bool busy_ = false, cancelled_ = false, pause_ = false;
  int waited_ = 0;
  double started_ = 0;
  std::deque<run::WorkerEvent> events_;
};

}  // namespace dojo::gui::test
