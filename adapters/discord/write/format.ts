/**
 * Chooses between Discord's two kinds of message. Content with buttons becomes a plain message if it fits, so
 * that push notifications, search and quotes contain the text (TH9). Longer content is first posted as a
 * plain message with its beginning, then changed to components v2 at once. Content without buttons uses
 * components v2, because only those can carry a mark without buttons. Owns: whether Discord has refused
 * components v2 in this process.
 */

import { DiscordAPIError } from "@discordjs/rest";
import { MessageFlags } from "discord-api-types/v10";
import type { Content } from "../../../src/ports/surface.ts";
import { buildRequest } from "../../post/trouble.ts";
import { beginningOf, bodyOf, fitsPlain, plainBodyOf } from "./blocks.ts";

/** `content`: null removes the text of a plain message. */
export type MessageBody =
  | (ReturnType<typeof bodyOf> & { readonly content?: null })
  | ReturnType<typeof plainBodyOf>;

type Call = (body: MessageBody) => Promise<unknown>;

export type Format = ReturnType<typeof createFormat>;

/** UTF-16 code units of a plain message, minus the marks of small print. */
const PLAIN_TEXT = 1_900;
const BAD_REQUEST = 400;

/** `rich`: units of text in a components v2 message. */
export const createFormat = (rich: number) => {
  let isRefused = false;

  /** Tries both kinds in their order of preference. */
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
    /** UTF-16 code units of a text that fits, including its surroundings. */
    get text() {
      return isRefused ? PLAIN_TEXT : rich;
    },
    /**
     * Posts a new message; `change` edits the message that `make` returned. Null: nothing was sent, because
     * the text exceeds the reduced `text`. `begun`: only the beginning was posted, for the same reason.
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
    /** Changes an existing message. A components v2 message cannot become plain again. */
    change: (content: Content, wire: string, isRich: boolean, call: Call): Promise<unknown> =>
      eitherWay(
        content,
        wire,
        (body) => call("content" in body ? body : { ...body, content: null }),
        content.buttons.length > 0 && !isRich,
      ),
  };
};

/** One message of a turn notifies: the message with its buttons (TH3). */
const isSilent = ({ tone }: Content): boolean => tone === "status" || tone === "answer";

const isInvalid = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.status === BAD_REQUEST && error.code === INVALID_FORM;

/**
 * "Invalid Form Body": Discord understood the request and refused it. An archived thread has a separate code.
 */
const INVALID_FORM = 50_035;
