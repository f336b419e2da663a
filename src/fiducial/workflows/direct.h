#pragma once

#include "fiducial/workflows/workflow.h"

namespace fiducial {

// One question with five options, in the words of a prompt; the reply is a letter and its explanation.
class OneQuestion final : public Dialogue {
 public:
  OneQuestion(const DialogueStart& start, const std::string& prompt);
  CaseAnswer answer() const override;
};

// Adds the letter and the explanation of a reply to the answer of its case.
void add_letter(const Exchange& exchange, CaseAnswer& answer);

}  // namespace fiducial
