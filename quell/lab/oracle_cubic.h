// What window does RFC 9438 ask for? A reading of its text alone, in segments and seconds, that shares
// nothing with quell/cc: the laboratory holds it against the transport at every ACK.
#pragma once

#include <optional>

namespace quell::lab {

// Names are those of RFC 9438 §4.1.2; windows in segments, times in seconds. The caller says what time it is:
// `t_current` must hold no time in which the sender was application-limited (§4.2, §5.8).
class OracleCubic {
 public:
  // Begins where the text first has an opinion: at a congestion event of a window that grew by other rules.
  explicit OracleCubic(double window) : cwnd_(window) {}

  double cwnd() const { return cwnd_; }

  // §4.6, §4.7: a congestion event. `may_be_spurious`: the values of §4.9.2 are saved.
  void congestion(bool may_be_spurious);
  // The first stage after a congestion event begins (§4.2).
  void begin_stage(double t_current);
  // A new ACK for segments that filled the window (RFC 9002 §7.8), outside recovery.
  void ack(double segments_acked, double t_current, double rtt);
  // §4.8, RFC 9002 §7.6.2.
  void persistent_congestion();
  // §4.9.2: every packet of the last congestion event has arrived.
  void spurious();

 private:
  struct Saved {
    double cwnd, cwnd_prior, ssthresh, w_max, plateau, k, w_est;
    bool has_w_max;
    std::optional<double> t_epoch;
  };
  double w_cubic(double t) const;
  double slow_start(double segments_acked);

  double cwnd_;
  double ssthresh_ = 0;
  double cwnd_prior_ = 0;
  double w_max_ = 0;
  double plateau_ = 0;  // the W_max of the curve in force
  double k_ = 0;
  double w_est_ = 0;
  bool has_w_max_ = false;         // does this stage follow a congestion event, rather than slow start?
  std::optional<double> t_epoch_;  // nothing: the stage has not begun
  std::optional<Saved> saved_;
};

}  // namespace quell::lab
