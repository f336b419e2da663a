#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace fiducial::cli {

// Writes --help: arguments and options under their headings, each with its default and the values it takes,
// lines no longer than the terminal is wide.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace fiducial::cli
