/** 39.A1: no text that people see of a message on Discord is lost by the readers. */

import fc from "fast-check";
import { expect, it } from "vitest";
import {
  discordMessage,
  discordFilesOf,
  repliedOf,
  discordContentOf,
  textOf,
} from "../../../../adapters/discord/read/message.ts";
import { discordAppPostOf } from "../../../../adapters/discord/receive/posted.ts";
import { complaintsOf } from "../../../fakes/discord/schema.ts";
import { ofWhole } from "../../../sample.ts";
import { createMarkers, expectAll, type Markers } from "../../markers.ts";
import { type Choose, isListed, make, moved, textFields } from "./schema.ts";

const NAMES = {
  user: () => null,
  role: () => null,
  channel: () => null,
  isSelf: (id: string) => id === "99",
};
const RUNS = { numRuns: ofWhole(2_000, 300), seed: 39_002 };
const bot = { id: "7", username: "alerts", bot: true };

/** Random numbers that shrink to zero. */
const choices = fc.infiniteStream(fc.nat(1_000)).map((stream): Choose => {
  const next = stream[Symbol.iterator]();
  return (below) => (below <= 1 ? 0 : Number(next.next().value) % below);
});

const messageOf = (made: Markers<never>, choose: Choose): object => ({
  ...Object(make("MessageResponse", made.mark, choose)),
  author: bot,
  mentions: [],
  type: 0,
  id: "1",
  channel_id: "2",
});

const read = (message: object): string => {
  const parsed = discordMessage.parse(message);
  return [
    textOf(parsed, NAMES),
    ...discordContentOf(parsed, NAMES).map(({ author, text }) => `${author}\n${text}`),
    ...discordFilesOf(parsed).map(({ name }) => name),
  ].join("\n");
};

/** Without the name that Discord makes of a file's title. */
const seenOf = (message: object): unknown =>
  JSON.parse(JSON.stringify(message), (_key, value: unknown) => {
    const { filename, title, ...rest } = Object(value);
    return filename !== undefined && typeof title === "string" ? { ...rest, title, filename: "1" } : value;
  });

it("39.A1 every text that Discord's description has of a message is generated or has a reason", () => {
  expect(textFields().filter((path) => !isListed(path))).toEqual([]);
  expect(textFields("MessageSnapshotResponse").filter((path) => !isListed(path))).toEqual([]);
});

it("39.A1 what is generated is a message by Discord's description", () => {
  fc.assert(
    fc.property(choices, (choose) => {
      const message = make("MessageResponse", createMarkers<never>().mark, choose);
      const { author: _author, ...complained } = Object.groupBy(
        complaintsOf("MessageResponse", message),
        ({ path }) => String(path[0]),
      );
      expect(complained).toEqual({});
    }),
    { numRuns: 30, seed: RUNS.seed },
  );
});

it("39.A1 every text of a message is read in order, of a forwarded one too", () => {
  fc.assert(
    fc.property(choices, (choose) => {
      const made = createMarkers<never>();
      const message = seenOf(messageOf(made, choose));
      expectAll(made, message, read(Object(message)), moved(message));
    }),
    RUNS,
  );
});

it("39.A1 every text of a message that is replied to is read in order", () => {
  fc.assert(
    fc.property(choices, (choose) => {
      const made = createMarkers<never>();
      const referenced = seenOf(messageOf(made, choose));
      const reply = {
        ...messageOf(createMarkers<never>(), () => 0),
        type: 19,
        referenced_message: referenced,
      };
      const replied = repliedOf(discordMessage.parse(reply), NAMES);
      const text = [...(replied?.quotes ?? []), ...(replied?.files ?? []).map(({ name }) => ({ text: name }))]
        .map((one) => one.text)
        .join("\n");
      expectAll(made, referenced, text, moved(referenced));
    }),
    RUNS,
  );
});

it("39.A1 every text of an app's post that a watch receives is read", () => {
  fc.assert(
    fc.property(choices, (choose) => {
      const made = createMarkers<never>();
      const message = Object(seenOf({ ...messageOf(made, choose), guild_id: "3" }));
      const posted = discordAppPostOf(discordMessage.parse(message), { place: "2", root: null }, NAMES);
      const text = [posted?.title, posted?.text, posted?.link].join("\n");
      expectAll(made, message, text, moved(message));
    }),
    RUNS,
  );
});

it("39.A1 the date below an embed is read", () => {
  const embeds = [{ type: "rich", title: "Down", timestamp: "2026-11-28T09:00:00+00:00" }];
  const message = { ...messageOf(createMarkers<never>(), () => 0), embeds };
  expect(read(message)).toContain("Down\n2026-11-28T09:00:00+00:00");
});
