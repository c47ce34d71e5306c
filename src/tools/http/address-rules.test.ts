import { expect, test } from "vitest";
import { kindOfAddress } from "./address-rules.ts";
import { AllowedHosts } from "./allowed-hosts.ts";

test.each([
  ["93.184.216.34", "public"],
  ["8.8.8.8", "public"],
  ["172.15.255.255", "public"],
  ["172.32.0.1", "public"],
  ["2606:4700::1111", "public"],
  ["2001:4860:4860::8888", "public"],
  ["127.0.0.1", "private"],
  ["127.255.255.254", "private"],
  ["0.0.0.0", "private"],
  ["10.1.2.3", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["100.64.0.1", "private"],
  ["169.254.1.1", "private"],
  ["198.18.0.1", "private"],
  ["224.0.0.1", "private"],
  ["255.255.255.255", "private"],
  ["::1", "private"],
  ["::", "private"],
  ["fe80::1", "private"],
  ["fc00::1", "private"],
  ["fd12:3456::1", "private"],
  ["ff02::1", "private"],
  ["::ffff:127.0.0.1", "private"],
  ["::ffff:7f00:1", "private"],
  ["::ffff:8.8.8.8", "private"],
  ["64:ff9b::7f00:1", "private"],
  ["2002:7f00:1::", "private"],
  ["2001:0:7f00:1::", "private"],
  ["2001:db8::1", "private"],
  ["169.254.169.254", "metadata"],
  ["::ffff:169.254.169.254", "metadata"],
  ["168.63.129.16", "metadata"],
  ["100.100.100.200", "metadata"],
  ["fd00:ec2::254", "metadata"],
  ["not an address", "private"],
])("%s is %s", (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind);
});

test("hosts match as a whole, with their ports, whatever their spelling", () => {
  const hosts = new AllowedHosts([
    "API.example.com",
    "local.test:8080",
    "*.wild.example",
    "127.0.0.1",
    "[::1]:9000",
    "bücher.example",
  ]);
  const allows = (url: string): boolean => hosts.allows(new URL(url));
  expect(allows("https://api.example.com/x")).toBe(true);
  expect(allows("http://api.example.com.:8443/x")).toBe(true);
  expect(allows("https://api.example.com.evil.test/")).toBe(false);
  expect(allows("https://evil-api.example.com/")).toBe(false);
  expect(allows("https://example.com/")).toBe(false);
  expect(allows("http://local.test:8080/")).toBe(true);
  expect(allows("http://local.test/")).toBe(false);
  expect(allows("https://a.b.wild.example/")).toBe(true);
  expect(allows("https://wild.example/")).toBe(false);
  expect(allows("https://notwild.example/")).toBe(false);
  expect(allows("http://0x7f.1/")).toBe(true);
  expect(allows("http://2130706433:1234/")).toBe(true);
  expect(allows("http://127.0.0.2/")).toBe(false);
  expect(allows("http://[::1]:9000/")).toBe(true);
  expect(allows("http://[::1]/")).toBe(false);
  expect(allows("https://xn--bcher-kva.example/")).toBe(true);
  expect(new AllowedHosts(["*"]).allows(new URL("http://anything.test/"))).toBe(true);
  expect(new AllowedHosts([]).allows(new URL("http://anything.test/"))).toBe(false);
  expect(new AllowedHosts(["x.test:80"]).allows(new URL("http://x.test/"))).toBe(true);
  expect(new AllowedHosts(["x.test:443"]).allows(new URL("https://x.test/"))).toBe(true);
});

test.each(["https://api.example.com", "api.example.com/path", "user@host", "", "a b", "*.*.com", "x*y.com"])(
  "%j is no host",
  (entry) => {
    expect(() => new AllowedHosts([entry])).toThrow("is not a host");
  },
);
