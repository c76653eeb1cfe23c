// What do two ends of HTTP say to each other? A request and its response, without their framing.
#pragma once

#include <cstdint>
#include <string>

#include "quell/http3/body.h"
#include "quell/http3/fields.h"

namespace quell::http3 {

struct Request {
  std::string method = "GET";
  std::string scheme = "https";
  std::string authority;  // host, and port unless it is the scheme's own
  std::string path = "/";
  Fields fields;
  BodyPtr body;  // null: none
};

struct Response {
  std::uint32_t status = 200;
  Fields fields;
  BodyPtr body;  // null: none
};

}  // namespace quell::http3
