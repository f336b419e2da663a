#include "help_formatter.h"

#include <algorithm>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "terminal_width.h"

namespace fiducial::cli {

namespace {

constexpr std::size_t usual_width = 100;
constexpr std::size_t least_width = 50;
constexpr std::size_t indent = 2;

std::size_t line_width() {
  const std::size_t width = terminal_width();
  return width == 0 ? usual_width : std::clamp(width, least_width, usual_width);
}

std::size_t name_width(std::size_t width) { return width >= 80 ? 26 : 18; }

// A name and what it means, in two columns; a name too long for its column gets a line of its own.
std::string entry(const std::string& name, const std::string& meaning) {
  const std::size_t width = line_width();
  const std::size_t column = name_width(width);
  std::string out = std::string(indent, ' ') + name;
  std::size_t at = out.size();
  bool is_first = true;
  if (at + 2 > column) {
    out += "\n";
    at = 0;
  }
  for (std::size_t begin = 0; begin < meaning.size();) {
    const std::size_t end = std::min(meaning.find(' ', begin), meaning.size());
    const std::string word = meaning.substr(begin, end - begin);
    if (!is_first && at + 1 + word.size() > width) {
      out += "\n";
      at = 0;
      is_first = true;
    }
    const std::size_t gap = is_first ? column - at : 1;
    out += std::string(gap, ' ') + word;
    at += gap + word.size();
    is_first = false;
    begin = end + 1;
  }
  return out + "\n";
}

// Words in lines that are no longer than the terminal is wide.
std::string wrapped(const std::string& text) {
  const std::size_t width = line_width();
  std::string out;
  std::size_t at = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const bool is_full = at > 0 && at + 1 + end - begin > width;
    if (at > 0) out += is_full ? '\n' : ' ';
    at = (is_full || at == 0 ? 0 : at + 1) + end - begin;
    out.append(text, begin, end - begin);
    begin = end + 1;
  }
  return out;
}

// What stands for the value of an option.
std::string placeholder(const CLI::Option* option) {
  const std::string type = option->get_type_name();
  if (type.starts_with("TEXT")) return "TEXT";
  return type.starts_with("FLOAT") ? "X" : "N";
}

std::string names_of(const CLI::Option* option) {
  std::string out;
  for (const std::string& name : option->get_snames()) out += (out.empty() ? "-" : ", -") + name;
  for (const std::string& name : option->get_lnames()) out += (out.empty() ? "--" : ", --") + name;
  if (option->get_items_expected_max() > 0) out += " " + placeholder(option);
  return out;
}

class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() {
    label("Positionals", "Arguments");
    label("Usage", "usage");
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string out = "\nusage: " + name;
    std::string needed;
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional()) {
        out += " " + make_option_usage(option);
      } else if (option->get_required()) {
        needed +=
            " " + option->get_name().substr(0, option->get_name().find(',')) + " " + placeholder(option);
      }
    }
    if (!app->get_subcommands([](const CLI::App*) { return true; }).empty()) out += " VERB";
    return out + needed + " [options]\n";
  }

  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string out = "\n" + wrapped(group + ":") + "\n";
    for (const CLI::Option* option : options) out += make_option(option, is_positional);
    return out;
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string meaning = option->get_description();
    if (!option->get_default_str().empty()) meaning += " (default: " + option->get_default_str() + ")";
    return entry(is_positional ? make_option_usage(option) : names_of(option), meaning);
  }

  std::string make_subcommand(const CLI::App* verb) const override {
    return entry(verb->get_name(), verb->get_description());
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace fiducial::cli
