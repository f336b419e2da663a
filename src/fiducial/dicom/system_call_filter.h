#pragma once

namespace fiducial {

// What became of a wish for a filter.
enum class CallFilter {
  installed,
  unsupported,  // another system or processor, a kernel without seccomp, or a sanitizer that needs more calls
};

// From here on this process may read files and standard input, write to what is open already, ask for memory
// and the time, and end: any other call of the system (a socket, a process, a file to write, a link, a signal
// to others) ends it at once by SIGSYS. For a decoder of strangers' bytes that somebody may take over. It
// holds until the process ends, for all of its threads.
CallFilter install_reading_filter();

}  // namespace fiducial
