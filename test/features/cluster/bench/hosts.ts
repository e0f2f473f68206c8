/** Real hosts that share a database. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Host, NO_BUDGETS, startHost } from "../../../bench/host.ts";

interface Given {
  readonly database: string;
  readonly directory: string;
  readonly repo: string;
  readonly compileCache: string;
  /** The model's address. */
  readonly model: string;
}

export const GATEWAY_TOKEN = "the-gateway-of-the-bench";

export const startHosts = async (count: number, given: Given): Promise<readonly Host[]> => {
  const { database, directory, repo, compileCache, model } = given;
  const shared = join(directory, "shared");
  mkdirSync(shared, { recursive: true });
  const hosts: Host[] = [];
  for (let no = 1; no <= count; no += 1) {
    const name = `host-${no}`;
    hosts.push(
      await startHost({
        data: join(directory, name),
        repo,
        compileCache,
        model: { url: model, apiKey: "sk-bench" },
        more: {
          ...NO_BUDGETS,
          PARLEY_MODEL: "claude-sonnet-5-5",
          PARLEY_GATEWAY_TOKEN: GATEWAY_TOKEN,
          PARLEY_DATABASE: database,
          PARLEY_HOST_NAME: name,
          PARLEY_SHARED_STORAGE: shared,
          PARLEY_CONSOLE_TOKEN: "the-console-of-the-bench",
        },
      }),
    );
  }
  return hosts;
};
