/**
 * A chat platform that speaks lines of JSON over a socket: it keeps the messages, tells every client what people write and
 * click, and answers each request once, unless a test takes the answer away.
 */

import { createServer, type Socket } from "node:net";
import { once } from "node:events";
import { createInterface } from "node:readline";
import * as z from "zod";

export interface Message {
  /** Its place among all, and its id: `m000007`. */
  readonly id: string;
  readonly place: string;
  /** The message that the thread hangs on; null at the top of a place. */
  readonly root: string | null;
  readonly person: string;
  readonly text: string;
  readonly buttons: readonly Button[];
  /** What the bot names a message of its own by. */
  readonly key: string | null;
}

const button = z.object({ action: z.string(), label: z.string(), value: z.string() });
export type Button = z.output<typeof button>;

const request = z.discriminatedUnion("do", [
  z.object({
    do: z.literal("send"),
    no: z.int(),
    place: z.string(),
    root: z.string().nullable(),
    key: z.string(),
    text: z.string(),
    buttons: z.array(button),
  }),
  z.object({
    do: z.literal("edit"),
    no: z.int(),
    id: z.string(),
    text: z.string(),
    buttons: z.array(button),
  }),
  z.object({ do: z.literal("delete"), no: z.int(), id: z.string() }),
  z.object({
    do: z.literal("list"),
    no: z.int(),
    place: z.string(),
    root: z.string().nullable(),
    since: z.string(),
  }),
  z.object({ do: z.literal("show"), no: z.int(), root: z.string(), text: z.string().nullable() }),
]);
export type Request = z.output<typeof request>;

export const BOT = "parley";

export interface Town {
  readonly port: number;
  readonly requests: readonly Request[];
  say(person: string, place: string, text: string, root?: string | null): Message;
  click(person: string, message: Message, label: string): void;
  /** A thread as people read it. */
  read(root: string): string;
  thread(root: string): readonly Message[];
  /** The next request of the kind is done, and its answer is lost with the connection. */
  loseAnswerTo(kind: Request["do"]): void;
  /** Nobody is connected any more, and nobody can connect until `open`. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export const createTown = async (): Promise<Town> => {
  const messages = new Map<string, Message>();
  const requests: Request[] = [];
  const clients = new Set<Socket>();
  let no = 0;
  let lost: Request["do"] | null = null;
  let isShut = false;

  const put = (message: Omit<Message, "id">): Message => {
    no += 1;
    const whole = { ...message, id: `m${String(no).padStart(6, "0")}` };
    messages.set(whole.id, whole);
    return whole;
  };

  const tell = (event: object): void => {
    for (const client of clients) client.write(`${JSON.stringify(event)}\n`);
  };

  const done = (asked: Request): object => {
    switch (asked.do) {
      case "send": {
        const { place, root, key, text, buttons } = asked;
        const before = [...messages.values()].find((one) => one.key === key);
        return { id: (before ?? put({ place, root, key, text, buttons, person: BOT })).id };
      }
      case "edit": {
        const known = messages.get(asked.id);
        if (known === undefined) return { gone: true };
        messages.set(asked.id, { ...known, text: asked.text, buttons: asked.buttons });
        return { id: asked.id };
      }
      case "delete":
        return messages.delete(asked.id) ? { id: asked.id } : { gone: true };
      case "list":
        return { messages: [...messages.values()].filter((one) => isIn(one, asked) && one.id > asked.since) };
      case "show":
        return { id: asked.root };
    }
  };

  const serve = (client: Socket): void => {
    if (isShut) return void client.destroy();
    clients.add(client);
    client.on("close", () => clients.delete(client)).on("error", () => undefined);
    const lines = createInterface(client).on("error", () => undefined);
    lines.on("line", (line) => {
      const asked = request.parse(JSON.parse(line));
      requests.push(asked);
      const answer = done(asked);
      if (lost !== asked.do) return void client.write(`${JSON.stringify({ to: asked.no, ...answer })}\n`);
      lost = null;
      clients.delete(client);
      client.destroy();
    });
  };

  const server = createServer(serve).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = z.object({ port: z.int() }).parse(server.address());
  const thread = (root: string): readonly Message[] =>
    [...messages.values()].filter((one) => one.id === root || one.root === root);

  return {
    port: address.port,
    requests,
    say: (person, place, text, root = null) => {
      const said = put({ place, root, person, text, buttons: [], key: null });
      tell({ said });
      return said;
    },
    click: (person, { id }, label) => {
      const message = messages.get(id);
      const pressed = message?.buttons.find((one) => one.label === label);
      if (message === undefined || pressed === undefined) throw new Error(`there is no ${label}`);
      no += 1;
      tell({ clicked: { id: `c${no}`, person, place: message.place, root: message.root, ...pressed } });
    },
    thread,
    read: (root) =>
      thread(root)
        .map(({ person, text, buttons }) =>
          [`${person}: ${text}`, ...buttons.map(({ label }) => `[${label}]`)].join("\n"),
        )
        .join("\n"),
    loseAnswerTo: (kind) => {
      lost = kind;
    },
    shut: () => {
      isShut = true;
      for (const client of clients) client.destroy();
      clients.clear();
    },
    open: () => {
      isShut = false;
    },
    close: async () => {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, "close");
    },
  };
};

const isIn = (
  one: Message,
  { place, root }: { readonly place: string; readonly root: string | null },
): boolean =>
  one.place === place && (root === null ? one.root === null : one.root === root || one.id === root);
