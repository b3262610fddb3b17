#pragma once
#include <dojo_pipeline.hpp>
