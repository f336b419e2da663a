#include <memory>
#include <string>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/cards/card_markdown.h"
#include "fiducial/cards/make_card.h"

#include "command.h"

namespace fiducial::cli {

namespace {

constexpr std::uint64_t max_card_bytes = std::uint64_t{64} << 20;

struct CardOptions {
  std::string input;
  std::string output;
  std::string config;
  std::string volumes;
  std::string metadata;
  int threads = 0;
  bool no_check = false;
  bool overwrite = false;
  bool json = false;
};

Result<int> render(const CardOptions& options, Console& console) {
  FIDUCIAL_TRY(const std::string text, read_text_file(options.input, max_card_bytes));
  FIDUCIAL_TRY(const Json card, parse_json(text).in_file(options.input));
  FIDUCIAL_TRY(const std::string markdown, render_card(card).in_file(options.input));
  console.print(options.json ? card.pretty() : markdown);
  return 0;
}

Result<int> parse(const CardOptions& options, Console& console) {
  FIDUCIAL_TRY(const std::string text, read_text_file(options.input, max_card_bytes));
  FIDUCIAL_TRY(const Json card, parse_card(text).in_file(options.input));
  console.print(card.pretty());
  return 0;
}

Result<int> make(const CardOptions& options, Console& console) {
  CardRequest request{.dataset = options.input, .check = !options.no_check};
  if (!options.config.empty()) request.config = options.config;
  if (!options.volumes.empty()) request.volumes = options.volumes;
  if (!options.metadata.empty()) request.metadata = options.metadata;
  FIDUCIAL_TRY(const Json card, make_card(request, Executor(options.threads), console));
  FIDUCIAL_TRY(const std::string markdown, render_card(card));
  if (options.output.empty()) {
    console.print(options.json ? card.pretty() : markdown);
    return 0;
  }
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(options.output, "card.json", options.overwrite));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / "card.json", card.pretty()));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / "card.md", markdown));
  FIDUCIAL_TRY_DONE(folder.publish());
  console.note("wrote " + options.output + ": card.json, card.md");
  return 0;
}

void define_make(Verb verb, CardOptions& options) {
  verb.add_option("DIR", options.input, "Dataset folder in a published layout (fiducial info lists them)")
      ->required();
  verb.add_option("-o,--output", options.output,
                  "Folder to write card.json and card.md to (default: Markdown to standard output)");
  verb.add_option("--config", options.config,
                  "JSON of what the data cannot say: licence, resources, results (docs/formats/card.md)");
  verb.add_option("--volumes", options.volumes, "Folder of the CT volumes, checked with the dataset");
  verb.add_option("--metadata", options.metadata,
                  "CSV of facts about the volumes (default: the one *metadata*.csv of the folder of volumes, "
                  "else of DIR)");
  verb.add_flag("--no-check", options.no_check,
                "Skip the validation of the dataset: the card then has fewer limitations");
  verb.add_option("--threads", options.threads, "Threads (0: one per core)")
      ->check(Range(0, 1024))
      ->capture_default_str();
  verb.add_flag("--overwrite", options.overwrite, "Replace an earlier card");
  verb.add_flag("--json", options.json, "Print JSON instead of Markdown");
}

}  // namespace

Command card_command() {
  return {.name = "card",
          .summary = "Make, render and parse benchmark cards",
          .example = "fiducial card make rexgroundingct/ -o card --config terms.json",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<CardOptions>();
            verb.require_subcommand();
            const Verb made = verb.add_subcommand("make", "Compute the card of a dataset from its files");
            define_make(made, *options);
            const Verb rendered = verb.add_subcommand("render", "Print a card's JSON as Markdown");
            rendered.add_option("CARD", options->input, "card.json, in the BenchmarkCards form")->required();
            rendered.add_flag("--json", options->json, "Print the card as JSON once it has proved to be one");
            const Verb parsed = verb.add_subcommand("parse", "Print a card's Markdown as JSON");
            parsed.add_option("CARD", options->input, "card.md, in the BenchmarkCards form")->required();
            parsed.add_flag("--json", options->json, "What it prints is JSON; only its errors change");
            return [options, made, rendered](Console& console) {
              if (made.parsed()) return make(*options, console);
              return rendered.parsed() ? render(*options, console) : parse(*options, console);
            };
          }};
}

}  // namespace fiducial::cli
