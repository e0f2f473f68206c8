import { modelsOf } from "../choose-model.ts";
import type { ConfiguredModel } from "../../model/provider.ts";
import { complain } from "./shared/complain.ts";
import { loadConfig } from "./shared/load-config.ts";
import { table } from "../../text/table.ts";

const USAGE = "Usage: parley models [--json]";

export const modelsCommand = async (args: readonly string[]): Promise<number> => {
  if (args.some((arg) => arg !== "--json")) return complain(USAGE);
  const config = loadConfig();
  if (config === null) return 1;
  const configured = await modelsOf(config);
  if (configured.kind === "invalid") return complain(configured.problems.join("\n"));
  const models = configured.kind === "scripted" ? [] : configured.models;
  if (args.includes("--json")) console.log(JSON.stringify(models.map(told), null, 2));
  else if (configured.kind === "scripted")
    console.log(
      `The scripted ${configured.model.name} model answers, because no other model is configured (docs/models.md).`,
    );
  else console.log(table([HEAD, ...models.map(rowOf)]));
  return 0;
};

/** Omits the key, and the address, which may contain a key. */
const told = ({
  alias,
  provider,
  name,
  facts,
  from,
  pictures,
  tools,
  caching,
  thinking,
  named,
}: ConfiguredModel) => ({
  alias,
  provider,
  name,
  key: named.key,
  window: { tokens: facts.window, from: from.window },
  longest: { tokens: facts.maxOutput, from: from.longest },
  prices: { ...facts.prices, from: from.prices },
  capabilities: { pictures, tools, caching, thinking },
});

const HEAD = [
  "ALIAS",
  "MODEL",
  "WINDOW",
  "LONGEST ANSWER",
  "$ PER MILLION: IN, OUT, CACHE READ, CACHE WRITE",
];

const rowOf = ({ alias, provider, name, facts, from }: ConfiguredModel): readonly string[] => {
  const { input, output, cacheRead, cacheWrite, above } = facts.prices;
  const dollars = [input, output, cacheRead, cacheWrite]
    .map((price) => String(Number(price.toFixed(4))))
    .join(", ");
  const more =
    above === undefined ? "" : `; ${above.input}, ${above.output} above ${count(above.tokens)} tokens`;
  return [
    alias,
    `${provider}/${name}`,
    `${count(facts.window)} (${from.window})`,
    facts.maxOutput === null ? "limit of the provider" : `${count(facts.maxOutput)} (${from.longest})`,
    `${dollars}${more} (${from.prices})`,
  ];
};

const count = (tokens: number): string => tokens.toLocaleString("en");
