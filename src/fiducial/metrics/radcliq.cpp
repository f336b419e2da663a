#include "fiducial/metrics/radcliq.h"

namespace fiducial {

namespace {

// A linear model of standardised components.
struct Model {
  double intercept = 0;
  std::array<double, 4> coefficients{};
  std::array<double, 4> means{};
  std::array<double, 4> scales{};
};

constexpr Model version_0{
    1.641666666666666,
    {-0.4796252644863446, -0.6762170542369337, -0.46366575161751994, 0.2165861905287535},
    {0.5398376019082272, 0.6312549595, 0.7716797866672277, 0.4607372064809605},
    {0.3018344440559102, 0.22466950746141123, 0.24750333805236252, 0.30336670936092264}};

constexpr Model version_1{2.46655256e-10,
                          {-0.37708368261038905, -0.37030009974480316, -0.25261621789593225, 4.31504841e-12},
                          {0.5379231241355762, 0.6175725628125001, 0.7647942121140658, 0.44738335396242174},
                          {0.3028258411486429, 0.22430938459304575, 0.2539439110169773, 0.2989271671041838}};

double value_of(const Model& model, const RadcliqComponents& of) {
  const std::array<double, 4> values{of.radgraph, of.bertscore, of.semb, of.bleu2};
  double out = model.intercept;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out += model.coefficients[i] * (values[i] - model.means[i]) / model.scales[i];
  }
  return out;
}

}  // namespace

double radcliq_v0(const RadcliqComponents& of) { return value_of(version_0, of); }
double radcliq_v1(const RadcliqComponents& of) { return value_of(version_1, of); }

}  // namespace fiducial
