/** Slack as the shared manners of chat see it (src/ports/chat-platform.ts). */

import type { webApi } from "@slack/bolt";
import type { ChatPlatform } from "../../src/ports/chat-platform.ts";
import type { Clock, Log } from "../../src/ports/host.ts";
import type { Identity } from "./receive/identity.ts";
import { createSlackDownload } from "./read/download.ts";
import { createEarlier } from "./read/earlier.ts";
import type { Naming } from "./read/names.ts";
import type { People } from "./read/people.ts";
import { createReread } from "./read/reread.ts";
import { createChannels } from "./read/channels.ts";
import { createLinkPreviews } from "./read/link-previews.ts";
import { createNotes } from "./write/notes.ts";
import { createPostedQuestion } from "./write/posted-question.ts";

export interface PlatformDeps {
  readonly token: string;
  readonly apiUrl: string | undefined;
  readonly client: webApi.WebClient;
  readonly self: Identity;
  readonly clock: Clock;
  readonly log: Log;
  readonly people: People;
  readonly naming: Naming;
}

export const createSlackPlatform = (deps: PlatformDeps): ChatPlatform => {
  const { client, self, log, token, apiUrl, people, naming } = deps;
  return {
    ...people,
    ...createNotes(client, log),
    server: null,
    bindsByItself: true,
    reread: createReread(client, self, naming, log),
    isPrivate: () => true,
    ...createChannels(client, log),
    tags: () => Promise.resolve({ kind: "tags", tags: [] }),
    put: createPostedQuestion(client),
    earlier: createEarlier({ client, self, naming, log }),
    shown: createLinkPreviews(deps),
    fetch: createSlackDownload(token, apiUrl),
  };
};
