/** Which addresses count as public: laws over generated addresses, and the registries by example. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type IpAddress,
  isWithin,
  parseAddress,
  parseNetwork,
  placeOf,
} from "../../../sandbox/egress/address.ts";

const kindOf = (text: string): string => {
  const address = parseAddress(text);
  return address === null ? "none" : placeOf(address).kind;
};

const v4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const v6 = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
const textOf6 = (words: readonly number[]): string => words.map((word) => word.toString(16)).join(":");
const hex = (high: number, low: number): string => (high * 256 + low).toString(16);

describe("an address", () => {
  it("is read to the bytes it was written from, in each of IPv6's forms", () => {
    fc.assert(
      fc.property(v4, v6, (four, words) => {
        expect(parseAddress(four.join("."))).toEqual(four);
        const bytes = words.flatMap((word) => [word >> 8, word & 255]);
        expect(parseAddress(textOf6(words))).toEqual(bytes);
        expect(parseAddress(textOf6(words).toUpperCase())).toEqual(bytes);
        const head = textOf6(words.slice(0, 6));
        expect(parseAddress(`${head}:${four.join(".")}`)).toEqual([...bytes.slice(0, 12), ...four]);
        const [first = 0, last = 0] = words;
        const gap = [first >> 8, first & 255, ...Array<number>(12).fill(0), last >> 8, last & 255];
        expect(parseAddress(`${first.toString(16)}::${last.toString(16)}`)).toEqual(gap);
      }),
      { numRuns: 300 },
    );
  });

  it("is nothing else than one plain form", () => {
    const odd = [
      "",
      "1",
      "127.1",
      "0177.0.0.1",
      "127.000.000.001",
      "0x7f.0.0.1",
      "2130706433",
      "1.2.3.4.5",
      "1.2.3.256",
      " 1.2.3.4",
      "1.2.3.4 ",
      "fe80::1%eth0",
      "fe80::1%25eth0",
      "[::1]",
      "::1::",
      "12345::",
      "１２７.0.0.1",
    ];
    for (const text of odd) expect([text, parseAddress(text)]).toEqual([text, null]);
  });
});

describe("a network", () => {
  it("holds exactly the addresses that share its leading bits", () => {
    const address = fc.oneof(v4, fc.array(fc.nat(255), { minLength: 16, maxLength: 16 }));
    fc.assert(
      fc.property(address, fc.nat(), fc.nat(), (bytes, size, flipped) => {
        const width = bytes.length * 8;
        const bits = size % (width + 1);
        const at = flipped % width;
        const other: IpAddress = bytes.map((byte, i) => (i === at >> 3 ? byte ^ (128 >> (at & 7)) : byte));
        expect(isWithin(bytes, { address: bytes, bits })).toBe(true);
        expect(isWithin(other, { address: bytes, bits })).toBe(at >= bits);
      }),
      { numRuns: 500 },
    );
    for (const text of [
      "10.0.0.0/33",
      "10.0.0.0/",
      "10.0.0/8",
      "10.0.0.0/8/8",
      "::/129",
      "10.0.0.0/-1",
      "x/8",
    ])
      expect([text, parseNetwork(text)]).toEqual([text, null]);
  });
});

describe("the place of an address", () => {
  it("is closed for what is the machine's own, the cloud's, or for nobody in particular", () => {
    const closed = [
      "0.0.0.0 0.1.2.3 127.0.0.1 127.255.255.255 169.254.169.254 169.254.0.1 100.100.100.200 168.63.129.16",
      "192.0.0.1 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 239.255.255.250",
      "240.0.0.1 255.255.255.255 :: ::1 fe80::1 febf::1 fec0::1 ff02::1 fd00:ec2::254 fd20:ce::254 2001:db8::1",
      "2001::1 2001:10::1 64:ff9b:1::1 100::1 3fff::1 5f00::1 4000::1 fe00::1 ::2:0:0:0:1",
    ];
    for (const text of closed.join(" ").split(" ")) expect([text, kindOf(text)]).toEqual([text, "closed"]);
  });

  it("is private for inner networks", () => {
    for (const text of "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255 fc00::1 fd12::1".split(
      " ",
    ))
      expect([text, kindOf(text)]).toEqual([text, "private"]);
  });

  it("is public for the rest, up to the borders", () => {
    const open =
      "1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255";
    const more =
      "172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 223.255.255.255 2606:4700::1111 2a00::1";
    for (const text of `${open} ${more}`.split(" ")) expect([text, kindOf(text)]).toEqual([text, "public"]);
  });

  it("of an IPv4 address is the same in every IPv6 dress", () => {
    fc.assert(
      fc.property(v4, ([a, b, c, d]) => {
        const plain = kindOf(`${a}.${b}.${c}.${d}`);
        const tail = `${hex(a, b)}:${hex(c, d)}`;
        for (const dress of [`::ffff:${tail}`, `::ffff:0:${tail}`, `64:ff9b::${tail}`, `2002:${tail}::1`])
          expect([dress, kindOf(dress)]).toEqual([dress, plain]);
      }),
      { numRuns: 500 },
    );
    expect(kindOf("::ffff:169.254.169.254")).toBe("closed");
    expect(kindOf("64:ff9b::7f00:1")).toBe("closed");
    expect(kindOf("2002:a00:1::1")).toBe("private");
    expect(kindOf("::127.0.0.1")).toBe("closed");
  });
});
