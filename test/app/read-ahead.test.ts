import { describe, expect, it } from "vitest";
import { createReadsAhead, listedRepos } from "../../src/app/read-ahead.ts";
import { CLOSING, DONE, type Done } from "../../src/ports/host.ts";
import type { RepositoryBinding } from "../../src/ports/conversation.ts";

const binding = (location: string) =>
  ({ repo: { kind: "url", location } as const, by: "slack:U1", at: 1 }) as const;

const world = (outcome: Done = DONE) => {
  const read: string[] = [];
  const ahead = createReadsAhead({ bind: () => Promise.resolve(outcome) });
  const reading = ({ location }: RepositoryBinding): Promise<void> => {
    read.push(location);
    return Promise.resolve();
  };
  return { read, ahead, reading };
};

describe("39.B3 repositories are read before their first thread", () => {
  it("39.B3 those that are listed one by one, and no pattern", () => {
    expect(listedRepos(["acme/shop", "acme/*", "/srv/git/app"]).map(({ location }) => location)).toEqual([
      "/srv/git/app",
      "https://github.com/acme/shop.git",
    ]);
  });

  it("39.B3 the listed ones at the start, a bound one when it is bound", async () => {
    const { read, ahead, reading } = world();
    ahead.start(listedRepos(["acme/shop"]), reading);
    expect(await ahead.chat.bind("slack", "C1", binding("https://github.com/acme/web.git"))).toEqual(DONE);
    await ahead.close();
    expect(read).toEqual(["https://github.com/acme/shop.git", "https://github.com/acme/web.git"]);
  });

  it("39.B3 none if the binding was not stored, and none after the end", async () => {
    const { read, ahead, reading } = world(CLOSING);
    ahead.start([], reading);
    expect(await ahead.chat.bind("slack", "C1", binding("https://github.com/acme/web.git"))).toBe(CLOSING);
    await ahead.close();
    expect(read).toEqual([]);
    const other = world();
    await other.ahead.close();
    other.ahead.start(listedRepos(["acme/shop"]), other.reading);
    await other.ahead.close();
    expect(other.read).toEqual([]);
  });
});
