#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/sections.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

constexpr std::size_t most_remarks = 200;

// A word as a shell reads it back.
std::string shell_quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+%@";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string row(const std::string& name, const std::string& value) {
  if (value.empty()) return "";
  return "<tr><td>" + name + "</td><td><code>" + html_escaped(value) + "</code></td></tr>\n";
}

// Contract ids with versions, as they stand behind the values.
std::string metric_versions(const Json& summary) {
  std::map<std::string, std::int64_t> versions;
  for (const char* scorer : {"metrics", "official"}) {
    const Json* slots = summary.find(scorer);
    if (slots == nullptr) continue;
    for (const auto& [slot, ignored] : *slots->as_object()) {
      const auto value = reported_value(slots, slot);
      versions[value->metric] = value->version;
    }
  }
  std::string out;
  for (const auto& [metric, version] : versions) {
    out += (out.empty() ? "" : ", ") + metric + "@" + decimal(version);
  }
  return out;
}

}  // namespace

std::string remarks_section(const ReportInput& input) {
  const Json* remarks = input.summary.find("remarks");
  std::string out = "<section>\n<h2>Missing, failed and noted</h2>\n";
  if (remarks == nullptr || remarks->as_array() == nullptr || remarks->as_array()->empty()) {
    return out +
           "<p class=\"soft\">Nothing: every case has a prediction, and every prediction was read as it "
           "is.</p>\n"
           "</section>\n";
  }
  const auto& all = *remarks->as_array();
  out +=
      "<div class=\"card\"><table><thead><tr><th>case or "
      "file</th><th>what</th><th>why</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(all.size(), most_remarks); ++i) {
    out += "<tr><td><bdi>" + html_escaped(summary_text(all[i], {"case"})) + "</bdi></td><td>" +
           html_escaped(summary_text(all[i], {"code"})) + "</td><td><bdi>" +
           html_escaped(summary_text(all[i], {"text"})) + "</bdi></td></tr>\n";
  }
  out += "</tbody></table>";
  if (all.size() > most_remarks) {
    out += "<p class=\"note\">The first " + decimal(most_remarks) + " of " + decimal(all.size()) +
           "; summary.json has them all.</p>";
  }
  return out + "</div>\n</section>\n";
}

std::string reproduce_section(const ReportInput& input) {
  const Json& summary = input.summary;
  std::string command;
  for (const std::string& word : input.command) command += (command.empty() ? "" : " ") + shell_quoted(word);
  std::string out = "<section>\n<h2>Make these numbers again</h2>\n<div class=\"card\">\n<pre>" +
                    html_escaped(command) + "</pre>\n<table><tbody>\n";
  const auto of = [&summary](std::string_view key) { return summary_text(summary, {"provenance", key}); };
  out += row("version", of("tool") + " " + of("tool_version")) + row("plan, SHA-256", of("plan_sha256")) +
         row("dataset file, SHA-256", of("dataset_sha256")) +
         row("intervals", of("interval") + ", " + of("resamples") + " resamples, seed " + of("seed")) +
         row("metrics", metric_versions(summary));
  return out + "</tbody></table>\n<p class=\"note\">plan.json beside this page holds the resolved plan" +
         (input.is_private ? std::string(".") : " and the hash of every file that was read.") +
         " The same inputs give the same bytes on any machine and any number of "
         "threads.</p></div>\n</section>\n";
}

}  // namespace fiducial
