/** What the repositories of a channel are called: told apart, as people chose them, and read back as they are shown. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type RepositoryBinding,
  boundTo,
  MOST_REPOS,
  type Repo,
  severalOf,
} from "../../../src/ports/conversation.ts";
import { folderOf, isFolder, listText, namedIn } from "../../../src/runtime/channels/folder-names.ts";
import { chatCommands } from "../../../src/app/commands.ts";
import { createRepos } from "../../../src/runtime/channels/repos.ts";
import {
  changedRepos,
  onlyNamed,
  readRepositoryList,
  reposText,
  withoutRepo,
  withRepo,
} from "../../../src/runtime/channels/channel-repositories.ts";
import { english } from "../../../src/i18n/say.ts";

const at = (name: string): Repo => ({ kind: "url", location: `https://github.com/${name}.git` });
const repos = createRepos(["acme/*", "other/*", "/srv/shop"]);

const bound = (...typed: readonly string[]): RepositoryBinding => {
  const read = readRepositoryList(repos, typed.join(", "));
  if (read.kind === "refused") throw new Error(read.why(english));
  return read.bound;
};

const why = (changed: ReturnType<typeof withRepo>): string =>
  changed.kind === "refused" ? changed.why(english) : JSON.stringify(changed.bound);

describe("repositories of a channel", () => {
  it("one alone is stored as ever, and again when the others are taken away", () => {
    expect(bound("acme/shop")).toEqual(at("acme/shop"));
    const two = bound("acme/shop", "acme/api");
    expect(two).toEqual({ ...at("acme/shop"), name: "shop", beside: [{ ...at("acme/api"), name: "api" }] });
    expect(withoutRepo(two, "api")).toEqual({ kind: "bound", bound: at("acme/shop") });
    expect(withoutRepo(two, "Shop")).toEqual({ kind: "bound", bound: at("acme/api") });
  });

  it("two of one name: the second is refused with names to choose from, and taken under each of them", () => {
    const told = why(withRepo(bound("acme/shop"), at("other/shop"), null));
    expect(told).toContain("`repo add other/shop as shop-2` or `repo add other/shop as other-shop`");
    for (const [, name = ""] of told.matchAll(/as ([\w-]+)`/g)) {
      const taken = withRepo(bound("acme/shop"), at("other/shop"), name);
      expect(taken.kind === "bound" && severalOf(taken.bound).map((one) => one.name)).toEqual(["shop", name]);
    }
  });

  it.each([
    [
      "the same again",
      withRepo(bound("acme/shop", "acme/api"), at("acme/api"), "x"),
      "already has that repository, as `api`",
    ],
    [
      "a name that is no folder's",
      withRepo(bound("acme/shop"), at("acme/api"), "../x"),
      "cannot be the name",
    ],
    ["what is not there", withoutRepo(bound("acme/shop", "acme/api"), "web"), "Available: `shop`, `api`."],
    ["the only one", withoutRepo(bound("acme/shop"), "shop"), "the only repository"],
    [
      "what the operator does not list",
      changedRepos(repos, null, { what: "add", repo: "evil/x", as: null }),
      "PARLEY_REPOS",
    ],
  ])("%s is refused with what to do", (_, changed, said) => {
    expect(changed.kind).toBe("refused");
    expect(why(changed)).toContain(said);
  });

  it("ten fit and an eleventh does not", () => {
    const ten = bound(...Array.from({ length: MOST_REPOS }, (_, index) => `acme/r${index}`));
    expect(severalOf(ten)).toHaveLength(10);
    expect(why(withRepo(ten, at("acme/eleven"), null))).toContain("at most 10");
  });

  it("are shown with how they are changed, and what the operator lists no more is said to be left out", () => {
    const two = bound("acme/shop", "acme/api as backend");
    expect(reposText(two, repos, english)).toContain("• `backend`: acme/api\n");
    const fewer = createRepos(["acme/shop"]);
    expect(reposText(two, fewer, english)).toContain("no longer on this host's list, and left out");
    expect(fewer.usable(two)).toEqual(at("acme/shop"));
    expect(createRepos(["x/y"]).usable(two)).toBeNull();
  });

  it("a question names one with repo:NAME, and no other word does", () => {
    const two = bound("acme/shop", "acme/api as backend");
    expect(onlyNamed(two, "repo:backend who calls this?")).toEqual(at("acme/api"));
    expect(onlyNamed(two, "who calls this? repo: Shop")).toEqual(at("acme/shop"));
    expect(onlyNamed(two, "monorepo:shop or repo:web?")).toBeNull();
    expect(onlyNamed(bound("acme/shop"), "repo:shop")).toBeNull();
  });

  it.each([
    ["repo add Acme/API", { what: "add", repo: "Acme/API", as: null }],
    ["/repo add acme/api as Backend", { what: "add", repo: "acme/api", as: "Backend" }],
    ["repo remove API", { what: "remove", name: "API" }],
  ])("%s is a command", (text, change) => {
    const slashless = text.replace(/^\//, "");
    expect(chatCommands.parse(slashless)).toMatchObject({ order: { command: "repo", asked: change } });
  });

  it.each(["repo add acme/api to the list", "repo remove a b", "repo is broken here"])(
    "%s is a message",
    (text) => {
      expect(chatCommands.parse(text)).toEqual({ kind: "message" });
    },
  );

  const part = fc
    .stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,12}$/)
    .filter((text) => !/\.git$|^\.+$/.test(text));
  const typed = fc.uniqueArray(fc.record({ name: part, as: fc.option(part) }), {
    selector: ({ name }) => name.toLowerCase(),
    minLength: 1,
    maxLength: 10,
  });

  it("names are never alike, always folders, and the list reads back as it is shown", () => {
    fc.assert(
      fc.property(typed, (wanted) => {
        let now: RepositoryBinding | null = null;
        for (const { name, as } of wanted) {
          const changed = withRepo(now, at(`acme/${name}`), as);
          if (changed.kind === "bound") now = changed.bound;
          else expect(changed.why).not.toBe("");
        }
        const names = namedIn(now).map(({ name }) => name);
        expect(names.every(isFolder)).toBe(true);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
        if (now === null) return;
        expect(boundTo(namedIn(now))).toEqual(now);
        const shown = listText(now, (repo) => repos.nameOf(repo));
        expect(readRepositoryList(repos, shown)).toEqual({ kind: "bound", bound: now });
      }),
    );
  });

  it("every address has a name that can be a folder's", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          part.map((name) => `git@host:a/${name}.git`),
        ),
        (location) => {
          expect(isFolder(folderOf({ kind: "url", location }))).toBe(true);
        },
      ),
    );
  });
});
