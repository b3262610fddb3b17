#pragma once
// One launch's report from its raw counts and its modelled time, under Nsight Compute's names.
#include <functional>

#include "core/report.hpp"
#include "simt/device/device_model.hpp"
#include "simt/time/model.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

struct ReportInputs {
  const DeviceModel& model;
  const ptx::Module& module;
  const LaunchNode& node;
  const LaunchTrace& trace;
  const ModelledLaunch& time;
  KernelResources resources;
  std::function<std::shared_ptr<const ptx::CodeShape>(uint32_t function)> shape;
  int stream = 0;
  double base_us = 0;  ///< start of the batch on the run's timeline
  bool lines = false, blocks = false;
};

LaunchReport make_report(const ReportInputs&);

}  // namespace dojo::simt
