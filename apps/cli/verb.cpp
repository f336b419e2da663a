#include "verb.h"

#include <optional>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace fiducial::cli {

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
  option_->check(CLI::IsMember(choices));
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
  return DeclaredOption(app_->add_option(names, target, help));
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
    return CLI::Formatter().make_help(app, std::move(name), mode);
  });
}

void Verb::footer(const std::string& text) const { app_->footer(text); }

std::string Verb::name() const { return app_->get_name(); }

Verb Verb::parent() const { return Verb(app_->get_parent()); }

std::vector<Verb> Verb::subcommands() const {
  std::vector<Verb> out;
  for (CLI::App* one : app_->get_subcommands([](const CLI::App*) { return true; })) out.emplace_back(one);
  return out;
}

std::vector<std::string> Verb::long_options() const {
  std::vector<std::string> out;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) out.push_back(name);
  }
  return out;
}

}  // namespace fiducial::cli
