/** views.open and views.update: modals. */

import { z } from "zod";
import { deepestComplaint } from "../../shared/complaint.ts";
import { withIds } from "../people/content.ts";
import { json, method, type Method } from "../method.ts";
import { ok, type Outcome, type Refused, refuse, violate } from "../outcome.ts";
import type { Slack } from "../slack.ts";
import { type View, viewWire } from "../people/views.ts";
import { app, type Json } from "../world.ts";

const open = method({
  tier: 4,
  args: { trigger_id: z.string(), view: json },
  run: (slack, args): Outcome => {
    const view = acceptView(slack, args.view);
    if (view.kind === "refused") {
      return view;
    }
    const redeemed = slack.triggers.redeem(args.trigger_id);
    if (redeemed.kind !== "redeemed") {
      return refuse(redeemed.kind);
    }
    return shown(slack, slack.world.nextId("V"), redeemed.user, view.value);
  },
});

const update = method({
  tier: 4,
  args: {
    view: json,
    view_id: z.string().optional(),
    external_id: z.string().optional(),
    hash: z.string().optional(),
  },
  run: (slack, args): Outcome => {
    const view = acceptView(slack, args.view);
    if (view.kind === "refused") {
      return view;
    }
    const known = slack.views.open.get(args.view_id ?? "");
    if (known === undefined) {
      return refuse("not_found");
    }
    return args.hash !== undefined && args.hash !== known.hash
      ? refuse("hash_conflict")
      : shown(slack, known.id, known.user, view.value);
  },
});

export const viewMethods: Readonly<Record<string, Method>> = {
  "views.open": open,
  "views.update": update,
};

/** A modal with every id filled in, or why Slack refuses it. */
export const acceptView = (
  slack: Slack,
  given: unknown,
  type: "ModalView" | "HomeView" = "ModalView",
): { readonly kind: "view"; readonly value: Json } | Refused => {
  const fits = slack.schema.accepts(type);
  if (!fits(given)) {
    const { pointer, reason } = deepestComplaint(fits.errors);
    return violate("invalid_arguments", `view${pointer}: ${reason}`, [
      `[ERROR] ${reason} [json-pointer:/view${pointer}]`,
    ]);
  }
  const view = z.looseObject({ blocks: z.array(z.record(z.string(), z.unknown())) }).parse(given);
  return {
    kind: "view",
    value: { ...view, blocks: withIds(view.blocks, () => slack.world.nextId("b")) },
  };
};

const shown = (slack: Slack, id: string, user: string, view: Json): Outcome => {
  const made: View = { id, user, view, hash: slack.world.nextId("hash") };
  slack.views.put(made);
  return ok({ view: { ...viewWire(made), bot_id: app.bot } });
};
