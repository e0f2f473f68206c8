/** Answers to interactions: the callback, and the webhook that the token opens. */

import { z } from "zod";
import { change, post, remove } from "../people/acts.ts";
import { EPHEMERAL, LOADING, editRefusal, refusalOf } from "../content.ts";
import type { Discord } from "../discord.ts";
import { draftOf, edited, messageBody, uploaded } from "../draft.ts";
import type { InteractionEnd, Live } from "../interactions.ts";
import { invalidForm, nothing, ok, type Outcome, refuse, violate } from "../outcome.ts";
import type { Ask, Routes } from "../route.ts";
import { messageWire } from "../wire.ts";
import { blankMessage, type Json, type Message } from "../world.ts";

export const interactionRoutes: Routes = {
  "POST /interactions/{interaction}/{token}/callback": {
    takes: (_discord, ask) =>
      callbackSchemas[Number(Object(ask.body).type)] ?? "PongInteractionCallbackRequest",
    isOpen: true,
    serve: (discord, ask) => callback(discord, ask),
  },
  "POST /webhooks/{app}/{token}": {
    takes: "IncomingWebhookInteractionRequest",
    isOpen: true,
    serve: (discord, ask) => onToken(discord, ask, (live) => followUp(discord, live, ask)),
  },
  "GET /webhooks/{app}/{token}/messages/{message}": {
    answers: "MessageResponse",
    isOpen: true,
    serve: (discord, ask) =>
      onAnswer(discord, ask, (message) => ok(messageWire(discord.world, message, discord.baseUrl))),
  },
  "PATCH /webhooks/{app}/{token}/messages/{message}": {
    takes: "IncomingWebhookUpdateRequestPartial",
    answers: "MessageResponse",
    isOpen: true,
    serve: (discord, ask) =>
      onAnswer(discord, ask, (message, live) => {
        const after = edited(discord, message, messageBody(ask.body), ask.files);
        const settled = { ...after, flags: after.flags & ~LOADING };
        const wrong = editRefusal(message.flags, draftOf(settled));
        if (wrong !== undefined) return wrong;
        discord.interactions.tell(live, settled.content);
        return ok(messageWire(discord.world, change(discord, settled), discord.baseUrl));
      }),
  },
  "DELETE /webhooks/{app}/{token}/messages/{message}": {
    isOpen: true,
    serve: (discord, ask) =>
      onAnswer(discord, ask, (message) => {
        remove(discord, [message]);
        return nothing;
      }),
  },
};

/** By the callback's type. */
const callbackSchemas: Readonly<Record<number, string>> = {
  1: "PongInteractionCallbackRequest",
  4: "CreateMessageInteractionCallbackRequest",
  5: "CreateMessageInteractionCallbackRequest",
  6: "UpdateMessageInteractionCallbackRequest",
  7: "UpdateMessageInteractionCallbackRequest",
  8: "ApplicationCommandAutocompleteCallbackRequest",
  9: "ModalInteractionCallbackRequest",
};

const callback = (discord: Discord, ask: Ask): Outcome => {
  const { interactions, world } = discord;
  const live = interactions.byId(ask.param("interaction"));
  if (live === undefined || live.token !== ask.param("token")) return refuse("unknownInteraction");
  if (live.answer !== null) return refuse("alreadyAcknowledged");
  if (interactions.isExpired(live)) return refuse("unknownInteraction");
  const { type, data = {} } = callbackSchema.parse(ask.body);
  const end = answered(discord, live, type, data, ask);
  if (end.kind === "refused") return end;
  interactions.answer(live, end);
  if (ask.query["with_response"] !== "true") return nothing;
  const message = live.original === null ? undefined : world.message(live.channel, live.original);
  return ok({
    interaction: {
      id: live.id,
      type: live.type,
      response_message_ephemeral: message?.onlyFor !== null,
      response_message_id: message?.id,
    },
    ...(message === undefined
      ? {}
      : { resource: { type, message: messageWire(world, message, discord.baseUrl) } }),
  });
};

const answered = (
  discord: Discord,
  live: Live,
  type: number,
  data: Json,
  ask: Ask,
): InteractionEnd | Extract<Outcome, { kind: "refused" }> => {
  switch (type) {
    case 4: {
      const message = answerOf(discord, live, data, ask.files);
      if (message.kind === "refused") return message;
      live.original = message.message.id;
      discord.interactions.tell(live, message.message.content);
      return { kind: "replied", message: message.message.id, ephemeral: message.message.onlyFor !== null };
    }
    case 5: {
      const flags = Number(data["flags"] ?? 0);
      if ((flags & ~EPHEMERAL) !== 0)
        return invalidForm([
          { path: ["data", "flags"], code: "BAD_FLAGS", message: "Only EPHEMERAL can be set." },
        ]);
      const { id } = post(discord, { ...fromInteraction(discord, live, flags | LOADING), content: "" });
      live.original = id;
      return { kind: "deferred", message: id, ephemeral: flags !== 0 };
    }
    case 6:
      if (live.message === null)
        return violate("invalidForm", "only a component's interaction can be answered by an update");
      live.original = live.message;
      return { kind: "deferredUpdate" };
    case 7: {
      const before = live.message === null ? undefined : discord.world.message(live.channel, live.message);
      if (before === undefined)
        return violate("invalidForm", "only a component's interaction can be answered by an update");
      const after = edited(discord, before, messageBody(data), ask.files);
      const wrong = editRefusal(before.flags, draftOf(after));
      if (wrong !== undefined) return wrong;
      change(discord, after);
      live.original = before.id;
      return { kind: "updated" };
    }
    case 8:
      return { kind: "choices", choices: z.array(z.unknown()).catch([]).parse(data["choices"]) };
    case 9:
      return live.type === 5
        ? violate("invalidForm", "a modal cannot be answered by a modal")
        : { kind: "modal", modal: data };
    default:
      return violate("invalidForm", `callback type ${type}`);
  }
};

const followUp = (discord: Discord, live: Live, ask: Ask): Outcome => {
  const { world } = discord;
  const waiting = live.original === null ? undefined : world.message(live.channel, live.original);
  if (live.answer?.kind === "deferred" && waiting !== undefined && (waiting.flags & LOADING) !== 0) {
    // The first follow-up takes the place of "is thinking".
    const after = edited(discord, waiting, messageBody(ask.body), ask.files);
    const settled = { ...after, flags: (waiting.flags | after.flags) & ~LOADING, editedAt: null };
    const wrong = refusalOf(draftOf(settled));
    if (wrong !== undefined) return wrong;
    discord.interactions.tell(live, settled.content);
    return ok(messageWire(world, change(discord, settled), discord.baseUrl));
  }
  const message = answerOf(discord, live, ask.body, ask.files);
  return message.kind === "refused" ? message : ok(messageWire(world, message.message, discord.baseUrl));
};

type Answer = { readonly kind: "made"; readonly message: Message } | Extract<Outcome, { kind: "refused" }>;

const answerOf = (discord: Discord, live: Live, given: unknown, files: Ask["files"]): Answer => {
  const body = messageBody(given);
  const draft = {
    content: body.content ?? "",
    components: body.components ?? [],
    embeds: body.embeds ?? [],
    attachments: uploaded(discord, body, files),
  };
  const flags = body.flags ?? 0;
  const wrong = refusalOf(draftOf({ ...draft, flags }));
  if (wrong !== undefined) return wrong;
  return {
    kind: "made",
    message: post(discord, {
      ...fromInteraction(discord, live, flags),
      ...draft,
      allowedMentions: body.allowed_mentions,
    }),
  };
};

const fromInteraction = ({ world }: Discord, live: Live, flags: number) => ({
  ...blankMessage,
  channel: live.channel,
  author: world.app.bot,
  type: live.type === 2 ? 20 : 19,
  flags,
  onlyFor: (flags & EPHEMERAL) === 0 ? null : live.user,
  interaction: { id: live.id, user: live.user, type: live.type },
});

const onToken = (discord: Discord, ask: Ask, then: (live: Live) => Outcome): Outcome => {
  const live = discord.interactions.byToken(ask.param("token"));
  if (live === undefined || ask.param("app") !== discord.world.app.id) return refuse("unknownWebhook");
  if (live.answer === null) return refuse("unknownWebhook");
  return discord.interactions.isExpired(live) ? refuse("invalidWebhookToken") : then(live);
};

const onAnswer = (discord: Discord, ask: Ask, then: (message: Message, live: Live) => Outcome): Outcome =>
  onToken(discord, ask, (live) => {
    const name = decodeURIComponent(ask.param("message"));
    const id = name === "@original" ? live.original : name;
    const message = id === null ? undefined : discord.world.message(live.channel, id);
    return message === undefined || message.author !== discord.world.app.bot
      ? refuse("unknownMessage")
      : then(message, live);
  });

const callbackSchema = z.object({
  type: z.int(),
  data: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((data) => data ?? undefined),
});
