/** What a person does with what the app offers: buttons, menus, shortcuts, commands, modals. */

import { z } from "zod";
import { mustFit } from "../../shared/complaint.ts";
import { buttonNamed, noteClick, optionNamed } from "../controls.ts";
import type { Delivery, DeliveryEnd, EnvelopeType } from "../deliveries.ts";
import { filledIn } from "./form.ts";
import type { Address } from "./human.ts";
import type { ResponseTarget } from "../response-urls.ts";
import type { Emitted } from "../schema.ts";
import type { Slack } from "../slack.ts";
import { type View, viewWire } from "./views.ts";
import { viewAsText } from "../render.ts";
import { messageWire } from "../wire.ts";
import { app, type Ephemeral, type Json, type Message, team, type User } from "../world.ts";

export interface Interaction {
  readonly trigger: string;
  /** Empty where the payload has none. */
  readonly responseUrl: string;
  /** `unacknowledged`: the person saw an error. */
  readonly ended: Promise<DeliveryEnd>;
}

export interface Interactions {
  /** Presses the button that says so below a message, an ephemeral one included. */
  click(message: Address, label: string): Interaction;
  /** Takes that option of a menu below a message. */
  choose(message: Address, label: string): Interaction;
  /** Uses a message shortcut. */
  messageShortcut(callbackId: string, message: Address): Interaction;
  globalShortcut(callbackId: string): Interaction;
  /** `/parley …` in a channel; Slack has no commands in threads. */
  command(command: string, text: string, channel: string): Interaction;
  /** The modals open before this person, the newest last. */
  views(): readonly View[];
  /** Presses the button that says so in the open modal. */
  press(label: string): Interaction;
  /** The Home tab as the person reads it; empty where nothing is published. */
  home(): string;
  /** Presses the button that says so in the Home tab: the first, or the one below those words. */
  pressHome(label: string, below?: string): Interaction;
  /** Fills in the open modal, by label, block or action id, and submits it. */
  submit(values: Readonly<Record<string, string>>): Interaction;
}

export const createInteractions = (slack: Slack, user: User): Interactions => {
  const { world } = slack;
  const frame = (): Json => ({
    token: "verification",
    api_app_id: app.id,
    team: { id: team.id, domain: team.domain },
    user: { id: user.id, username: user.name, name: user.name, team_id: user.team },
    is_enterprise_install: false,
  });
  const send = (
    type: EnvelopeType,
    shape: Emitted,
    payload: Json,
    target?: ResponseTarget,
  ): Interaction & Pick<Delivery, "ended"> => {
    const trigger = slack.triggers.issue(user.id);
    const responseUrl = target === undefined ? "" : slack.responseUrls.issue(target);
    const whole = {
      ...payload,
      trigger_id: trigger,
      ...(responseUrl === "" ? {} : { response_url: responseUrl }),
    };
    mustFit(slack.schema.emits(shape), whole);
    const { ended } = slack.deliver(type, whole);
    return { trigger, responseUrl, ended };
  };

  /** What the address names, as this person sees it. */
  const seen = ({ channel, ts }: Address): Shown => {
    const ephemeral = world.ephemerals.find(
      (one) => one.channel === channel && one.ts === ts && one.for === user.id,
    );
    const message = world.message(channel, ts);
    if (
      ephemeral === undefined &&
      (message === undefined || world.channels.get(channel)?.members.has(user.id) !== true)
    ) {
      throw new Error(`${user.name} sees no message ${ts} in ${channel}`);
    }
    return ephemeral === undefined && message !== undefined
      ? { kind: "message", value: message }
      : { kind: "ephemeral", value: ephemeral ?? missing() };
  };

  const act = (address: Address, shape: Emitted, block: Json, action: Json): Interaction => {
    const shown = seen(address);
    const { threadTs } = shown.value;
    const thread = threadTs === undefined ? {} : { threadTs };
    return send(
      "interactive",
      shape,
      {
        ...frame(),
        type: "block_actions",
        container: {
          type: "message",
          message_ts: address.ts,
          channel_id: address.channel,
          is_ephemeral: shown.kind === "ephemeral",
          ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
        },
        channel: channelPart(slack, address.channel),
        ...(shown.kind === "message" ? { message: messageWire(world, shown.value, slack.baseUrl) } : {}),
        state: { values: {} },
        actions: [{ ...action, block_id: block["block_id"], action_ts: world.nextTs() }],
      },
      { channel: address.channel, user: user.id, ...thread, original: { kind: shown.kind, ts: address.ts } },
    );
  };

  const opened = (): View => {
    const view = [...slack.views.open.values()].findLast((one) => one.user === user.id);
    if (view === undefined) throw new Error(`no modal is open before ${user.name}`);
    return view;
  };

  return {
    click: (address, label) => {
      const { value } = seen(address);
      const { block, element } = buttonNamed(value.blocks ?? [], label);
      noteClick(world, value, user.id, label);
      const isFeedback = element["type"] === "feedback_buttons";
      return act(address, isFeedback ? "BlockFeedbackButtonsAction" : "BlockButtonAction", block, element);
    },
    choose: (address, label) => {
      const { block, element, option } = optionNamed(seen(address).value.blocks ?? [], label);
      const shape = element["type"] === "overflow" ? "BlockOverflowAction" : "BlockStaticSelectAction";
      const { options: _options, option_groups: _groups, ...action } = element;
      return act(address, shape, block, { ...action, selected_option: option });
    },
    messageShortcut: (callbackId, address) => {
      const shown = seen(address);
      if (shown.kind === "ephemeral") {
        throw new Error("an ephemeral message has no shortcuts");
      }
      return send(
        "interactive",
        "MessageShortcut",
        {
          ...frame(),
          type: "message_action",
          callback_id: callbackId,
          action_ts: world.nextTs(),
          message_ts: address.ts,
          message: messageWire(world, shown.value, slack.baseUrl),
          channel: channelPart(slack, address.channel),
        },
        { channel: address.channel, user: user.id, original: { kind: "message", ts: address.ts } },
      );
    },
    globalShortcut: (callbackId) =>
      send("interactive", "GlobalShortcut", {
        ...frame(),
        type: "shortcut",
        callback_id: callbackId,
        action_ts: world.nextTs(),
      }),
    command: (command, text, name) => {
      const channel = world.channelNamed(name);
      return send(
        "slash_commands",
        "SlashCommand",
        {
          token: "verification",
          command,
          text: slack.escapesCommands ? escaped(slack, text) : text,
          user_id: user.id,
          user_name: user.name,
          team_id: team.id,
          team_domain: team.domain,
          channel_id: channel.id,
          channel_name: channel.kind === "im" ? "directmessage" : channel.name,
          api_app_id: app.id,
          is_enterprise_install: "false",
        },
        { channel: channel.id, user: user.id },
      );
    },
    views: () => [...slack.views.open.values()].filter((view) => view.user === user.id),
    press: (label) => {
      const view = opened();
      const blocks = z.array(z.record(z.string(), z.unknown())).parse(view.view["blocks"]);
      const { block, element } = buttonNamed(blocks, label);
      return send("interactive", "BlockButtonAction", {
        ...frame(),
        type: "block_actions",
        container: { type: "view", view_id: view.id },
        view: viewWire(view),
        response_url: "",
        actions: [{ ...element, block_id: block["block_id"], action_ts: world.nextTs() }],
      });
    },
    home: () => {
      const view = slack.views.homes.get(user.id);
      return view === undefined ? "" : viewAsText(world, { title: { text: "Home" }, ...view.view });
    },
    pressHome: (label, below = "") => {
      const view = slack.views.homes.get(user.id);
      if (view === undefined) throw new Error(`${user.name} has no Home tab`);
      const blocks = z.array(z.record(z.string(), z.unknown())).parse(view.view["blocks"]);
      const from = blocks.findIndex((one) => JSON.stringify(one).includes(below));
      const { block, element } = buttonNamed(blocks.slice(Math.max(0, from)), label);
      return send("interactive", "BlockButtonAction", {
        ...frame(),
        type: "block_actions",
        container: { type: "view", view_id: view.id },
        view: { title: { type: "plain_text", text: "View Title", emoji: true }, ...viewWire(view) },
        response_url: "",
        actions: [{ ...element, block_id: block["block_id"], action_ts: world.nextTs() }],
      });
    },
    submit: (values) => {
      const view = opened();
      const sent = send("interactive", "ViewSubmitAction", {
        ...frame(),
        type: "view_submission",
        view: viewWire(view, filledIn(view, values)),
      });
      return { ...sent, ended: sent.ended.then((end) => closed(slack, view, end)) };
    },
  };
};

/** `should_escape`: people and channels by id with their names, addresses in brackets, and Slack's three entities. */
const escaped = ({ world }: Slack, text: string): string => {
  const people = new Map(
    [...world.users.values()].map(({ id, name, display }) => [display ?? name, { id, name }]),
  );
  const channels = new Map([...world.channels.values()].map(({ id, name }) => [name, id]));
  return text
    .split(/(<(?:[@#]|!subteam)[^<>]*>|(?<=^|\s)[@#][\w.-]+|https?:\/\/\S+)/)
    .map((part, index) => {
      if (index % 2 === 0)
        return part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      const person = part.startsWith("@") ? people.get(part.slice(1)) : undefined;
      if (person !== undefined) return `<@${person.id}|${person.name}>`;
      const channel = part.startsWith("#") ? channels.get(part.slice(1)) : undefined;
      if (channel !== undefined) return `<#${channel}|${part.slice(1)}>`;
      if (part.startsWith("@") && world.groups.has(`S${part.slice(1).toUpperCase()}`))
        return `<!subteam^S${part.slice(1).toUpperCase()}|${part}>`;
      return part.startsWith("http") ? `<${part}>` : part;
    })
    .join("");
};

type Shown =
  | { readonly kind: "message"; readonly value: Message }
  | { readonly kind: "ephemeral"; readonly value: Ephemeral };

const missing = (): never => {
  throw new Error("no such message");
};

const channelPart = (slack: Slack, id: string): Json => {
  const channel = slack.world.channels.get(id);
  return { id, name: channel?.kind === "im" ? "directmessage" : (channel?.name ?? id) };
};

/** What the acknowledgement of a submission does to the modal: errors and updates keep it open. */
const closed = (slack: Slack, view: View, end: DeliveryEnd): DeliveryEnd => {
  if (
    end.kind === "acknowledged" &&
    end.payload["response_action"] !== "errors" &&
    end.payload["response_action"] !== "update"
  ) {
    slack.views.close(view.id);
  }
  return end;
};
