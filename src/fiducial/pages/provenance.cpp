#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/shared_sections.h"

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
  return joined(versions, ", ", [](const auto& each) { return each.first + "@" + decimal(each.second); });
}

void add_fact(HtmlTable& table, std::string_view name, const std::string& value) {
  if (!value.empty()) table.row({Html::of_text(name), fill("code", {{"text", value}})});
}

std::string folder_of(const InputFile& input) { return input.name.empty() ? input.role : input.name; }

}  // namespace

std::vector<std::string> command_of(const ScoreRun& run, bool has_volumes) {
  const std::string predictions = run.predictions ? run.predictions->name : "predictions/";
  std::vector<std::string> out{"fiducial", "score", run.benchmark + "/", predictions, "-o", "scores/"};
  const auto add = [&out](const std::string& option, const std::string& value) {
    out.insert(out.end(), {option, value});
  };
  add("--task", run.task);
  if (has_volumes) add("--volumes", "volumes/");
  add("--split", run.split);
  add("--system", run.system);
  if (!run.official_note.empty() || run.mode != ScoreMode::strict)
    add("--mode", std::string(to_string(run.mode)));
  add("--seed", decimal(run.seed));
  add("--resamples", decimal(run.resamples));
  for (const auto& [name, values] : run.options) {
    if (name == "conformance") continue;  // named with the rules
    if (values == std::vector<std::string>{"true"}) {
      out.push_back("--" + name);
    } else {
      add("--" + name, joined(values, ","));
    }
  }
  std::set<std::string> named{predictions};
  for (const InputFile& input : run.inputs) {
    // Files of one name lie in different folders, which a run does not know.
    const std::string folder = named.insert(input.file).second ? "" : folder_of(input) + "/";
    add("--" + input.role, (input.name.empty() ? "" : input.name + "=") + folder + input.file);
  }
  if (run.rules.find("ignores_regions") != nullptr) add("--ignore", "ignored/");
  if (run.rules.find("conformance") != nullptr) add("--conformance", "conformance.json");
  if (run.min_group) {
    out.emplace_back("--private");
    if (*run.min_group != usual_min_group) add("--min-group", decimal(*run.min_group));
  }
  return out;
}

PageSection remarks_section(const Json& summary) {
  PageSection out{"remarks", "Missing, failed and flagged", {}, {}};
  const Json::Array* all = find_array(summary, "remarks");
  if (all == nullptr || all->empty()) {
    out.body = fill(
        "nothing", {{"text", "None: every case has a prediction, and every prediction was read unchanged."}});
    return out;
  }
  HtmlTable table;
  for (const char* title : {"case or file", "what", "why"}) table.column(HtmlTable::Kind::words, title);
  for (std::size_t i = 0; i < std::min(all->size(), most_remarks); ++i) {
    const auto text = [&remark = (*all)[i]](const char* key) { return Html::of_text(text_at(remark, key)); };
    table.row({text("case"), text("code"), text("text")});
  }
  Html body = table.html();
  if (all->size() > most_remarks)
    body += fill("note", {{"text", "The first " + decimal(most_remarks) + " of " + decimal(all->size()) +
                                       "; summary.json has them all."}});
  out.body = card(body);
  return out;
}

PageSection reproduce_section(const RunPage& page) {
  const auto of = [&page](std::string_view key) { return summary_text(page.summary, {"provenance", key}); };
  HtmlTable table;
  table.column(HtmlTable::Kind::words, "");
  table.column(HtmlTable::Kind::words, "");
  add_fact(table, "version", of("tool") + " " + of("tool_version"));
  add_fact(table, "plan, SHA-256", of("plan_sha256"));
  add_fact(table, "dataset file, SHA-256", of("dataset_sha256"));
  add_fact(table, "intervals", of("interval") + ", " + of("resamples") + " resamples, seed " + of("seed"));
  add_fact(table, "metrics", metric_versions(page.summary));
  const std::string files = page.is_private() ? "." : " and the hash of every file that was read.";
  const std::string command = joined(command_of(page.run, page.volumes.has_value()), " ", shell_quoted);
  return {
      "reproduce",
      "Reproduce these numbers",
      {},
      card(fill("command", {{"text", command}}) + table.html() +
           fill("note", {{"text", "plan.json beside this page holds the resolved plan" + files +
                                      " The same inputs give the same bytes on any machine and any number "
                                      "of threads."}}))};
}

}  // namespace fiducial
