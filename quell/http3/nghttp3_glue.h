// How do our values become nghttp3's and back?
#pragma once

#include <nghttp3/nghttp3.h>

#include <memory>
#include <string_view>
#include <vector>

#include "quell/http3/error_code.h"
#include "quell/http3/fields.h"

namespace quell::http3 {

struct ConnectionDeleter {
  void operator()(nghttp3_conn* connection) const { nghttp3_conn_del(connection); }
};
using ConnectionPtr = std::unique_ptr<nghttp3_conn, ConnectionDeleter>;

// Views into `fields`, for one call of nghttp3, which copies.
std::vector<nghttp3_nv> to_name_values(const Fields& fields);
Field to_field(nghttp3_rcbuf* name, nghttp3_rcbuf* value);

// The code with which RFC 9114 §8 wants a connection to end for nghttp3's error.
ErrorCode to_error_code(int library_error);
// Errors of one message, which end its stream and not the connection (RFC 9114 §4.1.2).
bool is_message_error(int library_error);

}  // namespace quell::http3
