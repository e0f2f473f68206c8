/**
 * The kind of message that Discord takes from us. What carries buttons is a plain one as far as it fits: its words stand in the
 * push, search finds them, and they can be quoted (TH9). A longer one is made plain, with its beginning, and turned into
 * components v2 at once; what has no buttons is made of them, as only there a message without any can carry its mark. Owns:
 * whether Discord has refused them, for as long as the process lives.
 */

import { DiscordAPIError } from "@discordjs/rest";
import { MessageFlags } from "discord-api-types/v10";
import type { Content } from "../../../src/ports/surface.ts";
import { buildRequest } from "../../post/trouble.ts";
import { beginningOf, bodyOf, fitsPlain, plainBodyOf } from "./blocks.ts";

/** `content`: null takes away what a plain message said. */
export type MessageBody =
  | (ReturnType<typeof bodyOf> & { readonly content?: null })
  | ReturnType<typeof plainBodyOf>;

type Call = (body: MessageBody) => Promise<unknown>;

export type Format = ReturnType<typeof createFormat>;

/** UTF-16 code units of a plain message, less the marks of small print. */
const PLAIN_TEXT = 1_900;
const BAD_REQUEST = 400;

/** `rich`: units of text in a message of components v2. */
export const createFormat = (rich: number) => {
  let isRefused = false;

  /** In the order in which they may be taken. */
  const eitherWay = async (
    content: Content,
    wire: string,
    call: Call,
    plainFirst: boolean,
  ): Promise<unknown> => {
    const richly = (): Promise<unknown> => call(buildRequest(() => bodyOf(content, wire)));
    const plainly = (): Promise<unknown> => call(buildRequest(() => plainBodyOf(content, wire)));
    if (!fitsPlain(content)) return richly().catch(tooLong);
    const [first, second] = plainFirst || isRefused ? [plainly, richly] : [richly, plainly];
    try {
      return await first();
    } catch (error) {
      if (!isInvalid(error)) throw error;
      const taken = await second().catch((again: unknown) => {
        throw isInvalid(again) ? error : again;
      });
      isRefused ||= first === richly;
      return taken;
    }
  };

  const tooLong = (error: unknown): null => {
    if (!isInvalid(error) || isRefused) throw error;
    isRefused = true;
    return null;
  };

  return {
    /** UTF-16 code units of a text that fits, what is set around it included. */
    get text() {
      return isRefused ? PLAIN_TEXT : rich;
    },
    /**
     * A new message; `change`: of what `make` answered. Null: nothing was sent, the text is longer than `text` now says.
     * `begun`: no more than its beginning stands, for the same reason.
     */
    make: async (
      content: Content,
      wire: string,
      { make, change }: { make: Call; change: (made: unknown, body: MessageBody) => Promise<unknown> },
    ): Promise<{ readonly answer: unknown; readonly begun?: true } | null> => {
      const silently: Call = (body) =>
        make({
          ...body,
          flags: isSilent(content) ? body.flags | MessageFlags.SuppressNotifications : body.flags,
        });
      if (content.buttons.length === 0) {
        const answer = await eitherWay(content, wire, silently, false);
        return answer === null ? null : { answer };
      }
      const first = await silently(buildRequest(() => plainBodyOf(beginningOf(content), wire)));
      if (fitsPlain(content)) return { answer: first };
      const whole = { ...buildRequest(() => bodyOf(content, wire)), content: null };
      const changed = await change(first, whole).catch(tooLong);
      return changed === null ? { answer: first, begun: true } : { answer: changed };
    },
    /** The same for one that is there already; of components v2 nothing is plain any more. */
    change: (content: Content, wire: string, isRich: boolean, call: Call): Promise<unknown> =>
      eitherWay(
        content,
        wire,
        (body) => call("content" in body ? body : { ...body, content: null }),
        content.buttons.length > 0 && !isRich,
      ),
  };
};

/** One message of a turn notifies, that with its buttons (TH3). */
const isSilent = ({ tone }: Content): boolean => tone === "status" || tone === "answer";

const isInvalid = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.status === BAD_REQUEST && error.code === INVALID_FORM;

/** "Invalid Form Body": what was said was understood and is not taken. An archived thread is told by a code of its own. */
const INVALID_FORM = 50_035;
