import fc from "fast-check";
import { expect, test } from "vitest";
import { readSource } from "../../../src/workspace/mirror/source.ts";

const url = (location: string) => readSource({ kind: "url", location });
const path = (location: string) => readSource({ kind: "path", location });

test.each([
  ["https://github.com/a/b", "https://github.com/a/b", "github.com/a/b"],
  ["https://GitHub.com/a/b.git/", "https://github.com/a/b.git", "github.com/a/b"],
  [
    "https://git.example.org:8443/team/x.git",
    "https://git.example.org:8443/team/x.git",
    "git.example.org:8443/team/x",
  ],
  ["https://example.org/~ada/x", "https://example.org/~ada/x", "example.org/~ada/x"],
  ["ssh://git@Example.org/a/b", "ssh://git@example.org/a/b", "example.org/a/b"],
  ["ssh://example.org:2222/a/b", "ssh://example.org:2222/a/b", "example.org:2222/a/b"],
  ["git@github.com:a/b.git", "ssh://git@github.com/a/b.git", "github.com/a/b"],
  ["git@github.com:/a/b", "ssh://git@github.com/a/b", "github.com/a/b"],
  ["https://[2001:db8::1]/a/b", "https://[2001:db8::1]/a/b", "[2001:db8::1]/a/b"],
])("%s is taken as one address", (location, address, name) => {
  expect(url(location)).toMatchObject({ kind: "source", source: { url: address, name } });
});

test.each([
  "",
  "-oProxyCommand=touch",
  "--upload-pack=touch x",
  "ssh://-oProxyCommand=x/a",
  "ssh://-u@host/a",
  "-u@host:a",
  "git@-host:a",
  "git@host:-a",
  "ssh://host/-a",
  "http://github.com/a/b",
  "git://github.com/a/b",
  "file:///etc",
  "ext::sh -c touch% /tmp/x",
  "ext::sh",
  "/etc",
  "../x",
  "a/b",
  "C:/x",
  "https://token@github.com/a/b",
  "https://user:secret@github.com/a/b",
  "ssh://git:secret@github.com/a/b",
  "https://github.com/a/b?access_token=x",
  "https://github.com/a/b#x",
  "https://github.com",
  "https://github.com/",
  "https://github.com/a/%2e%2e/b c",
  "https://github.com/a\n/b",
  "https://github.com/a\u0000b",
  "https://github.com/a'b",
  'https://github.com/a"b',
  "https://github.com/a\\b",
  "https:///a/b",
  "ssh://%2doProxyCommand=x/a",
  `https://github.com/${"a".repeat(2000)}`,
])("%j is refused", (location) => {
  expect(url(location)).toMatchObject({ kind: "refused" });
});

test("an accepted address stands for itself, holds no secret and cannot be read as an option", () => {
  const part = fc.stringMatching(/^[A-Za-z0-9._~%@:/+-]{0,12}$/);
  const any = fc.oneof(
    fc
      .tuple(fc.constantFrom("https://", "ssh://", "git@", ""), part, fc.constantFrom("/", ":"), part)
      .map((p) => p.join("")),
    fc.webUrl(),
    fc.string(),
  );
  fc.assert(
    fc.property(any, (location) => {
      const first = url(location);
      if (first.kind === "refused" || first.source.kind === "path") return;
      expect(first.source.url).toMatch(/^(https|ssh):\/\/[^-\s]\S*$/);
      const { username, password } = new URL(first.source.url);
      expect([password, first.source.transport === "https" ? username : ""]).toEqual(["", ""]);
      expect(url(first.source.url)).toEqual(first);
    }),
    { numRuns: 500, examples: [["ssh://@@a/_"], ["https://a.aa/@"]] },
  );
});

test("a path is absolute and named plainly", () => {
  expect(path("/srv/a/../b/")).toEqual({
    kind: "source",
    source: { kind: "path", path: "/srv/b", name: "/srv/b" },
  });
  expect(path("srv/b")).toMatchObject({ kind: "refused" });
  expect(path("/srv/b\nc")).toMatchObject({ kind: "refused" });
  expect(path("")).toMatchObject({ kind: "refused" });
});
