#pragma once

namespace fiducial {

// Makes SIGTERM and SIGINT ask for a stop instead of ending the process. A second SIGINT ends it.
void install_stop_signals();

// Whether a stop was asked for; long work looks between its pieces. Safe from any thread.
bool stop_requested();

// For tests: asks for a stop, or takes the wish back.
void request_stop(bool wanted);

}  // namespace fiducial
