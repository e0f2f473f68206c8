/**
 * Previews of links, which Slack adds some time after it has sent the message (its `message_changed` may reach another
 * process, or none after a crash): the message is read again until they are there. Meanwhile the thread shows that its
 * link is being read.
 */

import type { webApi } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Quote, Said } from "../../../src/ports/chat.ts";
import { type Clock, type Log, pause } from "../../../src/ports/host.ts";
import { attempt } from "../write/failure.ts";
import { millisOf, shownOf, slackMessage } from "./message.ts";
import type { Naming } from "./names.ts";
import { courtesy } from "./people.ts";
import { readSingle } from "./single.ts";

/** When it is looked, after the message was written. Slack fetches most pages within a second. */
const LOOKS: readonly Millis[] = [700, 2_000];

interface LinkPreviewDeps {
  readonly client: webApi.WebClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly naming: Naming;
}

export const createLinkPreviews =
  (deps: LinkPreviewDeps): ChatPlatform["shown"] =>
  async (said) => {
    const told = tell(deps, said, "is reading the link…");
    const shown = await look(deps, said);
    await told;
    await tell(deps, said, "");
    return shown;
  };

/** What came late, and what is handled again long after, is looked at once. */
const look = async (deps: LinkPreviewDeps, said: Said): Promise<readonly Quote[]> => {
  const written = millisOf(said.message);
  const waits = LOOKS.map((at) => written + at - deps.clock.now());
  for (const wait of waits.filter((one, index) => one > 0 || index === waits.length - 1)) {
    await pause(deps.clock, wait);
    const shown = await read(deps, said);
    if (shown.length > 0) return shown;
  }
  return [];
};

const read = async ({ client, log, naming }: LinkPreviewDeps, said: Said): Promise<readonly Quote[]> => {
  const { place, root, message: ts } = said;
  const found = await courtesy(log, "the previews of a message's links could not be read", () =>
    readSingle(client, slackMessage, { place, root: root ?? ts }, ts),
  );
  return found === null ? [] : naming.named(place, (names) => shownOf(found, names));
};

/** A courtesy: Slack takes it away by itself when an answer comes. */
const tell = async (
  { client }: LinkPreviewDeps,
  { place, root, message }: Said,
  status: string,
): Promise<void> => {
  const at = { channel_id: place, thread_ts: root ?? message };
  await attempt(() => client.assistant.threads.setStatus({ ...at, status }));
};
