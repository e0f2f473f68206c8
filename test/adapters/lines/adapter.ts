/** The adapter of the town, as docs/architecture.md says one is written: a door, a surface, a dialect, a line. */

import * as z from "zod";
import { controlsOf } from "../../../adapters/post/controls.ts";
import type { Dialect } from "../../../adapters/post/dialect.ts";
import { createRenderer } from "../../../adapters/post/render.ts";
import type { InboundEvent, Chat, HandleResult, InboxRow } from "../../../src/ports/chat.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Backlog } from "../../../src/ports/chat-rows.ts";
import type { ChatAdapter, ChatInbox } from "../../../src/ports/connection.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { PlatformForms } from "../../../src/ports/platform-entry.ts";
import { clickAction } from "../../../src/ports/questions.ts";
import type { Content, Limits, SendOutcome, Surface } from "../../../src/ports/surface.ts";
import { BOT } from "./town.ts";
import { createWire, type Wire } from "./wire.ts";
import type { Say } from "../../../src/i18n/say.ts";

export const LINES_FORMS: PlatformForms = {
  approvers: [[/^@(\w+)$/, ""]],
  channel: /^#(\w+)$/,
  examples: "alice",
  group: "group",
  admins: "owners and admins",
  server: "server",
  threadName: null,
  noChannel: null,
};

export const createLines = (port: number, clock: Pick<Clock, "after">): ChatAdapter => {
  let wire: Wire | null = null;
  const ask = (request: object): Promise<unknown> => wire?.ask(request) ?? Promise.resolve(null);
  return {
    rules: { drivers: "members", requests: null, places: null },
    surface: createSurface(ask),
    renderer: (say) => createRenderer(dialectIn(say)),
    opener: {
      open: () => Promise.resolve({ kind: "refused", why: "there are no new threads", permanent: true }),
      link: () => Promise.resolve(null),
    },
    tell: () => Promise.resolve({ kind: "refused", why: "there is no channel for it" }),
    cards: { show: () => Promise.resolve(NO_CARDS), remove: () => Promise.resolve(NO_CARDS) },
    readName: () => Promise.resolve({ kind: "unread", why: "places have no names" }),
    readThread: () => Promise.resolve(null),
    line: {
      standing: () => (wire?.isOpen() === true ? "on" : "not connected"),
      failed: new Promise(() => undefined),
      start: (host) =>
        new Promise((connected) => {
          const platform = createPlatform(ask);
          const room = host.attend((own) => ({
            person: (_channel, ...asked) => platform.person(...asked),
            handle: createHandle(own.talk(`@${BOT}`, platform)),
            backlog: createBacklog(ask),
            approvals: null,
          }));
          wire = createWire(port, clock, {
            hears: (event) => void arrive(room, event),
            changed: (isOpen) => {
              room.connected(isOpen);
              if (isOpen) connected(null);
            },
          });
        }),
      listen: () => undefined,
      heard: () => undefined,
      leave: () => Promise.resolve(),
      close: () => {
        wire?.close();
        return Promise.resolve();
      },
    },
  };
};

const NO_CARDS = { kind: "refused", why: "there is no channel for it", permanent: true } as const;

type AskTown = (request: object) => Promise<unknown>;

const message = z.object({
  id: z.string(),
  place: z.string(),
  root: z.string().nullable(),
  person: z.string(),
  text: z.string(),
  key: z.string().nullable(),
});
const clicked = z.object({
  id: z.string(),
  place: z.string(),
  root: z.string().nullable(),
  person: z.string(),
  action: z.string(),
  value: z.string(),
});
const event = z.union([z.object({ said: message }), z.object({ clicked })]);
const done = z.union([z.object({ id: z.string() }), z.object({ gone: z.literal(true) })]);
const listed = z.object({ messages: z.array(message) });

const arrive = async (room: ChatInbox, body: unknown): Promise<void> => {
  const heard = event.safeParse(body).data;
  if (heard === undefined) return;
  if ("said" in heard) await room.arrive(arrivalOf(heard.said));
  else await room.arrive({ id: heard.clicked.id, lane: heard.clicked.value, body, insist: true });
};

const arrivalOf = (said: z.output<typeof message>): InboundEvent => {
  const { id, place, root } = said;
  return {
    id,
    lane: `${place}/${root ?? id}`,
    body: { said },
    from: { place, root: root ?? id, position: id },
  };
};

const createHandle =
  (chat: Chat) =>
  async ({ id: arrival, body }: InboxRow, last: boolean): Promise<HandleResult> => {
    const heard = event.parse(body);
    if ("clicked" in heard) {
      const { place, root, person, action, value } = heard.clicked;
      const known = clickAction(action);
      const click = { id: arrival, place, root, person, value, direct: false, comment: null, quiet: false };
      return chat.clicked({ ...click, action: known });
    }
    const { id, place, root, person, text } = heard.said;
    if (person === BOT) return "done";
    const said = {
      id: `message/${id}`,
      message: id,
      place,
      root,
      direct: false,
      person,
      text: text.replaceAll(`@${BOT}`, "").trim(),
      addressed: text.includes(`@${BOT}`),
      files: [],
      shown: [],
      about: null,
    };
    return chat.said(said, last);
  };

const createBacklog = (ask: AskTown): Backlog => ({
  missed: async ({ place, root, since }) => {
    const all = listed.safeParse(await ask({ do: "list", place, root, since })).data?.messages;
    if (all === undefined) return UNKNOWN;
    const [ours, theirs] = [
      all.filter(({ person }) => person === BOT),
      all.filter(({ person }) => person !== BOT),
    ];
    return {
      kind: "read",
      arrivals: theirs.map((one) => ({ arrival: arrivalOf(one), position: one.id, isTaken: false })),
      ours: ours.map(({ id, key }) => ({ id, mark: key ?? "" })),
    };
  },
  markOf: (wire) => wire,
});

const limits: Limits = {
  text: 2_000,
  units: "utf16",
  observes: true,
  budgetOf: () => ({ name: "lines", burst: 100, every: 10 }),
  begins: () => false,
  parallel: 8,
  patienceOf: () => 0,
  hintLasts: 60_000,
  editEvery: 20,
  editAtMost: 1_000,
  routeOf: (call, { root }) => `${call} ${root}`,
};

const createSurface = (ask: AskTown): Surface => {
  const tell = async (request: object): Promise<SendOutcome> => {
    const answer = done.safeParse(await ask(request)).data;
    if (answer === undefined) return UNKNOWN;
    return "gone" in answer
      ? { kind: "gone", what: "message", why: "it was deleted" }
      : { kind: "done", id: answer.id };
  };
  return {
    limits,
    open: ({ root }) => Promise.resolve({ kind: "done", id: root }),
    hint: ({ root }, text) => tell({ do: "show", root, text }),
    apply: (operation) => {
      const { thread, wire } = operation;
      switch (operation.kind) {
        case "send":
        case "upload":
          return tell({
            do: "send",
            place: thread.place,
            root: thread.root,
            key: wire,
            ...bodyOf(operation.content),
          });
        case "edit":
        case "finish":
          return tell({ do: "edit", id: operation.id, ...bodyOf(operation.content) });
        case "status":
          return operation.id === null
            ? tell({
                do: "send",
                place: thread.place,
                root: thread.root,
                key: wire,
                ...bodyOf(operation.content),
              })
            : tell({ do: "edit", id: operation.id, ...bodyOf(operation.content) });
        case "delete":
          return tell({ do: "delete", id: operation.id });
      }
    },
    observe: async ({ place, root }, since) => {
      const all = listed.safeParse(await ask({ do: "list", place, root, since: since ?? "" })).data;
      if (all === undefined) return UNKNOWN;
      const ours = all.messages.filter(({ person }) => person === BOT);
      return { kind: "seen", messages: ours.map(({ id, key }) => ({ id, wire: key, hash: null })) };
    },
    answer: ({ place, root, person }, { text }, once) =>
      tell({
        do: "send",
        place,
        root,
        key: once?.key ?? `${person} ${text}`,
        text: `(${person}) ${text}`,
        buttons: [],
      }),
  };
};

const UNKNOWN = { kind: "unknown", why: "no answer came" } as const;

const bodyOf = ({ lead, text, below = [], buttons }: Content) => ({
  text: [
    lead ?? "",
    text,
    ...below.flatMap((one) =>
      one.kind === "steps" ? [] : [one.kind === "host" ? `-- ${one.text}` : one.text],
    ),
  ]
    .filter((part) => part !== "")
    .join("\n"),
  buttons: controlsOf(buttons),
});

const same = (text: string): string => text;
const dialectIn = (say: Say): Dialect => ({
  platform: "The town",
  marks: { say, code: same, plain: same, thread: same, link: (text, url) => `${text} (${url})` },
  code: same,
  bold: same,
  italic: same,
  markdown: same,
  linked: same,
  time: () => "then",
  buttonsFirst: false,
  marksButtons: false,
  isPublic: false,
  files: 5,
});

const createPlatform = (ask: AskTown): ChatPlatform => ({
  server: null,
  person: (id) =>
    Promise.resolve({
      kind: "person",
      person: { id, name: id, standing: "member", admin: id === "alice", groups: [] },
    }),
  label: (id) => Promise.resolve(`@${id}`),
  earlier: () => Promise.resolve({ kind: "messages", messages: [], cut: false }),
  shown: () => Promise.resolve([]),
  fetch: () => Promise.resolve({ kind: "refused", why: "there are no files" }),
  tags: () => Promise.resolve({ kind: "tags", tags: [] }),
  audience: () => Promise.resolve("public"),
  link: () => Promise.resolve(null),
  isPrivate: () => false,
  whisper: async ({ place, root, person }, { text }) => {
    await ask({
      do: "send",
      place,
      root,
      key: `${person} ${text}`,
      text: `(${person}) ${text}`,
      buttons: [],
    });
  },
  put: () => Promise.resolve({ kind: "refused", why: "Write it yourself." }),
  bindsByItself: false,
  pick: () => Promise.resolve(null),
  unpick: () => Promise.resolve(),
  reread: () => Promise.resolve(null),
});
