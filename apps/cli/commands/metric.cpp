#include <string>

#include "command.h"
#include "metric_detections.h"
#include "metric_mask.h"
#include "metric_organs.h"
#include "metric_text.h"

namespace fiducial::cli {

Command metric_command() {
  return {.name = "metric",
          .summary = "Compute every metric for two files",
          .example = "fiducial metric mask --reference truth.nii.gz --prediction mask.nii.gz",
          .define = [](Verb verb) -> CommandBody {
            verb.require_subcommand();
            const Verb mask =
                verb.add_subcommand("mask", "Compare two masks, label maps or stacks of findings");
            const Verb text = verb.add_subcommand("text", "Compare two files of texts, one text per line");
            text.footer("Example:\n  fiducial metric text --reference truth.txt --prediction said.txt");
            const Verb organs =
                verb.add_subcommand("organs", "Compare organ masks of many volumes, structure by structure");
            mask.footer("Example:\n  fiducial metric mask --reference truth.nii.gz --prediction mask.nii.gz");
            organs.footer("Example:\n  fiducial metric organs --reference organs/ --prediction predicted/");
            const Verb detections = verb.add_subcommand(
                "detections", "Score detections that say how sure they are: FROC and average precision");
            detections.footer(
                "Example:\n  fiducial metric detections --lesions lesions.csv --detections found.csv");
            const CommandBody score_detections = define_metric_detections(detections);
            const CommandBody compare_masks = define_metric_mask(mask);
            const CommandBody compare_texts = define_metric_text(text);
            const CommandBody compare_organs = define_metric_organs(organs);
            return [=](Console& console) {
              if (detections.parsed()) return score_detections(console);
              if (organs.parsed()) return compare_organs(console);
              return mask.parsed() ? compare_masks(console) : compare_texts(console);
            };
          }};
}

}  // namespace fiducial::cli
