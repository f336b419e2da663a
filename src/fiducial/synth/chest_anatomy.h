#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/synth/chest_shapes.h"
#include "fiducial/synth/organ_labels.h"

namespace fiducial {

// A vessel, airway or bone that is a chain of tubes.
struct TubeOrgan {
  Tube tube;
  Organ organ = Organ::none;
  std::int16_t hu = 0;
  double wall_mm = 0;  // soft tissue around it, outside the radius
};

// What was injected before the scan, and how far it has come.
enum class Contrast { none, arterial, venous };

// What differs from patient to patient, and the solids that follow from it.
struct ChestAnatomy {
  Vec3 body_scale{1, 1, 1};
  double scoliosis_mm = 0;             // how far the chest bends to the left at its middle
  bool shallow_breath = false;         // domes stand high and the lungs are dense
  Organ resected = Organ::none;        // an upper lobe that a surgeon took; its neighbour fills the room
  Contrast contrast = Contrast::none;  // follows the scan, not the patient
  double fat_mm = 10;
  bool breasts = false;
  double dome_right_z = 78;
  double dome_left_z = 68;
  double oblique_right_z = 118;
  double oblique_left_z = 124;
  double minor_z = 132;
  double rib_phase_mm = 0;
  Ellipsoid heart;
  std::vector<TubeOrgan> tubes;

  // Outlines at a height.
  Oval body(double z) const;
  Oval pleura(double z) const;    // inner wall of the chest; the lungs end here
  Oval rib_cage(double z) const;  // inner surface of the ribs

  // Height of the diaphragm over a point.
  double diaphragm_z(double x, double y) const;
  // How far the mediastinum reaches from the midline.
  double mediastinum_half_width(double y, double z) const;
  // The lobe of a point known to lie in a lung, and the distance to the nearest fissure.
  Organ lobe(const Vec3& p) const;
  Organ upper_lobe(bool left) const;
  double fissure_distance(const Vec3& p) const;
};

ChestAnatomy make_chest_anatomy(Random& random);

// Attenuation of blood: in great vessels and heart it follows the contrast.
std::int16_t blood_hu(Contrast contrast, Organ vessel);

// Where the vessels and bronchi enter a lung.
Vec3 hilum(bool left);

}  // namespace fiducial
