// How is the suite's mutation score told, to people and to programs?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "quell/lab/specimens.h"

namespace quell::lab {
namespace {

constexpr const char* kRow = "{:<28} {:<44} {:<28} {:>7}  {}\n";

nlohmann::ordered_json json_of(const Trial& t) {
  return {{"scenario", t.scenario}, {"seeds", t.seeds},   {"failed", t.failed},
          {"missed", t.missed},     {"reason", t.reason}, {"objection", t.objection}};
}

SpecimenResult result_of(const nlohmann::json& json) {
  SpecimenResult result{
      .name = json.at("name"), .when = json.at("when"), .trials = {}, .is_promised = json.at("promised")};
  for (const auto& t : json.at("trials")) {
    result.trials.push_back({.scenario = t.at("scenario"),
                             .seeds = t.at("seeds"),
                             .failed = t.at("failed"),
                             .missed = t.at("missed"),
                             .reason = t.at("reason"),
                             .objection = t.at("objection")});
  }
  return result;
}

std::string rows_of(const SpecimenResult& result) {
  if (!result.is_promised && result.trials.empty())
    return fmt::format(kRow, result.name, result.when, "-", "-", "ESCAPED: no scenario promises to catch it");
  std::string text;
  for (const Trial& t : result.trials) {
    const bool is_first = text.empty();
    text += fmt::format(
        kRow, is_first ? result.name : "", is_first ? result.when : "", t.scenario,
        fmt::format("{}/{}", t.failed, t.seeds),
        t.objection.empty() ? fmt::format("{}", fmt::join(t.missed, ", ")) : "ESCAPED: " + t.objection);
  }
  return text;
}

}  // namespace

std::string specimens_table(const std::vector<SpecimenResult>& results) {
  std::string text = fmt::format(kRow, "specimen", "when", "caught by", "failed", "what was missed");
  for (const SpecimenResult& result : results) text += rows_of(result);
  const auto caught = std::ranges::count_if(results, &SpecimenResult::is_caught);
  return text + fmt::format("\n{} of {} specimens caught\n", caught, results.size());
}

std::string specimens_json(const std::vector<SpecimenResult>& results) {
  nlohmann::ordered_json root = {{"caught", std::ranges::count_if(results, &SpecimenResult::is_caught)},
                                 {"of", results.size()}};
  root["specimens"] = nlohmann::ordered_json::array();
  for (const SpecimenResult& result : results) {
    nlohmann::ordered_json row = {{"name", result.name},
                                  {"when", result.when},
                                  {"caught", result.is_caught()},
                                  {"promised", result.is_promised}};
    row["trials"] = nlohmann::ordered_json::array();
    for (const Trial& trial : result.trials) row["trials"].push_back(json_of(trial));
    root["specimens"].push_back(std::move(row));
  }
  return root.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::expected<std::vector<SpecimenResult>, std::string> read_specimens_json(std::string_view text) {
  try {
    std::vector<SpecimenResult> results;
    const auto root = nlohmann::json::parse(text);
    for (const auto& row : root.at("specimens")) results.push_back(result_of(row));
    return results;
  } catch (const nlohmann::json::exception& error) {
    return std::unexpected(std::string{error.what()});
  }
}

}  // namespace quell::lab
