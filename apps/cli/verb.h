#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fiducial::cli {

// Values from low to high, both allowed. Whole numbers and others are told apart in what --help and errors
// say.
struct Range {
  Range(int low, int high) : Range(std::int64_t{low}, std::int64_t{high}) {}
  Range(std::int64_t low, std::int64_t high) : least(low), most(high) {}
  Range(double low, double high) : least_real(low), most_real(high), is_whole(false) {}

  std::int64_t least = 0, most = 0;
  double least_real = 0, most_real = 0;
  bool is_whole = true;
};

// An option or argument that was declared; further conditions are chained:
// add_option(...)->required()->check(...).
class DeclaredOption {
 public:
  explicit DeclaredOption(CLI::Option* option) : option_(option) {}
  const DeclaredOption* operator->() const { return this; }

  DeclaredOption required() const;
  // --help shows the value the target has now.
  DeclaredOption capture_default_str() const;
  DeclaredOption check(const Range& range) const;
  DeclaredOption one_of(const std::vector<std::string>& choices) const;
  // Values that completion offers; others are taken as well.
  DeclaredOption suggests(const std::vector<std::string>& values) const;
  DeclaredOption positive() const;
  // Never both.
  DeclaredOption excludes(const DeclaredOption& other) const;
  DeclaredOption delimiter(char separator) const;
  // The heading under which --help shows it; "" hides it.
  DeclaredOption heading(const std::string& text) const;
  DeclaredOption help(const std::string& text) const;
  // Called with each value as it is parsed.
  DeclaredOption each(const std::function<void(const std::string&)>& seen) const;

 private:
  CLI::Option* option_;
};

// What an option or argument looks like from outside.
struct OptionFacts {
  std::vector<std::string> names;  // "--output", "-o"; one name without dashes for an argument
  std::string help;
  std::vector<std::string> values;  // those that are known
  bool takes_value = true;
  bool is_argument = false;
};

// A verb of the command line while it declares what it takes. A handle: copies declare on the same verb. The
// parser behind it is a large header that only verb.cpp and main.cpp read.
class Verb {
 public:
  explicit Verb(CLI::App* app) : app_(app) {}

  // Targets are std::string, whole numbers, double, or std::vector or std::optional of some of them. An
  // option that fills a vector takes one value each time it is typed, so that it swallows no argument behind
  // it.
  template <class Target>
  DeclaredOption add_option(const std::string& names, Target& target, const std::string& help) const;
  DeclaredOption add_flag(const std::string& names, bool& target, const std::string& help) const;

  Verb add_subcommand(const std::string& name, const std::string& summary) const;
  void require_subcommand() const;
  // Called when this verb is the one that was typed.
  void callback(const std::function<void()>& chosen) const;
  bool parsed() const;
  // Whether the option of this name was typed.
  bool given(const std::string& option) const;
  // What was typed for an option or argument, before anything is checked.
  std::vector<std::string> typed(const std::string& option) const;
  // Called before --help is shown, once everything typed is known.
  void before_help(const std::function<void()>& prepare) const;
  void footer(const std::string& text) const;

  // The heading under which the verb above lists it.
  void heading(const std::string& text) const;

  // What help, completion and errors need to know.
  std::string name() const;
  std::string summary() const;
  std::string full_name() const;  // "fiducial curate labels"
  std::string help_text() const;
  Verb root() const;
  std::vector<Verb> subcommands() const;
  std::optional<Verb> subcommand(std::string_view name) const;
  std::vector<OptionFacts> options() const;

 private:
  CLI::App* app_;
};

}  // namespace fiducial::cli
