/*
 * Which network addresses a plan may make this machine connect to. A plan, or data in it, must not reach what only this
 * machine can reach: its own services, its network, the metadata service of its cloud.
 */
import { BlockList, isIP } from "node:net";

const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, "ipv4");
}

/** Of IPv6 only global unicast is public, without documentation and the ranges that carry IPv4 addresses inside. */
const PUBLIC_6 = new BlockList();
PUBLIC_6.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, "ipv6");
}

/** Metadata services of clouds hand out credentials; these addresses have to be allowed by name, one by one. */
const METADATA = new BlockList();
METADATA.addAddress("169.254.169.254", "ipv4");
METADATA.addAddress("169.254.170.2", "ipv4");
METADATA.addAddress("169.254.170.23", "ipv4");
METADATA.addAddress("168.63.129.16", "ipv4");
METADATA.addAddress("100.100.100.200", "ipv4");
METADATA.addAddress("192.0.0.192", "ipv4");
METADATA.addAddress("fd00:ec2::254", "ipv6");
METADATA.addAddress("fd00:ec2::23", "ipv6");
METADATA.addAddress("fd20:ce::254", "ipv6");

export type AddressKind = "public" | "private" | "metadata";

/** `address` is what DNS gave, or an address that stands in a URL without its brackets. */
export function kindOfAddress(address: string): AddressKind {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (METADATA.check(address, family)) return "metadata";
  if (NOT_PUBLIC.check(address, family)) return "private";
  if (family === "ipv6") return PUBLIC_6.check(address, "ipv6") ? "public" : "private";
  return isIP(address) === 4 ? "public" : "private";
}
