#pragma once

#include <filesystem>

namespace fiducial {

// Folders that exist only while something is being made in them. If a signal ends the process first, they are
// removed with all they hold.
//
// Safe from any thread. A path that is too long, or one too many, is not remembered.
void note_unfinished(const std::filesystem::path& folder);
void forget_unfinished(const std::filesystem::path& folder);

// From now on SIGINT, SIGTERM and SIGHUP remove unfinished folders before they end the process.
void install_cleanup_signals();

// Removes them, then ends the process as the signal would have; may be called by a signal handler.
void clean_up_and_end(int signal_number);

}  // namespace fiducial
