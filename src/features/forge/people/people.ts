/** Accounts of people on the forges of PARLEY_FORGES: how people connect them, and how writes appear in people's names. */

import type { Core } from "../../../feature.ts";
import type { ConnectClient } from "./client.ts";
import { createWritesInName, type WritesInName } from "./in-name.ts";
import { createPeopleRows } from "./rows.ts";
import { createSignIns } from "./sign-ins.ts";
import { createTellPerson, createTellThread } from "./tell.ts";
import { createPeopleTokens, type PeopleTokens } from "./tokens.ts";

type SignIns = ReturnType<typeof createSignIns>;

/** State of the commands `connect` and `disconnect`. */
export interface ForgePeople extends Pick<SignIns, "begin">, Pick<PeopleTokens, "account" | "disconnect"> {
  readonly clients: readonly ConnectClient[];
  readonly now: () => number;
}

interface OpenedPeople {
  readonly own: ForgePeople;
  readonly names: WritesInName;
  readonly tokens: PeopleTokens;
  readonly start: () => { readonly close: () => Promise<unknown> };
  readonly leave: () => Promise<unknown>;
}

export const openForgePeople = (
  clients: readonly ConnectClient[],
  core: Pick<Core, "rows" | "log" | "clock" | "randomId" | "sealKey" | "surfaces" | "ledger">,
): OpenedPeople => {
  const leaving = new AbortController();
  const rows = createPeopleRows(core.rows, core.log);
  const tell = createTellPerson(core.surfaces, core.log);
  const { clock, log, randomId, sealKey } = core;
  const deps = { rows, clock, log, randomId, sealKey, ending: leaving.signal };
  const tokens = createPeopleTokens(deps);
  const signIns = createSignIns({ ...deps, clients, tokens, tell });
  const names = createWritesInName({
    clients,
    tokens,
    askAgain: async (person, { conversation }, text) => {
      const thread = core.ledger.thread(conversation.id);
      const isThere = person.startsWith(`${conversation.surface}:`);
      if (thread === null || !isThere) return;
      const { place, root } = thread;
      await tell({ surface: conversation.surface, place, root, person }, text, randomId());
    },
    tellThread: createTellThread(core),
  });
  return {
    own: {
      clients,
      begin: signIns.begin,
      account: tokens.account,
      disconnect: tokens.disconnect,
      now: clock.now,
    },
    names,
    tokens,
    start: () => {
      signIns.start();
      return signIns;
    },
    leave: async () => {
      leaving.abort();
      await signIns.close();
    },
  };
};
