/**
 * Tokens of connected people. A token is opened only for one request, and renewed shortly before it ends. The forge gives a new
 * refresh token each time and forgets the old one, so a renewal takes a lease in the database: one host renews, the others wait
 * for its result.
 */

import { z } from "zod";
import type { Millis, PersonId } from "../../../machine/id.ts";
import type { Ambient, RandomId } from "../../../ports/host.ts";
import { pause } from "../../../ports/host.ts";
import type { SealKeyResult } from "../../../ports/sealing.ts";
import { openSealedText, sealText } from "../../../store/base/seal.ts";
import { jsonIn } from "../../../text/json.ts";
import type { ConnectClient } from "./client.ts";
import { type ForgeAccount, type ForgeTokens, renewTokens, revokeToken } from "./device-flow.ts";
import type { ConnectionRow, PeopleRows } from "./rows.ts";

export type PersonToken =
  | OpenToken
  /** The person is not connected, or this host cannot open the tokens. */
  | { readonly kind: "none" }
  /** The forge accepts the connection no longer, so that it was removed. */
  | { readonly kind: "ended" }
  /** The forge does not answer at present. */
  | { readonly kind: "away" };

export interface OpenToken {
  readonly kind: "token";
  readonly token: string;
  readonly version: string;
  readonly account: ForgeAccount;
}

export interface PeopleTokens {
  /** `forge`: host of the forge. */
  account(person: PersonId, forge: string): ForgeAccount | null;
  token(person: PersonId, client: ConnectClient): Promise<PersonToken>;
  /** Called when the forge refuses a token. Returns a newer token if another host has renewed it; otherwise the connection ends. */
  refused(person: PersonId, client: ConnectClient, used: OpenToken): Promise<PersonToken>;
  seal(person: PersonId, client: ConnectClient, tokens: ForgeTokens): SealedTokens | null;
  /**
   * Deletes the tokens of every meant forge, also of a forge that is not configured anymore; `clients` revoke them where they can.
   * Returns the hosts of the forges that the person was connected to; null if tokens remain.
   */
  disconnect(
    person: PersonId,
    clients: readonly ConnectClient[],
    isMeant?: (forge: string) => boolean,
  ): Promise<readonly string[] | null>;
}

export interface TokensDeps extends Ambient {
  readonly rows: PeopleRows;
  readonly sealKey: () => SealKeyResult;
  readonly randomId: RandomId;
  readonly ending: AbortSignal;
}

type SealedTokens = Pick<ConnectionRow, "sealed" | "ends" | "version">;

/** A token that ends sooner is renewed first. */
const MARGIN: Millis = 5 * 60_000;
/** A renewal that takes longer belongs to a host that ended. */
const LEASE: Millis = 60_000;
const LOOK: Millis = 500;
const LOOKS = 40;
const ATTEMPTS = 5;

export const createPeopleTokens = (deps: TokensDeps): PeopleTokens => {
  const { rows, sealKey, randomId, clock, log, ending } = deps;
  const renewing = new Map<string, Promise<PersonToken>>();

  const seal = (person: PersonId, client: ConnectClient, tokens: ForgeTokens): SealedTokens | null => {
    const key = sealKey();
    if (key.kind !== "key") return null;
    const { access, refresh, lasts } = tokens;
    return {
      sealed: sealText(key, JSON.stringify({ access, refresh }), contextOf(person, client)),
      ends: lasts === null ? null : clock.now() + lasts,
      version: randomId(),
    };
  };

  const open = (row: ConnectionRow, client: ConnectClient): z.infer<typeof storedTokens> | null => {
    const key = sealKey();
    if (key.kind !== "key") {
      log.warn("forge: seal key not usable", { forge: client.host });
      return null;
    }
    const opened = openSealedText(key, row.sealed, contextOf(row.person, client));
    if (opened.kind === "opened") return storedTokens.safeParse(jsonIn(opened.text)).data ?? null;
    log.warn("forge: tokens not opened", { forge: client.host, why: opened.kind });
    return null;
  };

  const tokenOf = (row: ConnectionRow | null, client: ConnectClient): PersonToken => {
    const tokens = row === null ? null : open(row, client);
    return row === null || tokens === null ? { kind: "none" } : openToken(row, tokens.access);
  };

  const current = async (person: PersonId, client: ConnectClient): Promise<PersonToken> => {
    const row = rows.connection({ person, forge: client.host });
    if (row === null) return { kind: "none" };
    const left = row.ends === null ? Infinity : row.ends - clock.now();
    if (left > MARGIN) return tokenOf(row, client);
    const tokens = open(row, client);
    if (tokens === null) return { kind: "none" };
    if (tokens.refresh === null) {
      if (left > 0) return openToken(row, tokens.access);
      await rows.remove(row, row.version);
      return { kind: "ended" };
    }
    const next = await renew(row, client, tokens.refresh);
    return next.kind === "away" && left > 0 ? openToken(row, tokens.access) : next;
  };

  const renew = async (row: ConnectionRow, client: ConnectClient, refresh: string): Promise<PersonToken> => {
    const lease = randomId();
    const now = clock.now();
    const taken = await rows.lease(row, lease, now, now - LEASE);
    if (taken.kind === "failed") return { kind: "away" };
    const held = rows.connection(row);
    if (held?.version !== row.version) return tokenOf(held, client);
    if (held.lease !== lease) return another(row, client);
    const renewed = await renewTokens(client, refresh, ending);
    if (renewed.kind === "unreached") {
      await rows.release(row, lease);
      return { kind: "away" };
    }
    if (renewed.kind === "refused") return ended(row, client);
    const next = seal(row.person, client, renewed.tokens);
    if (next === null || !(await stored(() => rows.renew(row, next)))) {
      log.error("forge: renewed tokens not stored", { forge: client.host });
      return { kind: "away" };
    }
    const after = rows.connection(row);
    if (after?.version === next.version) return openToken(after, renewed.tokens.access);
    // The person disconnected, or was erased, during the renewal.
    await revokeToken(client, renewed.tokens.access, ending);
    return tokenOf(after, client);
  };

  /** Waits for the host that renews the tokens. */
  const another = async (row: ConnectionRow, client: ConnectClient): Promise<PersonToken> => {
    for (let looks = 0; looks < LOOKS && !ending.aborted; looks += 1) {
      await pause(clock, LOOK, ending);
      const now = rows.connection(row);
      if (now?.version !== row.version) return now === null ? { kind: "ended" } : tokenOf(now, client);
      if (now.lease === null) return { kind: "away" };
    }
    return { kind: "away" };
  };

  const ended = async (row: ConnectionRow, client: ConnectClient): Promise<PersonToken> => {
    await stored(() => rows.remove(row, row.version));
    const now = rows.connection(row);
    return now === null || now.version === row.version ? { kind: "ended" } : tokenOf(now, client);
  };

  const stored = async (write: () => ReturnType<PeopleRows["renew"]>): Promise<boolean> => {
    for (let attempts = 1; ; attempts += 1) {
      if ((await write()).kind === "done") return true;
      if (attempts >= ATTEMPTS || ending.aborted) return false;
      await pause(clock, LOOK, ending);
    }
  };

  const token = (person: PersonId, client: ConnectClient): Promise<PersonToken> => {
    const key = `${client.host} ${person}`;
    const running = renewing.get(key) ?? current(person, client).finally(() => renewing.delete(key));
    renewing.set(key, running);
    return running;
  };

  return {
    account: (person, forge) => rows.connection({ person, forge }),
    token,
    refused: async (person, client, used) => {
      const row = rows.connection({ person, forge: client.host });
      if (row === null) return { kind: "ended" };
      return row.version === used.version ? ended(row, client) : token(person, client);
    },
    seal,
    disconnect: async (person, clients, isMeant = () => true) => {
      const held = rows.connections(person);
      const asked = rows.signIns().filter((one) => one.person === person);
      const those = [...new Set([...held, ...asked].map(({ forge }) => forge))].filter(isMeant);
      for (const forge of those) {
        const row = held.find((one) => one.forge === forge);
        const client = clients.find(({ host }) => host === forge);
        const tokens = row === undefined || client === undefined ? null : open(row, client);
        if ((await rows.remove({ person, forge }, null)).kind === "failed") return null;
        if (client !== undefined && tokens !== null) await revokeToken(client, tokens.access, ending);
      }
      return those;
    },
  };
};

const storedTokens = z.object({ access: z.string(), refresh: z.string().nullable() });

const openToken = (row: ConnectionRow, token: string): OpenToken => {
  const { version, login, name, email } = row;
  return { kind: "token", token, version, account: { login, name, email } };
};

const contextOf = (person: PersonId, { host }: Pick<ConnectClient, "host">): readonly string[] => [
  "forge tokens",
  person,
  host,
];
