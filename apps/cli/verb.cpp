#include "verb.h"

#include <algorithm>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"

#include "help_formatter.h"

namespace fiducial::cli {

namespace {

// Its description holds the values of an option, with commas between them.
constexpr const char* values_validator = "values";

std::vector<std::string> values_of(CLI::Option* option) {
  try {
    const std::string text = option->get_validator(values_validator)->get_description();
    return CLI::detail::split(text, ',');
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

OptionFacts facts_of(CLI::Option* option) {
  OptionFacts out{.help = option->get_description(),
                  .values = values_of(option),
                  .takes_value = option->get_items_expected_max() > 0,
                  .is_argument = option->get_positional() && !option->nonpositional()};
  for (const std::string& name : option->get_lnames()) out.names.push_back("--" + name);
  for (const std::string& name : option->get_snames()) out.names.push_back("-" + name);
  if (out.is_argument) out.names.push_back(option->get_name(true));
  return out;
}

}  // namespace

DeclaredOption DeclaredOption::required() const {
  option_->required();
  return *this;
}

DeclaredOption DeclaredOption::capture_default_str() const {
  option_->capture_default_str();
  return *this;
}

DeclaredOption DeclaredOption::check(const Range& range) const {
  if (range.is_whole) {
    option_->check(CLI::Range(range.least, range.most));
  } else {
    option_->check(CLI::Range(range.least_real, range.most_real));
  }
  return *this;
}

DeclaredOption DeclaredOption::one_of(const std::vector<std::string>& choices) const {
  const auto is_choice = [choices](const std::string& typed) {
    if (std::find(choices.begin(), choices.end(), typed) != choices.end()) return std::string();
    return '"' + typed + "\" is not one of " + joined(choices) + did_you_mean(typed, choices);
  };
  option_->check(is_choice, joined(choices, ","), values_validator);
  return *this;
}

DeclaredOption DeclaredOption::suggests(const std::vector<std::string>& values) const {
  option_->check([](const std::string&) { return std::string(); }, joined(values, ","), values_validator);
  return *this;
}

DeclaredOption DeclaredOption::positive() const {
  option_->check(CLI::PositiveNumber);
  return *this;
}

DeclaredOption DeclaredOption::excludes(const DeclaredOption& other) const {
  option_->excludes(other.option_);
  return *this;
}

DeclaredOption DeclaredOption::delimiter(char separator) const {
  option_->delimiter(separator);
  return *this;
}

DeclaredOption DeclaredOption::heading(const std::string& text) const {
  option_->group(text);
  return *this;
}

DeclaredOption DeclaredOption::help(const std::string& text) const {
  option_->description(text);
  return *this;
}

DeclaredOption DeclaredOption::each(const std::function<void(const std::string&)>& seen) const {
  option_->each(seen);
  return *this;
}

template <class Target>
DeclaredOption Verb::add_option(const std::string& names, Target& target, const std::string& help) const {
  CLI::Option* option = app_->add_option(names, target, help);
  if (names.starts_with('-')) option->allow_extra_args(false);
  return DeclaredOption(option);
}

template DeclaredOption Verb::add_option(const std::string&, std::string&, const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, std::vector<std::string>&,
                                         const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, std::vector<double>&, const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, std::vector<std::int64_t>&,
                                         const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, int&, const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, std::int64_t&, const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, std::uint64_t&, const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, double&, const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, std::optional<int>&, const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, std::optional<std::int64_t>&,
                                         const std::string&) const;
template DeclaredOption Verb::add_option(const std::string&, std::optional<double>&,
                                         const std::string&) const;

DeclaredOption Verb::add_flag(const std::string& names, bool& target, const std::string& help) const {
  return DeclaredOption(app_->add_flag(names, target, help));
}

Verb Verb::add_subcommand(const std::string& name, const std::string& summary) const {
  return Verb(app_->add_subcommand(name, summary));
}

void Verb::require_subcommand() const { app_->require_subcommand(1); }

void Verb::callback(const std::function<void()>& chosen) const { app_->callback(chosen); }

bool Verb::parsed() const { return app_->parsed(); }

bool Verb::given(const std::string& option) const { return app_->count(option) > 0; }

std::vector<std::string> Verb::typed(const std::string& option) const {
  return app_->get_option(option)->results();
}

void Verb::before_help(const std::function<void()>& prepare) const {
  app_->formatter_fn([prepare](const CLI::App* app, std::string name, CLI::AppFormatMode mode) {
    prepare();
    return help_formatter()->make_help(app, std::move(name), mode);
  });
}

void Verb::footer(const std::string& text) const { app_->footer(text); }

std::string Verb::name() const { return app_->get_name(); }

std::string Verb::summary() const { return app_->get_description(); }

void Verb::heading(const std::string& text) const { app_->group(text); }

std::string Verb::full_name() const {
  std::string out = app_->get_name();
  for (const CLI::App* above = app_->get_parent(); above != nullptr; above = above->get_parent())
    out = above->get_name() + " " + out;
  return out;
}

// Not App::help, which shows the verb that was typed.
std::string Verb::help_text() const {
  return app_->get_formatter()->make_help(app_, full_name(), CLI::AppFormatMode::Normal);
}

Verb Verb::root() const {
  CLI::App* out = app_;
  while (out->get_parent() != nullptr) out = out->get_parent();
  return Verb(out);
}

std::vector<Verb> Verb::subcommands() const {
  std::vector<Verb> out;
  for (CLI::App* one : app_->get_subcommands([](const CLI::App*) { return true; })) out.emplace_back(one);
  return out;
}

std::optional<Verb> Verb::subcommand(std::string_view name) const {
  for (const Verb& each : subcommands()) {
    if (each.name() == name) return each;
  }
  return std::nullopt;
}

std::vector<OptionFacts> Verb::options() const {
  std::vector<OptionFacts> out;
  for (CLI::Option* option : app_->get_options([](CLI::Option*) { return true; }))
    out.push_back(facts_of(option));
  return out;
}

}  // namespace fiducial::cli
