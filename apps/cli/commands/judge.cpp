#include <filesystem>
#include <memory>
#include <string>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/eval/judge/certificate.h"
#include "fiducial/eval/judge/judge_panel.h"
#include "fiducial/terminal/text_table.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct CertifyOptions {
  std::string run;
  std::string labels;
  std::string output;
  AgreementOptions agreement;
  CertificateRules rules;
  bool overwrite = false;
  bool json = false;
};

std::string share_text(const Json& share) {
  const auto value = number_at(share, "value");
  return value ? fixed(100 * *value, 1) + " %" : "undefined";
}

std::string interval_text(const Json& share, int digits, double factor) {
  const Json::Array* ends = find_array(share, "ci95");
  if (ends == nullptr) return "";
  return fixed(factor * *(*ends)[0].as_number(), digits) + " to " +
         fixed(factor * *(*ends)[1].as_number(), digits);
}

// What was found about the judge, a line each.
std::string findings_text(const Json& certificate) {
  using Align = TextTable::Align;
  TextTable out({Align::left, Align::left, Align::left, Align::right});
  out.add({"", "value", "95 % interval", "n"});
  const Json& agreement = *certificate.find("agreement");
  const Json& kappa = *agreement.find("cohens_kappa");
  const auto value = number_at(kappa, "value");
  const std::string pairs = decimal(integer_at(agreement, "matched_step_pairs"));
  out.add({"kappa with people", value ? fixed(*value, 3) : "undefined", interval_text(kappa, 3, 1), pairs});
  const auto add = [&out](const char* title, const Json& share, const std::string& n) {
    out.add({title, share_text(share), interval_text(share, 1, 100), n});
  };
  const Json& counts = *agreement.find("confusion");
  add("false steps found", *agreement.find("false_step_sensitivity"),
      decimal(integer_at(counts, "tn") + integer_at(counts, "fp")));
  const auto add_counted = [&add](const char* title, const Json& share) {
    add(title, share, decimal(integer_at(share, "n")));
  };
  for (const auto& [name, stratum] : *agreement.find("strata")->as_object()) {
    const std::string title = "agreement, " + printable(name);
    add(title.c_str(), *stratum.find("agreement"), decimal(integer_at(stratum, "steps")));
  }
  add_counted("changed when asked again", *certificate.find("repeats")->find("changed"));
  add_counted("changed by the order", *certificate.find("order"));
  add_counted("known-false missed", *certificate.find("canaries"));
  add_counted("instructions obeyed", *certificate.find("injections"));
  return out.text();
}

std::string certificate_text(const Json& certificate) {
  const Json& judge = *certificate.find("judge");
  std::string out = printable(text_at(judge, "model")) + ", judge " +
                    text_at(judge, "identity").substr(0, 12) + "\n" + findings_text(certificate);
  if (flag_at(certificate, "is_certified").value_or(false)) return out + "certified\n";
  out += "NOT certified:\n";
  for (const std::string& reason : strings_at(certificate, "reasons")) out += "  " + printable(reason) + "\n";
  return out;
}

Result<int> certify(const CertifyOptions& options, Console& console) {
  if (!options.overwrite && std::filesystem::exists(options.output)) {
    return bad_usage(options.output + ": exists already; --overwrite replaces it");
  }
  FIDUCIAL_TRY(const JudgeRun run, read_judge_run(options.run));
  FIDUCIAL_TRY(const Json certificate, certify_judge(run, options.labels, options.rules, options.agreement));
  FIDUCIAL_TRY_DONE(write_file(options.output, certificate.pretty()));
  console.print(options.json ? certificate.pretty() : certificate_text(certificate));
  if (flag_at(certificate, "is_certified").value_or(false)) return 0;
  return exit_status(ErrorCode::too_many_failures);
}

CommandBody define_certify(const Verb& verb) {
  auto options = std::make_shared<CertifyOptions>();
  verb.add_option("RUN", options->run, "Folder of a judge's run: manifest.json, verdicts.jsonl, probes.jsonl")
      ->required();
  verb.add_option("--labels", options->labels, "People's labels of the same steps (CSV or XLSX)")->required();
  verb.add_option("-o,--output", options->output, "The certificate to write (JSON)")->required();
  verb.add_option("--resamples", options->agreement.resamples, "Draws of cases for the intervals")
      ->check(Range(1, 1000000))
      ->capture_default_str();
  verb.add_option("--seed", options->agreement.seed, "Seed of the draws")->capture_default_str();
  verb.add_flag("--overwrite", options->overwrite, "Replace a certificate that is there");
  verb.add_flag("--json", options->json, "Print the certificate");
  return [options](Console& console) { return certify(*options, console); };
}

struct VoteOptions {
  std::vector<std::string> runs;
  std::string output;
  PanelOptions panel;
  bool json = false;
};

std::string vote_text(const Json& panel) {
  const Json& agreement = *panel.find("agreement");
  const Json& alpha = *agreement.find("krippendorff_alpha");
  const auto value = number_at(alpha, "value");
  std::string out = decimal(integer_at(panel, "steps")) + " steps, " +
                    decimal(integer_at(panel, "without_majority")) + " without a majority\nalpha " +
                    (value ? fixed(*value, 3) + "  " + interval_text(alpha, 3, 1) : "undefined") + "\n";
  for (const Json& pair : *agreement.find("pairs")->as_array()) {
    const Json& kappa = *pair.find("cohens_kappa");
    const auto said = number_at(kappa, "value");
    out += "kappa of " + printable(joined(strings_at(pair, "judges"), " and ")) + ": " +
           (said ? fixed(*said, 3) + "  " + interval_text(kappa, 3, 1) : "undefined") + "\n";
  }
  return out;
}

Result<int> vote(const VoteOptions& options, Console& console) {
  if (std::filesystem::exists(options.output)) return bad_usage(options.output + ": exists already");
  const std::vector<Path> runs(options.runs.begin(), options.runs.end());
  FIDUCIAL_TRY(const JudgePanel panel, vote_of_judges(runs, options.panel));
  FIDUCIAL_TRY_DONE(write_panel(panel, options.output));
  console.print(options.json ? panel.manifest.pretty() : vote_text(*panel.manifest.find("panel")));
  return 0;
}

CommandBody define_vote(const Verb& verb) {
  auto options = std::make_shared<VoteOptions>();
  verb.add_option("RUN", options->runs, "Folders of judges' runs over the same steps")->required();
  verb.add_option("-o,--output", options->output, "Folder of the panel to write, a judge of its own")
      ->required();
  verb.add_option("--samples", options->panel.samples, "Votes of every judge: so many of its samples")
      ->check(Range(1, 1000))
      ->capture_default_str();
  verb.add_option("--resamples", options->panel.agreement.resamples, "Draws of cases for the intervals")
      ->check(Range(1, 1000000))
      ->capture_default_str();
  verb.add_option("--seed", options->panel.agreement.seed, "Seed of the draws")->capture_default_str();
  verb.add_flag("--json", options->json, "Print the panel's manifest");
  return [options](Console& console) { return vote(*options, console); };
}

}  // namespace

Command judge_command() {
  return {.name = "judge",
          .summary = "Find out how far a judge can be trusted, certify it, let several vote",
          .example = "fiducial judge certify RUN --labels people.csv -o certificate.json",
          .define = [](const Verb& verb) -> CommandBody {
            verb.require_subcommand();
            const Verb certified = verb.add_subcommand(
                "certify", "Hold a judge's verdicts against people's labels and known-false statements");
            const Verb voted =
                verb.add_subcommand("vote", "Make one judge of several, or of several samples: the majority");
            const CommandBody certify_body = define_certify(certified);
            const CommandBody vote_body = define_vote(voted);
            return [voted, certify_body, vote_body](Console& console) {
              return voted.parsed() ? vote_body(console) : certify_body(console);
            };
          }};
}

}  // namespace fiducial::cli
