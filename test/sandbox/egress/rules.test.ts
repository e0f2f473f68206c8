/** Destinations as clients name them, and what the operator's list makes of them. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddress } from "../../../sandbox/egress/address.ts";
import { addressFault, readRules, type Rules, targetFault } from "../../../sandbox/egress/rules.ts";
import { targetNameOf, readAuthority, readHost, type EgressTarget } from "../../../sandbox/egress/target.ts";

const target = (text: string): EgressTarget => {
  const read = readAuthority(text, null);
  if (read === null) throw new Error(`${text} is no destination`);
  return read;
};

const rules = (...allow: readonly string[]): Rules => {
  const read = readRules(allow);
  if (read.kind === "invalid") throw new Error(read.problems.join());
  return read.rules;
};
const anything: Rules = { names: null, networks: [] };

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/);
const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
const port = fc.integer({ min: 1, max: 65_535 });

describe("a destination", () => {
  it("is read back as it is told, whatever its case and with one final dot", () => {
    fc.assert(
      fc.property(domain, port, (name, at) => {
        expect(targetNameOf(target(`${name.toUpperCase()}.:${at}`))).toBe(`${name}:${at}`);
        expect(targetNameOf(target(targetNameOf(target(`${name}:${at}`))))).toBe(`${name}:${at}`);
      }),
      { numRuns: 300 },
    );
    expect(targetNameOf(target("[2606:4700::1]:443"))).toBe("[2606:4700::1]:443");
    expect(targetNameOf(target("1.2.3.4:80"))).toBe("1.2.3.4:80");
    expect(targetNameOf(target("bücher.example:443"))).toBe("xn--bcher-kva.example:443");
  });

  it("is refused in every form that another reader could take for another host", () => {
    const numbers =
      "127.1:80 0177.0.0.1:80 0x7f000001:80 2130706433:80 017700000001:80 0x7f.1:80 1.2.3:80 a.0x7f:80 a.1:80";
    const broken =
      "a: a:0 a:65536 a:-1 a:+80 a:8o a:80:80 :80 ..:80 a..b:80 .a:80 a_.b-:80 -a.b:80 [1.2.3.4]:80 [::1%lo]:80 ::1:80 [::1] [a]:80 a@b:80 a/b:80 a%00b:80 a\\b:80 *.a:80";
    const hidden = [
      "a b:80",
      "a\t:80",
      "a\0.b:80",
      "a\r\nb:80",
      "a\u00a0b:80",
      "a\u2028:80",
      "１２７.０.０.１:80",
      "①②⑦.⓪.⓪.①:80",
      "a\u3002\u3002b:80",
      `${"a".repeat(64)}:80`,
      `${"a.".repeat(127)}aa:80`,
    ];
    for (const text of [...numbers.split(" "), ...broken.split(" "), ...hidden])
      expect([text, readAuthority(text, null)]).toEqual([text, null]);
    for (const text of ["example.org:80", "a_b.example:80", "a1.b2:80", "xn--bcher-kva.example:80"])
      expect(readAuthority(text, null)?.host.kind).toBe("name");
  });

  it("no text makes the reader throw, and every name it gives is plain", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const host = readHost(text);
        if (host?.kind === "name") expect(host.name).toMatch(/^[a-z0-9_.-]+$/);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the operator's list", () => {
  it("unset opens any name at the usual ports; empty opens none", () => {
    fc.assert(
      fc.property(domain, port, (name, at) => {
        fc.pre(name !== "localhost" && name !== "metadata");
        const asked = target(`${name}:${at}`);
        expect(targetFault(anything, null, asked) === null).toBe([22, 80, 443].includes(at));
        expect(targetFault(rules(), null, asked)).toMatch(/PARLEY_EGRESS/);
      }),
      { numRuns: 300 },
    );
  });

  it("a name opens itself, *.name what is below it, * everything, each at its ports", () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ["example.org", "example.org:443", true],
      ["Example.ORG.", "EXAMPLE.org.:443", true],
      ["example.org", "a.example.org:443", false],
      ["example.org", "badexample.org:443", false],
      ["example.org", "example.org.evil.net:443", false],
      ["example.org", "example.org:8080", false],
      ["example.org:8080", "example.org:8080", true],
      ["example.org:8080", "example.org:443", false],
      ["*.example.org", "a.b.example.org:22", true],
      ["*.example.org", "example.org:443", false],
      ["*.example.org", "aexample.org:443", false],
      ["*", "anything.example:80", true],
      ["*", "8.8.8.8:80", true],
      ["*:9418", "anything.example:9418", true],
      ["8.8.8.8", "8.8.8.8:443", true],
      ["8.8.8.8", "8.8.4.4:443", false],
      ["8.8.0.0/16", "8.8.4.4:443", true],
      ["[2606:4700::/32]:8443", "[2606:4700::1]:8443", true],
      ["2606:4700::1", "[2606:4700::1]:443", true],
    ];
    for (const [entry, asked, open] of cases)
      expect([entry, asked, targetFault(rules(entry), null, target(asked)) === null]).toEqual([
        entry,
        asked,
        open,
      ]);
  });

  it("entries that are none are all told, by their place and not by what may be a secret", () => {
    const bad = ["http://a", "a b", "*.", "a:0", "a:99999", "10.0.0.0/40", "[a]:80", "**.a", "a,b", "127.1"];
    const read = readRules(["good.example", ...bad]);
    expect(read.kind).toBe("invalid");
    if (read.kind === "invalid")
      expect(read.problems.map((text) => text.split(" is not ")[0])).toEqual(
        bad.map((_, i) => `entry ${i + 2}`),
      );
  });

  it("the list of one command stands in for the operator's, to the port", () => {
    const only = ["forge.example:8443"];
    expect(targetFault(rules(), only, target("forge.example:8443"))).toBeNull();
    for (const asked of ["forge.example:443", "a.forge.example:8443", "other.example:8443"])
      expect(targetFault(anything, only, target(asked))).toBe(
        "this command may reach only forge.example:8443",
      );
    expect(targetFault(anything, ["localhost:443"], target("localhost:443"))).toMatch(/machine itself/);
  });

  it("names of the machine and its cloud are not looked up", () => {
    for (const name of [
      "localhost",
      "a.localhost",
      "metadata.google.internal",
      "metadata",
      "localhost.localdomain",
    ])
      expect(targetFault(anything, null, target(`${name}:80`))).toMatch(/machine itself/);
    expect(targetFault(anything, null, target("mylocalhost.example:80"))).toBeNull();
  });
});

describe("an address behind a name", () => {
  it("is open when public; private only where an entry names it; never when closed", () => {
    expect(fault(anything, "1.1.1.1")).toBeNull();
    expect(fault(anything, "10.1.1.1")).toMatch(/private address.*PARLEY_EGRESS/);
    expect(fault(rules("git.corp.example"), "10.1.1.1")).toMatch(/private address/);
    expect(fault(rules("git.corp.example", "10.1.0.0/16"), "10.1.1.1")).toBeNull();
    expect(fault(rules("10.1.0.0/16"), "::ffff:10.1.1.1")).toBeNull();
    expect(fault(rules("10.1.0.0/16:8080"), "10.1.1.1")).toMatch(/private address/);
    expect(fault(rules("10.1.0.0/16:8080"), "10.1.1.1", 8080)).toBeNull();
    for (const text of ["127.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254", "0.0.0.0"])
      expect([text, fault(rules("0.0.0.0/0", "::/0", "*"), text)]).toEqual([
        text,
        expect.stringMatching(/no setting/),
      ]);
  });

  it("of the host itself is closed although it is public, unless it is named", () => {
    expect(fault(anything, "1.1.1.1", 443, ["1.1.1.1"])).toMatch(/Parley's own host/);
    expect(fault(anything, "::ffff:1.1.1.1", 443, ["1.1.1.1"])).toMatch(/Parley's own host/);
    expect(fault(rules("1.1.1.1"), "1.1.1.1", 443, ["1.1.1.1"])).toBeNull();
    expect(fault(anything, "1.1.1.2", 443, ["1.1.1.1"])).toBeNull();
  });
});

const fault = (allowed: Rules, text: string, at = 443, own: readonly string[] = []): string | null =>
  addressFault(
    allowed,
    null,
    parseAddress(text) ?? [],
    at,
    own.map((each) => ({ address: parseAddress(each) ?? [], bits: 32 })),
  );
