/** D1 The author of a message is known for a minute at most, and only a member without rights from Slack. */

import { expect, it } from "vitest";
import { createRecentAuthors } from "../../../../adapters/slack/read/recent-authors.ts";
import type { Person, PersonRead } from "../../../../src/ports/chat-platform.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";

const scene = (changes: Partial<Person> = {}) => {
  const clock = createVirtualClock();
  const asked: string[] = [];
  let answer: () => Promise<PersonRead> = () =>
    Promise.resolve({
      kind: "person",
      person: { id: "U1", name: "bob", standing: "member", admin: false, groups: [], ...changes },
    });
  const person = (id: string): Promise<PersonRead> => {
    asked.push(id);
    return answer();
  };
  const authors = createRecentAuthors({ person }, clock);
  return { clock, asked, authors, answers: (next: typeof answer) => void (answer = next) };
};

it("a member is read once a minute", async () => {
  const { clock, asked, authors } = scene();
  await authors.author("U1", []);
  expect(await authors.author("U1", [])).toMatchObject({ kind: "person", person: { id: "U1" } });
  expect(asked).toHaveLength(1);
  clock.advance(60_000);
  await authors.author("U1", []);
  expect(asked).toHaveLength(2);
});

it("a change of the person counts at the next message", async () => {
  const { asked, authors } = scene();
  await authors.author("U1", []);
  authors.changed("U1");
  await authors.author("U1", []);
  expect(asked).toHaveLength(2);
});

it("a change during a read leaves nothing of that read", async () => {
  const { asked, authors, answers } = scene();
  const late = Promise.withResolvers<PersonRead>();
  answers(() => late.promise);
  const first = authors.author("U1", []);
  authors.changed("U1");
  late.resolve({
    kind: "person",
    person: { id: "U1", name: "bob", standing: "member", admin: false, groups: [] },
  });
  expect((await first).kind).toBe("person");
  await authors.author("U1", []);
  expect(asked).toHaveLength(2);
});

it.each([
  ["an admin", { admin: true }],
  ["a guest", { standing: "guest" }],
  ["a deactivated person", { standing: "deactivated" }],
] satisfies readonly (readonly [string, Partial<Person>])[])("%s is read each time", async (_, changes) => {
  const { asked, authors } = scene(changes);
  await authors.author("U1", []);
  await authors.author("U1", []);
  expect(asked).toHaveLength(2);
});

it("nobody is remembered where a group decides, and no failed read is", async () => {
  const { asked, authors, answers } = scene();
  await authors.author("U1", ["S1"]);
  await authors.author("U1", ["S1"]);
  expect(asked).toHaveLength(2);
  answers(() => Promise.resolve({ kind: "unread", why: "away", passing: true }));
  await authors.author("U1", []);
  await authors.author("U1", []);
  expect(asked).toHaveLength(4);
});
