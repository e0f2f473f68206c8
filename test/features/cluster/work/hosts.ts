/**
 * Several hosts in one process, over rows that all of them see at once: what they tell each other goes through JSON, as it
 * does between machines. A host that is killed answers nothing any more, and its bot does nothing that others see.
 */

import type { ConversationId } from "../../../../src/machine/id.ts";
import type { Bot, ConversationChange } from "../../../../src/ports/bot.ts";
import type { ReplicatedRow } from "../../../../src/ports/membership.ts";
import type { Fleet, FleetRows } from "../../../../src/features/cluster/ports/fleet.ts";
import { createFleetRows } from "../../../../src/features/cluster/work/rows.ts";
import type { Ownership } from "../../../../src/ports/ownership.ts";
import { shareOf } from "../../../../src/features/cluster/work/share-of-many.ts";
import { createWorld, operator, type World, type WrapModel } from "../../../runtime/world.ts";
import { openMemory } from "../../../store/in-memory.ts";

export interface TestHost {
  readonly name: string;
  readonly world: World;
  readonly bot: Bot;
  /** Of conversations of others, as this host is told of them. */
  readonly heard: (readonly [ConversationId, ConversationChange])[];
  /** How often it began to lead. */
  readonly led: () => number;
  /** Conversations that other hosts got of it. */
  readonly given: readonly ConversationId[];
  readonly share: Ownership;
  say(id: ConversationId, text: string): ReturnType<Bot["say"]>;
}

export const openHosts = () => {
  const opened = openMemory();
  const rows = createFleetRows(opened.rows);
  const serving = new Map<string, (errand: unknown) => Promise<unknown>>();
  const hearing = new Map<string, (changed: readonly ReplicatedRow[]) => void>();
  const joining = new Map<string, (() => void)[]>();
  let claims = 0;
  let pauses = 0;
  const pauseShortly = (_: number, fire: () => void): (() => void) => {
    pauses += 1;
    setImmediate(fire);
    return () => undefined;
  };

  const tellOthers = (name: string, changed: readonly ReplicatedRow[]): void => {
    for (const [other, hear] of hearing) if (other !== name) hear(changed);
  };
  const rowsOf = (name: string): FleetRows => ({
    ...rows,
    own: async (homes, host) => {
      const owned = await rows.own(homes, host);
      tellOthers(
        name,
        homes.map((home) => ({ table: "homes", key: [home] })),
      );
      return owned;
    },
    give: async (home, from, to) => {
      const given = await rows.give(home, from, to);
      tellOthers(name, [{ table: "homes", key: [home] }]);
      return given;
    },
  });

  /** `wraps`: makes what stands between its bot and the model. */
  const start = async (
    name: string,
    wraps?: (of: { readonly host: string; readonly leads: () => boolean }) => WrapModel,
  ): Promise<TestHost> => {
    const heard: (readonly [ConversationId, ConversationChange])[] = [];
    let leads = 0;
    const given: ConversationId[] = [];
    const fleet: Fleet = {
      name,
      ask: async (host, errand) => {
        const serve = serving.get(host);
        if (serve === undefined || !serving.has(name)) return null;
        const answer = await serve(plain(errand));
        return serving.has(host) ? { answer: plain(answer) } : null;
      },
      caughtUp: () => Promise.resolve(),
      serve: (answer) => void serving.set(name, answer),
      heard: (listener) => void hearing.set(name, listener),
      joined: (listener) => {
        joining.set(name, [...(joining.get(name) ?? []), listener]);
        listener();
      },
    };
    await rows.join(name, `start of ${name}`);
    const share = shareOf({
      fleet,
      id: "database",
      opened: { ...opened, fleet: rowsOf(name) },
      clock: { now: () => 0, after: pauseShortly },
      log: SILENT,
    });
    const world = createWorld({
      store: opened.store,
      purse: opened.purse,
      ...(wraps === undefined ? {} : { wrapModel: wraps({ host: name, leads: share.leads }) }),
      ...(share.mine === undefined ? {} : { mine: { ...share.mine, given: (id) => void given.push(id) } }),
      watch: (...one) => {
        if (serving.has(name)) share.happened(...one);
      },
    });
    const bot = share.route(world.bot);
    serving.set(name, () => Promise.resolve(null));
    await share.start({
      lead: () => Promise.resolve(void (leads += 1)),
      changed: () => undefined,
      heard: (...one) => void heard.push(one),
    });
    for (const join of [...joining.values()].flat()) join();
    return {
      name,
      world,
      bot,
      heard,
      led: () => leads,
      given,
      share,
      say: (conversation, text) =>
        bot.say({
          surface: "console",
          id: `m${claims++}`,
          conversation,
          speaker: operator,
          text,
          images: [],
        }),
    };
  };

  return {
    store: opened.store,
    purse: opened.purse,
    rows,
    /** What another host, or the command line, asks of a host. */
    ask: async (host: string, errand: unknown): Promise<unknown> =>
      plain(await serving.get(host)?.(plain(errand))),
    /** How often a host waited before it asked again. */
    pauses: () => pauses,
    start,
    /** Its process is killed, and the others have noticed. */
    kill: async (name: string): Promise<void> => {
      serving.delete(name);
      hearing.delete(name);
      joining.delete(name);
      await rows.leave(name, `start of ${name}`);
      for (const join of [...joining.values()].flat()) join();
    },
  };
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
