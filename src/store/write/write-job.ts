/** Writes as data, so that they can be collected and handed to another thread, and what each comes to. */

import * as z from "zod";
import type { AlertRows } from "../../ports/alerts.ts";
import type { ChatStore, Cursors } from "../../ports/chat-rows.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Spending } from "../../ports/money.ts";
import type { Store } from "../../ports/store.ts";
import type { Ledger } from "../../ports/surface.ts";
import { claimOutcome } from "../schema/conversation.ts";
import type { StepRows } from "../tables/step-rows.ts";
import type { Parts } from "./direct.ts";

export type Job =
  | { readonly kind: "step"; readonly rows: StepRows }
  | { readonly kind: "create"; readonly given: Parameters<Store["create"]> }
  | { readonly kind: "setBase"; readonly given: Parameters<Store["setBase"]> }
  | { readonly kind: "setTitle"; readonly given: Parameters<Store["setTitle"]> }
  | { readonly kind: "setArchived"; readonly given: Parameters<Store["setArchived"]> }
  | { readonly kind: "hide"; readonly given: Parameters<Store["hide"]> }
  | { readonly kind: "removeSome" }
  | { readonly kind: "looseBlobs" }
  | { readonly kind: "dropBlobs"; readonly given: Parameters<Store["dropBlobs"]> }
  | { readonly kind: "claim"; readonly given: Parameters<Store["claim"]> }
  | { readonly kind: "refuse"; readonly given: Parameters<Store["refuse"]> }
  | { readonly kind: "uninstruct"; readonly given: Parameters<Store["uninstruct"]> }
  | { readonly kind: "bind"; readonly given: Parameters<Ledger["bind"]> }
  | { readonly kind: "put"; readonly given: Parameters<Ledger["put"]> }
  | { readonly kind: "drop"; readonly given: Parameters<Ledger["drop"]> }
  | { readonly kind: "settle"; readonly given: Parameters<Ledger["settle"]> }
  | { readonly kind: "arrive"; readonly given: Parameters<ChatStore["arrive"]> }
  | { readonly kind: "handled"; readonly given: Parameters<ChatStore["settle"]> }
  | { readonly kind: "forget"; readonly given: Parameters<ChatStore["forget"]> }
  | { readonly kind: "bindRepo"; readonly given: Parameters<ChatStore["bind"]> }
  | { readonly kind: "instruct"; readonly given: Parameters<ChatStore["instruct"]> }
  | { readonly kind: "setChannel"; readonly given: Parameters<ChatStore["setChannel"]> }
  | { readonly kind: "announced"; readonly given: Parameters<ChatStore["setAnnounced"]> }
  | { readonly kind: "joined"; readonly given: Parameters<ChatStore["joined"]> }
  | { readonly kind: "heard"; readonly given: Parameters<ChatStore["setHeard"]> }
  | { readonly kind: "owe"; readonly given: Parameters<ChatStore["owe"]> }
  | { readonly kind: "told"; readonly given: Parameters<ChatStore["told"]> }
  | { readonly kind: "tighten"; readonly given: Parameters<Cursors["tighten"]> }
  | { readonly kind: "spend"; readonly given: Parameters<Spending["spend"]> }
  | { readonly kind: "carry"; readonly given: Parameters<Spending["carry"]> }
  | { readonly kind: "setBudget"; readonly given: Parameters<Spending["setBudget"]> }
  | { readonly kind: "index" }
  | { readonly kind: "putAlert"; readonly given: Parameters<AlertRows["putAlert"]> }
  | { readonly kind: "dropAlert"; readonly given: Parameters<AlertRows["dropAlert"]> }
  | { readonly kind: "setNote"; readonly given: Parameters<AlertRows["setNote"]> };

export type Written = z.output<(typeof written)[keyof typeof written]> | WriteFailure;

/** In one transaction of its own, or as part of the one that is open. */
export const write = ({ store, ledger, chat, cursors, purse, search, alerts }: Parts, job: Job): Written => {
  switch (job.kind) {
    case "step":
      return store.step(job.rows);
    case "create":
      return store.create(...job.given);
    case "setBase":
      return store.setBase(...job.given);
    case "setTitle":
      return store.setTitle(...job.given);
    case "setArchived":
      return store.setArchived(...job.given);
    case "hide":
      return store.hide(...job.given);
    case "removeSome":
      return store.removeSome();
    case "looseBlobs":
      return store.looseBlobs();
    case "dropBlobs":
      return store.dropBlobs(...job.given);
    case "claim":
      return store.claim(...job.given);
    case "refuse":
      return store.refuse(...job.given);
    case "uninstruct":
      return store.uninstruct(...job.given);
    case "bind":
      return ledger.bind(...job.given);
    case "put":
      return ledger.put(...job.given);
    case "drop":
      return ledger.drop(...job.given);
    case "settle":
      return ledger.settle(...job.given);
    case "arrive":
      return chat.arrive(...job.given);
    case "handled":
      return chat.settle(...job.given);
    case "forget":
      return chat.forget(...job.given);
    case "bindRepo":
      return chat.bind(...job.given);
    case "instruct":
      return chat.instruct(...job.given);
    case "setChannel":
      return chat.setChannel(...job.given);
    case "announced":
      return chat.setAnnounced(...job.given);
    case "joined":
      return chat.joined(...job.given);
    case "heard":
      return chat.setHeard(...job.given);
    case "owe":
      return chat.owe(...job.given);
    case "told":
      return chat.told(...job.given);
    case "tighten":
      return cursors.tighten(...job.given);
    case "spend":
      return purse.spend(...job.given);
    case "carry":
      return purse.carry(...job.given);
    case "setBudget":
      return purse.setBudget(...job.given);
    case "index":
      return search.index();
    case "putAlert":
      return alerts.putAlert(...job.given);
    case "dropAlert":
      return alerts.dropAlert(...job.given);
    case "setNote":
      return alerts.setNote(...job.given);
  }
};

const done = z.object({ kind: z.literal("done") });
const placed = z.object({ key: z.string(), ordinal: z.number(), revision: z.number() });

/** What a write comes to where it does not fail. */
export const written = {
  done,
  indexed: z.object({ kind: z.literal("indexed"), isDone: z.boolean() }),
  arrived: z.object({ kind: z.literal("done"), fresh: z.set(z.string()).readonly() }),
  removed: z.object({ kind: z.literal("removed"), more: z.boolean() }),
  loose: z.object({ kind: z.literal("loose"), hashes: z.array(z.string()).readonly() }),
  created: z.object({ kind: z.literal("created") }),
  committed: z.object({ kind: z.literal("committed"), posts: z.array(placed).readonly() }),
  claimed: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("new") }),
    z.object({ kind: z.literal("known"), outcome: claimOutcome.nullable() }),
  ]),
} as const;

export const writeFailure = z.object({
  kind: z.literal("failed"),
  code: z.enum(["disk_full", "read_only", "io", "conflict", "closing"]),
  message: z.string(),
});
