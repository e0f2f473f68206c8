import * as z from "zod";
import type { OwnerReply, Fleet } from "../ports/fleet.ts";
import type { OtherHosts, LiveSnapshot } from "../ports/others.ts";
import { callOf, decoded } from "./calls.ts";

export const othersOf = ({ name, ask, caughtUp }: Fleet): OtherHosts => {
  const asked = async (host: string, errand: unknown): Promise<OwnerReply<unknown> | null> => {
    const told = await ask(host, errand);
    return told === null ? null : { answer: decoded(told.answer) };
  };
  return {
    name,
    caughtUp,
    call: async (host, port, member, given) => {
      const told = await asked(host, callOf(port, member, given));
      return told === null ? null : { answer: SAME.parse(told.answer) };
    },
    look: async (host, id) => {
      const seen = await asked(host, { kind: "look", id });
      return seen === null ? null : { answer: seenBy.parse(seen.answer) };
    },
    fetch: (host, id) => asked(host, { kind: "give", id, to: name, stops: true }),
    tell: (host, news) => asked(host, { kind: "news", news }),
    follow: (host, id, on) => asked(host, { kind: "follow", id, by: name, on }),
  };
};

/** Not validated: hosts of one database run the same code, so the answer has the type of the local method. */
const SAME = z.custom<never>();

/** Hosts of one database use the same format, so only the outer type is checked. */
const seenBy = z.custom<LiveSnapshot>((seen) => typeof seen === "object" && seen !== null).nullable();
