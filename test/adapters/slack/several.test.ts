/** Several repositories of a channel: chosen by those who may, told in words, and a question may do with one of them. */

import { describe, expect, it, vi } from "vitest";
import { severalOf } from "../../../src/ports/conversation.ts";
import { OFTEN } from "../rig.ts";
import { createRig, type SlackRig } from "./rig.ts";

const heard = ({ fake }: SlackRig, name: string, text: string | RegExp): Promise<void> =>
  vi.waitFor(() => {
    const whispers = fake.world.ephemerals.filter((one) => one.for === fake.as(name).id);
    expect(whispers.map((one) => one.text).join("\n")).toMatch(text);
  }, OFTEN);

const namesIn = ({ chat }: SlackRig): readonly string[] => {
  const repo = chat.binding("slack", "CGENERAL")?.repo;
  return repo === undefined ? [] : severalOf(repo).map(({ name }) => name);
};

const at = (name: string) =>
  ({ kind: "url", location: `https://github.com/acme/${name}.git`, name }) as const;

describe("several repositories of a channel", () => {
  it("are added and taken away by those who choose its repository, and by nobody else", async () => {
    const rig = await createRig({ env: { PARLEY_REPOS: "acme/*,other/*" } });
    const tell = (who: string, text: string) => rig.fake.as(who).command("/parley", text, "general");
    tell("bob", "repo add acme/web");
    await heard(rig, "bob", "Only admins choose the repository of a channel.");
    expect(namesIn(rig)).toEqual([]);
    tell("alice", "repo add acme/web");
    await heard(rig, "alice", "This channel works on acme/api, acme/web, chosen by @alice.");
    tell("alice", "repo add other/web");
    await heard(rig, "alice", "`repo add other/web as web-2` or `repo add other/web as other-web`");
    tell("alice", "repo add other/web as other-web");
    await heard(rig, "alice", "acme/api, acme/web, other/web as other-web");
    expect(namesIn(rig)).toEqual(["api", "web", "other-web"]);
    tell("bob", "repo");
    await heard(rig, "bob", /3 repositories, side by side[^]*`other-web`: other\/web/);
    tell("alice", "repo remove api");
    await heard(rig, "alice", "This channel works on acme/web, other/web as other-web");
    tell("alice", "repo acme/api");
    await vi.waitFor(() => expect(namesIn(rig)).toEqual([]), OFTEN);
  });

  it("a question that names one begins a thread of that one alone, any other of all of them", async () => {
    const repo = { ...at("api"), beside: [at("web")] };
    const rig = await createRig({ repo });
    const one = rig.fake.as("bob").say("@parley repo:web where is the form?", { channel: "general" });
    await rig.thread(one, /Answer 1\./);
    const all = rig.fake.as("bob").say("@parley where is the form?", { channel: "general" });
    await rig.thread(all, /Answer 2\./);
    const repos = rig.bot.list(10, null).map(({ conversation }) => conversation.repo);
    expect(repos).toEqual([repo, { kind: "url", location: at("web").location }]);
  });
});
