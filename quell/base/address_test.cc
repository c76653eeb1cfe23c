#include "quell/base/address.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace quell {
namespace {

TEST(Address, ParsesAndPrintsIpv4) {
  const auto address = Address::parse("127.0.0.1:443");
  ASSERT_TRUE(address);
  EXPECT_EQ(*address, Address::v4({127, 0, 0, 1}, 443));
  EXPECT_EQ(address->family(), Address::Family::v4);
  EXPECT_EQ(address->ip().size(), 4U);
  EXPECT_EQ(address->to_string(), "127.0.0.1:443");
}

TEST(Address, ParsesAndPrintsIpv6) {
  const auto address = Address::parse("[2001:db8::1]:8443");
  ASSERT_TRUE(address);
  EXPECT_TRUE(address->is_v6());
  EXPECT_EQ(address->port(), 8443);
  EXPECT_EQ(address->ip().size(), 16U);
  EXPECT_EQ(address->ip()[0], 0x20);
  EXPECT_EQ(address->ip()[15], 0x01);
  EXPECT_EQ(address->to_string(), "[2001:db8::1]:8443");
}

TEST(Address, ParsesNothingElse) {
  for (const char* text : {"", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
                           "127.0.0.1:4 4", "127.0.0.256:1", "localhost:443", "::1:443", "[::1]", "[::1:443",
                           "[]:1", "[127.0.0.1]:1", "1.2.3:80"}) {
    EXPECT_FALSE(Address::parse(text)) << text;
  }
}

TEST(Address, IsNoAddressUntilItIsGivenOne) {
  EXPECT_EQ(Address{}.family(), Address::Family::none);
  EXPECT_NE(Address{}, Address::v4({0, 0, 0, 0}, 0));
  EXPECT_EQ(Address{}.to_string(), "(no address)");
}

TEST(Address, ChangesOnlyItsPort) {
  EXPECT_EQ(Address::v4({1, 2, 3, 4}, 5).with_port(6), Address::v4({1, 2, 3, 4}, 6));
}

TEST(Address, TellsFamiliesApartThatShareTheirBytes) {
  EXPECT_NE(Address::v4({1, 2, 3, 4}, 5), Address::v6({1, 2, 3, 4}, 5));
}

RC_GTEST_PROP(AddressProperty, ParsesWhatItPrints, (std::array<std::uint8_t, 16> ip, std::uint16_t port)) {
  const Address v6 = Address::v6(ip, port);
  RC_ASSERT(Address::parse(v6.to_string()) == v6);
  const Address v4 = Address::v4({ip[0], ip[1], ip[2], ip[3]}, port);
  RC_ASSERT(Address::parse(v4.to_string()) == v4);
}

}  // namespace
}  // namespace quell
