/**
 * Connections that wait for a person at the forge's page. The request is stored, so that the next process continues to ask the
 * forge. Only the leading host asks, at the pace that the forge demands.
 */

import { z } from "zod";
import type { Millis, PersonId } from "../../../machine/id.ts";
import type { ChannelAddress } from "../../../ports/channels.ts";
import { pause as wait } from "../../../ports/host.ts";
import type { LocalizedText } from "../../../i18n/say.ts";
import { createRepeatingTask } from "../../../runtime/bot/repeating-task.ts";
import { openSealedText, sealText } from "../../../store/base/seal.ts";
import { jsonIn } from "../../../text/json.ts";
import type { ConnectClient } from "./client.ts";
import {
  type AccountRead,
  type DeviceCode,
  type ForgeTokens,
  pollDeviceFlow,
  readAccount,
  revokeToken,
  startDeviceFlow,
} from "./device-flow.ts";
import type { SignInRow } from "./rows.ts";
import type { PeopleTokens, TokensDeps } from "./tokens.ts";
import type { TellPerson } from "./tell.ts";

export type SignInResult =
  | { readonly kind: "code"; readonly code: ShownCode }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "unreached" }
  /** The host cannot store tokens. `why` is for the operator. */
  | { readonly kind: "unsealed"; readonly why: string }
  | { readonly kind: "failed"; readonly message: string };

export interface ShownCode extends Pick<DeviceCode, "code" | "page"> {
  readonly ends: Millis;
}

interface SignInsDeps extends TokensDeps {
  readonly clients: readonly ConnectClient[];
  readonly tokens: Pick<PeopleTokens, "seal">;
  readonly tell: TellPerson;
}

/** Added after `slow_down` without an interval (RFC 8628). */
const SLOWER: Millis = 5_000;
const SLOWEST: Millis = 60_000;
/** A code that ends sooner is not shown again. */
const USABLE: Millis = 60_000;
const ATTEMPTS = 5;

export const createSignIns = (deps: SignInsDeps) => {
  const { rows, sealKey, randomId, clock, log, ending, clients, tokens, tell } = deps;
  /** When each request is due, and its pause. */
  const paces = new Map<string, { readonly due: Millis; readonly pause: Millis }>();

  const codeOf = (row: SignInRow): z.infer<typeof storedCode> | null => {
    const key = sealKey();
    if (key.kind !== "key") return null;
    const opened = openSealedText(key, row.sealed, contextOf(row));
    return opened.kind === "opened" ? (storedCode.safeParse(jsonIn(opened.text)).data ?? null) : null;
  };

  const begin = async (
    person: PersonId,
    at: ChannelAddress,
    client: ConnectClient,
  ): Promise<SignInResult> => {
    const key = sealKey();
    if (key.kind !== "key") return { kind: "unsealed", why: key.why };
    const waiting = rows
      .signIns()
      .find((row) => row.person === person && row.forge === client.host && row.ends - clock.now() > USABLE);
    const known = waiting === undefined ? null : codeOf(waiting);
    if (waiting !== undefined && known !== null) {
      const { code, page } = known;
      return { kind: "code", code: { code, page, ends: waiting.ends } };
    }
    const started = await startDeviceFlow(client, ending);
    if (started.kind !== "started") return started;
    const { device, code, page, interval, lasts } = started.code;
    const of = { person, forge: client.host };
    const row: SignInRow = {
      ...of,
      surface: at.surface,
      place: at.place,
      version: randomId(),
      sealed: sealText(key, JSON.stringify({ device, code, page }), contextOf(of)),
      pause: interval,
      ends: clock.now() + lasts,
    };
    const stored = await rows.ask(row);
    if (stored.kind === "failed") return stored;
    rounds.wake();
    return { kind: "code", code: { code, page, ends: row.ends } };
  };

  const round = async (): Promise<void> => {
    const open = rows.signIns();
    const known = new Set(open.map(({ version }) => version));
    for (const version of paces.keys()) if (!known.has(version)) paces.delete(version);
    await Promise.all(open.map(look));
    const next = Math.min(...[...paces.values()].map(({ due }) => due));
    if (next < Infinity) rounds.wakeAfter(Math.max(0, next - clock.now()));
  };

  const look = async (row: SignInRow): Promise<void> => {
    const now = clock.now();
    const pace = paces.get(row.version) ?? { due: now + row.pause, pause: row.pause };
    paces.set(row.version, pace);
    if (now >= row.ends) return close(row, EXPIRED);
    if (now < pace.due) return;
    const client = clients.find(({ host }) => host === row.forge);
    const code = codeOf(row);
    // The operator removed the forge or changed the key.
    if (client === undefined || code === null) return close(row, EXPIRED);
    const next = (pause: Millis): void => {
      paces.set(row.version, { due: clock.now() + pause, pause });
    };
    const polled = await pollDeviceFlow(client, code.device, ending);
    if (ending.aborted && polled.kind === "unreached") return;
    switch (polled.kind) {
      case "pending":
        return next(pace.pause);
      case "slower":
        return next(Math.min(SLOWEST, Math.max(polled.interval ?? 0, pace.pause + SLOWER)));
      case "unreached":
        return next(Math.min(SLOWEST, pace.pause * 2));
      case "denied":
        return close(row, DENIED);
      case "expired":
        return close(row, EXPIRED);
      case "refused":
        log.warn("forge: person not connected", { forge: row.forge, why: polled.why });
        return close(row, INCOMPLETE);
      case "granted":
        return connect(row, client, polled.tokens);
    }
  };

  /** The device code is spent, so a failure ends the request. */
  const connect = async (row: SignInRow, client: ConnectClient, granted: ForgeTokens): Promise<void> => {
    paces.delete(row.version);
    const read = await accountOf(client, granted.access);
    const sealed = tokens.seal(row.person, client, granted);
    if (read?.kind !== "account" || sealed === null) {
      await revokeToken(client, granted.access, ending);
      return close(row, INCOMPLETE);
    }
    const { account } = read;
    const { person, forge } = row;
    const isStored = await repeated(async () => {
      const done = await rows.connect({ person, forge, ...account, ...sealed }, row, clock.now());
      return done.kind === "done" ? true : null;
    });
    if (rows.connection(row)?.version === sealed.version) {
      await tell(row, connectedText(forge, account.login), row.version);
      return;
    }
    await revokeToken(client, granted.access, ending);
    // Stored, but the person has taken the request back.
    if (isStored === null) await close(row, INCOMPLETE);
  };

  const accountOf = (client: ConnectClient, token: string): Promise<AccountRead | null> =>
    repeated(async () => {
      const read = await readAccount(client, token, ending);
      return read.kind === "unreached" ? null : read;
    });

  const repeated = async <T>(attempt: () => Promise<T | null>): Promise<T | null> => {
    for (let attempts = 1; ; attempts += 1) {
      const result = await attempt();
      if (result !== null || attempts >= ATTEMPTS || ending.aborted) return result;
      await wait(clock, SLOWER, ending);
    }
  };

  const close = async (row: SignInRow, why: EndText): Promise<void> => {
    const closed = await rows.close(row);
    if (closed.kind === "failed") {
      paces.set(row.version, { due: clock.now() + SLOWEST, pause: row.pause });
      return;
    }
    paces.delete(row.version);
    await tell(row, why(row.forge), row.version);
  };

  const rounds = createRepeatingTask(clock, round);

  return { begin, start: () => rounds.wake(), close: () => rounds.close() };
};

const storedCode = z.object({ device: z.string(), code: z.string(), page: z.string() });

const contextOf = ({ person, forge }: Pick<SignInRow, "person" | "forge">): readonly string[] => [
  "forge device code",
  person,
  forge,
];

type EndText = (forge: string) => LocalizedText;

const connectedText =
  (forge: string, account: string): LocalizedText =>
  (say) =>
    say(
      "You are connected to {forge} as {account}. Pull requests, issues and comments that you approve or ask for appear in your name. `/parley disconnect` ends the connection.",
      { forge, account },
    );
const DENIED: EndText = (forge) => (say) =>
  say("The connection to {forge} was denied. I keep writing in my own name.", { forge });
const EXPIRED: EndText = (forge) => (say) =>
  say("The code for {forge} has expired. `/parley connect` gives a new code.", { forge });
const INCOMPLETE: EndText = (forge) => (say) =>
  say("The connection to {forge} could not be completed. Try again with `/parley connect`.", { forge });
