import type { Core } from "../../../feature.ts";
import type { PersonId } from "../../../machine/id.ts";
import type { ChannelAddress } from "../../../ports/channels.ts";
import type { ChatSurface } from "../../../ports/connection.ts";
import type { Log } from "../../../ports/host.ts";
import type { ToolRun } from "../../../ports/tools.ts";
import type { LocalizedText } from "../../../i18n/say.ts";

/** Sends a message that only the person sees, where the platform has such messages. `key`: equal for the same message. */
export type TellPerson = (
  to: ChannelAddress & { readonly person: PersonId; readonly root?: string },
  text: LocalizedText,
  key: string,
) => Promise<void>;

export const createTellPerson =
  (surfaces: () => readonly ChatSurface[], log: Log): TellPerson =>
  async ({ surface: name, place, root, person }, text, key) => {
    const surface = surfaces().find((one) => one.name === name && one.off === null);
    if (surface === undefined) return;
    const to = { place, root: root ?? null, person: person.slice(person.indexOf(":") + 1) };
    const note = { text: text(surface.say(place)), buttons: [], quiet: true } as const;
    const told = await surface.answer(to, note, { key: `connect/${key}`, replaces: null });
    if (told.kind !== "done") log.warn("forge: person not told", { surface: name, why: told.kind });
  };

/** Posts a line once into the thread of a conversation, where its platform is connected. */
export const createTellThread =
  ({ surfaces, ledger, log }: Pick<Core, "surfaces" | "ledger" | "log">) =>
  async (
    { conversation: { id, surface: name } }: Pick<ToolRun, "conversation">,
    { key, text, words }: { readonly key: string; readonly text: LocalizedText; readonly words: string },
  ): Promise<void> => {
    const surface = surfaces().find((one) => one.name === name && one.off === null);
    const thread = ledger.thread(id);
    if (surface === undefined || thread === null) return;
    const { place, root } = thread;
    const line = { id: `in name ${key}`, root, text: text(surface.say(place)), words };
    const put = await surface.tell(place, line);
    if (put.kind === "refused") log.warn("forge: thread not told", { surface: name, why: put.why });
  };
