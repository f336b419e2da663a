#pragma once

#include "fiducial/synth/demo_corpus.h"

namespace fiducial {

// Writes the demo's corpora and systems (write_demo), its reports curated with their organ masks into both
// layouts, and systems that answer what came of them.
Result<DemoFacts> write_curated_demo(const Path& folder, const DemoOptions& options, const Executor& executor,
                                     Progress& progress);

}  // namespace fiducial
