/** views.publish: the Home tab. */

import { z } from "zod";
import { json, method, type Method } from "../method.ts";
import { ok, type Outcome, refuse, violate } from "../outcome.ts";
import { viewWire } from "../people/views.ts";
import { acceptView } from "./views.ts";

/** The reference names the surfaces of each kind of block; the others are for messages. */
const onHome = new Set([
  "actions",
  "context",
  "divider",
  "header",
  "image",
  "input",
  "rich_text",
  "section",
  "video",
]);
const mostBlocks = 100;
const mostBytes = 250_000;

const publish = method({
  tier: 4,
  args: { user_id: z.string(), view: json, hash: z.string().optional() },
  run: (slack, args): Outcome => {
    if (!slack.hasHome) return refuse("not_enabled");
    const view = acceptView(slack, args.view, "HomeView");
    if (view.kind === "refused") return view;
    const blocks = z.array(z.looseObject({ type: z.string() })).parse(view.value["blocks"]);
    const strange = blocks.findIndex(({ type }) => !onHome.has(type));
    if (strange !== -1) {
      const reason = `unsupported type: ${blocks[strange]?.type ?? ""}`;
      return violate("invalid_arguments", `view/blocks/${strange}: ${reason}`, [
        `[ERROR] ${reason} [json-pointer:/view/blocks/${strange}/type]`,
      ]);
    }
    if (blocks.length > mostBlocks) {
      return violate("invalid_arguments", `${blocks.length} blocks on a Home tab`);
    }
    if (Buffer.byteLength(JSON.stringify(args.view)) > mostBytes) {
      return violate("view_too_large", "a view over 250 kB");
    }
    const person = slack.world.users.get(args.user_id);
    if (person === undefined) return refuse("user_not_found");
    const known = slack.views.homes.get(person.id);
    if (args.hash !== undefined && args.hash !== known?.hash) return refuse("hash_conflict");
    const id = known?.id ?? slack.world.nextId("V");
    const made = { id, user: person.id, view: view.value, hash: slack.world.nextId("hash") };
    slack.views.publish(made);
    return ok({ view: viewWire(made) });
  },
});

export const homeMethods: Readonly<Record<string, Method>> = { "views.publish": publish };
