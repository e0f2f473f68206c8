import { expect, test } from "vitest";
import { projectPath, repoUrl, webRoot } from "../../src/ports/conversation.ts";

test.each([
  ["https://github.com/a/b.git", "github.com", "a/b"],
  ["https://git.example.org:8443/team/sub/x/", "git.example.org:8443", "team/sub/x"],
  ["ssh://git@example.org:2222/a/b", "example.org:2222", "a/b"],
  ["git@github.com:a/b.git", "github.com", "a/b"],
  ["git@github.com:/a/b", "github.com", "a/b"],
])("%s leads to one project", (location, host, path) => {
  const url = repoUrl(location);
  expect([url?.host, url && projectPath(url)]).toEqual([host, path]);
});

test.each(["", "/srv/a", "http://github.com/a/b", "git://github.com/a", "git@host://a", "a/b", "git@host"])(
  "%j leads nowhere",
  (location) => {
    expect(repoUrl(location)).toBeNull();
  },
);

test.each([
  ["git@git.example.org:team/app.git", "git.example.org/team/app"],
  ["ssh://git@git.example.org:2222/team/app.git", "git.example.org/team/app"],
  ["https://bot@git.example.org:8443/team/app/", "git.example.org:8443/team/app"],
])("the pages of %s are at %s", (location, root) => {
  expect(webRoot(location)).toBe(root);
});

test.each(["/srv/app", "https://git.example.org/", "http://git.example.org/a/b"])(
  "%s has no pages",
  (location) => {
    expect(webRoot(location)).toBeNull();
  },
);
