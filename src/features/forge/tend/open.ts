/** Looking after pull requests (D56), on an open host. */

import type { Core, FeatureParts } from "../../../feature.ts";
import { DAY } from "../../../machine/id.ts";
import { type Day, type MicroUsd, personScope } from "../../../ports/money.ts";
import { english } from "../../../i18n/say.ts";
import type { WritableForges } from "../ports/forge-writer.ts";
import type { WritesInName } from "../people/in-name.ts";
import type { TendedPull } from "./bounds.ts";
import type { LateTendGuard } from "./guard.ts";
import { createReadForgeRight } from "./forge-right.ts";
import { createTendRows, type TendRows } from "./rows.ts";
import { createTendRunner } from "./runner.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { tendSpeaker } from "./turn-text.ts";

export interface TendSettings {
  readonly pushes: number;
  readonly budget: MicroUsd;
}

/** Dependencies of the clicks. */
export interface TendContext extends Pick<Core, "clock" | "randomId"> {
  readonly rows: TendRows;
  readonly forges: WritableForges;
  readonly settings: TendSettings;
  readonly names: Pick<WritesInName, "standing">;
  readonly tell: RunnerDeps["tell"];
  readonly wake: () => void;
}

/** The tool that answers comments is made before the host is open. */
export interface LateTending {
  readonly guard: LateTendGuard;
  context: TendContext | null;
}

export const openTending = (
  core: Core,
  forges: WritableForges,
  settings: TendSettings,
  late: LateTending,
  names: Pick<WritesInName, "standing">,
) => {
  const { clock, purse, log } = core;
  const rows = createTendRows(core.rows, log);
  const spentOn = (pull: TendedPull, days: readonly Day[]): MicroUsd =>
    purse.spent(days, personScope(tendSpeaker(pull).id));
  const spent = (pull: TendedPull): MicroUsd => spentOn(pull, daysOf(pull, clock.now()));
  const surfaceOf = (name: string) => core.surfaces().find((one) => one.name === name);
  const tell: RunnerDeps["tell"] = async ({ id, surface: name, place, conversation }, key, line) => {
    const surface = surfaceOf(name);
    const thread = core.ledger.thread(conversation);
    // Without a platform the thread cannot show the post, and the work goes on.
    if (surface === undefined || surface.off !== null || thread === null) return true;
    if (surface.standing() !== "on") return false;
    const put = await surface.tell(place, { id: `pull ${id} ${key}`, root: thread.root, ...line });
    if (put.kind === "refused") log.warn("forge: line about a pull request not posted", { why: put.why });
    return true;
  };
  const forgeRight = createReadForgeRight({
    forges,
    names,
    repoOf: async ({ conversation }) => (await core.bot.read(conversation))?.conversation.repo ?? null,
  });
  const runner = createTendRunner({
    rows,
    forges,
    clock,
    log,
    bot: core.bot,
    words: core.store.words,
    drafts: core.drafts,
    mayApprove: async ({ surface, conversation, by, byName }) => {
      const given = { id: by, name: byName ?? by, mayDrive: false, mayApprove: false };
      const read = await surfaceOf(surface)?.author(conversation, given);
      if (read?.kind === "unread") return null;
      return read?.kind === "speaker" && read.speaker.mayApprove;
    },
    forgeRight,
    spent,
    limit: (pull) => {
      const today = purse.today() ?? dayOf(clock.now());
      const before = daysOf(pull, clock.now()).filter((day) => day !== today);
      const most = Math.max(0, pull.budget - spentOn(pull, before));
      const scope = personScope(tendSpeaker(pull).id);
      return purse.setBudget({ scope, most, by: pull.by, at: clock.now() });
    },
    sayIn: ({ surface, place }) => surfaceOf(surface)?.say(place) ?? english,
    tell,
  });
  const wake = (): void => {
    if (core.leads()) runner.wake();
  };
  late.guard.opened({ rows, clock, spent, forgeRight, wake });
  const own: TendContext = { rows, forges, names, settings, tell, wake, clock, randomId: core.randomId };
  late.context = own;
  const reports = core.led("tending", { reported: runner.reported }, (by) => ({
    reported: by("reported", runner.reported, null),
  }));
  return {
    own,
    led: runner.heard,
    pullChanged: (change) => void reports.reported(change),
    changed: (tables) => {
      if (tables.has("tended_pulls")) wake();
    },
    renew: wake,
    start: () => {
      runner.wake();
      return null;
    },
    leave: runner.close,
  } satisfies FeatureParts & { readonly own: TendContext };
};

const dayOf = (at: number): Day => new Date(at).toISOString().slice(0, 10);

/** Includes the next day, because hosts may share another day. */
const daysOf = ({ began }: TendedPull, now: number): readonly Day[] => {
  const days: Day[] = [];
  for (let at = began; at <= now + DAY; at += DAY) days.push(dayOf(at));
  return [...new Set([...days, dayOf(now + DAY)])];
};
