/** Last question of setup: the changes, who may approve, and the channel that gets the repository. */

import type { CheckedInput, SetupAsker, SetupChannel } from "../../../ports/platform-setup.ts";
import { SetupStopped } from "./setup-stopped.ts";

export interface Reviewed {
  readonly approvers: string;
  readonly channel: SetupChannel | null;
}

export interface ReviewDeps {
  readonly asker: SetupAsker;
  readonly channels: readonly SetupChannel[];
  /** Lines of the changes with these approvers; a string says why they are refused. */
  readonly diff: (approvers: string) => readonly string[] | string;
  readonly path: string;
}

/** Stops if the person quits. */
export const review = async (deps: ReviewDeps, initial: Reviewed): Promise<Reviewed> => {
  let current = initial;
  const { asker, channels } = deps;
  if (channels.length > 1 && asker.isInteractive) {
    asker.print("Channels:");
    for (const [index, one] of channels.slice(0, MOST_LISTED).entries())
      asker.print(`  ${index + 1}) ${channelText(one)}`);
  }
  display(deps, current);
  if (!asker.isInteractive) return current;
  for (;;) {
    const next = await asker.ask<Reviewed | typeof WRITE>({
      name: "",
      text: promptOf(channels),
      fallback: WRITE,
      check: (line) => Promise.resolve(changed(line, current, deps)),
    });
    if (next === WRITE) return current;
    current = next;
    display(deps, current);
  }
};

const MOST_LISTED = 20;
const WRITE = "write";

const promptOf = (channels: readonly SetupChannel[]): string =>
  `Enter to write, a IDS for other approvers${channels.length > 1 ? ", c NUMBER for another channel" : ""}, q to quit`;

const changed = (
  line: string,
  current: Reviewed,
  { channels, diff }: ReviewDeps,
): CheckedInput<Reviewed | typeof WRITE> => {
  if (line === WRITE) return { kind: "valid", value: WRITE };
  const [, command = "", value = ""] = /^([acq])(?:\s+(.+))?$/.exec(line) ?? [];
  if (command === "q") throw new SetupStopped("Nothing was written; run setup again to go on.");
  if (command === "a" && value !== "") {
    const approvers = value.replaceAll(/[\s,]+/g, ",");
    const tried = diff(approvers);
    return typeof tried === "string"
      ? { kind: "refused", why: tried }
      : { kind: "valid", value: { ...current, approvers } };
  }
  const channel = command === "c" ? findChannel(channels, value) : null;
  return channel === null
    ? { kind: "refused", why: `Not understood. ${promptOf(channels)}.` }
    : { kind: "valid", value: { ...current, channel } };
};

/** By number, id or name. */
export const findChannel = (channels: readonly SetupChannel[], text: string): SetupChannel | null =>
  channels.find(({ id, name }) => id === text || name === text.replace(/^#/, "")) ??
  (/^\d{1,3}$/.test(text) ? channels[Number(text) - 1] : undefined) ??
  null;

const channelText = ({ name, server }: SetupChannel): string => `#${name} (${server})`;

const display = ({ asker, diff, path }: ReviewDeps, { approvers, channel }: Reviewed): void => {
  const lines = diff(approvers);
  if (typeof lines === "string") throw new SetupStopped(lines);
  asker.print("");
  asker.print(lines.length === 0 ? `Nothing changes in ${path}.` : `Changes to ${path}:`);
  for (const line of lines) asker.print(`  ${line}`);
  asker.print(`Who may approve: ${approvers}`);
  if (channel !== null) asker.print(`Channel with the repository: ${channelText(channel)}`);
};
