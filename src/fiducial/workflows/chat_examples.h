#pragma once

#include "fiducial/workflows/prepared_run.h"

namespace fiducial {

// Writes the questions of a run's workflow with the replies that experts would give, a line each, in the chat
// format that fine-tuning takes: {"messages": [{"role", "content"}, ...]}. Images are named by their paths in
// the dataset. The reply to the question is the key with the discussion; to the steps before it, the captions
// and the findings. A question whose reply would be empty is left out. Gives the number of lines.
Result<std::int64_t> write_chat_examples(const PreparedRun& run, const Path& file);

}  // namespace fiducial
