/** Finds a model: the one in force, a key, a server on this machine, or the demo. Setup tries the answer with one request. */

import { z } from "zod";
import { ANTHROPIC, DEFAULT_MODEL } from "../../../model/models.ts";
import type { ModelProvider } from "../../../model/provider.ts";
import type { CheckedInput, SetupAsker } from "../../../ports/platform-setup.ts";
import { chooseModel, modelsOf, otherProvidersOf, scriptedOf } from "../../choose-model.ts";
import { createLog } from "../../log.ts";
import type { Config } from "../../settings/config.ts";
import { systemClock } from "../../system-clock.ts";
import { modelsFindings } from "../doctor/model-finding.ts";
import type { PlannedSettings } from "./planned-settings.ts";
import { MODEL_KEY } from "./setup-options.ts";
import { asSentence } from "./setup-stopped.ts";

export interface ModelStepDeps {
  readonly asker: SetupAsker;
  readonly planned: PlannedSettings;
  /** Value of an option or of the environment; null if there is none. */
  readonly given: (name: string) => string | null;
  /** Servers to look for. */
  readonly servers?: readonly ModelServer[];
}

interface ModelServer {
  readonly title: string;
  readonly port: number;
}

const SERVERS: readonly ModelServer[] = [
  { title: "Ollama", port: 11_434 },
  { title: "LM Studio", port: 1234 },
  { title: "llama.cpp", port: 8080 },
  { title: "vLLM", port: 8000 },
];

type Answer = Readonly<Record<string, string>>;

/** Returns the settings of the model. */
export const modelStep = async (deps: ModelStepDeps): Promise<Answer> => {
  const { asker, planned, servers = SERVERS } = deps;
  const read = planned.configWith({});
  if (read.kind === "refused") throw new Error(read.why);
  const providers = [ANTHROPIC, ...otherProvidersOf(read.config).providers];
  const demo = scriptedOf(read.config)?.name ?? null;
  const found = (await Promise.all(servers.map(lookForServer))).filter((server) => server !== null);
  const keyed = providers.flatMap((provider) => keyChoice(provider, planned));
  const local = found.map(localChoice);
  const scripted = demo === null ? [] : [{ value: demo, text: DEMO, settings: { PARLEY_MODEL: demo } }];
  const choices = [...keyed, ...local, ...scripted];
  const [usual] = choices;
  return asker.ask({
    name: "PARLEY_MODEL",
    text: "Model (a number, provider/name, a pasted key, or the address of a server)",
    choices,
    ...(usual === undefined ? {} : { fallback: usual.value }),
    check: async (text) => {
      const chosen = choices.find(({ value }) => value === text)?.settings;
      const read =
        chosen === undefined ? await settingsOf(text, { ...deps, providers, found, servers }) : valid(chosen);
      return read.kind === "refused" ? read : tryModel(read.value, planned);
    },
  });
};

const DEMO = "demo: a script without AI, to try Parley at once";

interface Choice {
  readonly value: string;
  readonly text: string;
  readonly settings: Answer;
}

/** Model of a provider for which only a key is given. */
const USUAL_MODELS: Readonly<Record<string, string>> = {
  anthropic: DEFAULT_MODEL,
  openai: "openai/gpt-5.5",
  google: "google/gemini-2.5-pro",
  mistral: "mistral/mistral-large-latest",
};

const keyChoice = ({ name, key }: ModelProvider, planned: PlannedSettings): readonly Choice[] => {
  const value = planned.inForce(key);
  const model = USUAL_MODELS[name];
  return value === null || model === undefined
    ? []
    : [
        {
          value: name,
          text: `${model}, with the key in ${key}`,
          settings: { PARLEY_MODEL: model, [key]: value },
        },
      ];
};

interface FoundServer extends ModelServer {
  readonly models: readonly string[];
}

const LOCAL = "local";

const localChoice = (server: FoundServer, index: number): Choice => {
  const [model = "", ...more] = server.models;
  const rest = more.length === 0 ? "" : ` (also ${more.slice(0, MOST_NAMED).join(", ")})`;
  return {
    value: index === 0 ? LOCAL : `${LOCAL}:${server.port}`,
    text: `${model} from ${server.title} on this machine${rest}`,
    settings: localSettings(addressOf(server), model),
  };
};

const MOST_NAMED = 4;

const addressOf = ({ port }: ModelServer): string => `http://127.0.0.1:${port}/v1`;

const localSettings = (address: string, model: string): Answer => ({
  OPENAI_COMPATIBLE_BASE_URL: address,
  PARLEY_MODEL: `${COMPATIBLE}${model}`,
});

const COMPATIBLE = "openai-compatible/";

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

const SERVER_LIMIT = 1_000;

/** Null if the port answers no list of models. */
const lookForServer = async (server: ModelServer): Promise<FoundServer | null> => {
  const models = await modelsAt(addressOf(server), SERVER_LIMIT);
  return models.length === 0 ? null : { ...server, models };
};

const modelsAt = async (address: string, limit: number): Promise<readonly string[]> => {
  try {
    const answer = await fetch(`${address.replace(/\/+$/, "")}/models`, {
      signal: AbortSignal.timeout(limit),
    });
    const { data } = modelList.parse(await answer.json());
    return data.map(({ id }) => id).filter((id) => !/embed/i.test(id));
  } catch {
    return [];
  }
};

interface Reading extends ModelStepDeps {
  readonly providers: readonly ModelProvider[];
  readonly found: readonly FoundServer[];
  readonly servers: readonly ModelServer[];
}

const refused = (why: string) => ({ kind: "refused", why }) as const;
const valid = (value: Answer) => ({ kind: "valid", value }) as const;

/** Reads an answer that is no choice: a key, a model, or both, or the address of a server. */
const settingsOf = async (text: string, reading: Reading): Promise<CheckedInput<Answer>> => {
  const { providers, found, servers, given, asker, planned } = reading;
  const parts = text.split(/\s+/);
  const address = parts.find((part) => /^https?:\/\//.test(part));
  if (text === LOCAL || text.startsWith(`${LOCAL}:`)) {
    const ports = servers.map(({ port }) => port).join(", ");
    return refused(
      `No model server answers on the ports ${ports} of this machine. Start one, or enter its address.`,
    );
  }
  if (address !== undefined) {
    const [first] = await modelsAt(address, SERVER_LIMIT * 5);
    const model = parts.find((part) => part !== address)?.replace(COMPATIBLE, "") ?? first;
    return model === undefined
      ? refused(`${address} lists no models. Check that it ends in /v1 and that the server runs.`)
      : valid(localSettings(address, model));
  }
  const pasted = parts.find((part) => providerOfKey(part, providers) !== null) ?? null;
  const model = parts.find((part) => part !== pasted) ?? null;
  const provider =
    providerOf(model, providers) ?? (pasted === null ? null : providerOfKey(pasted, providers));
  if (provider === null) {
    return pasted === null && looksKey(text)
      ? refused(
          "The provider of this key is unknown. Enter the model before it, as in mistral/mistral-large-latest KEY.",
        )
      : valid({ PARLEY_MODEL: text });
  }
  const served = model?.startsWith(COMPATIBLE) === true ? model.slice(COMPATIBLE.length) : null;
  const local = found.find(({ models }) => served !== null && models.includes(served));
  if (local !== undefined && served !== null) return valid(localSettings(addressOf(local), served));
  const other = parts.find((part) => part !== model && part !== pasted) ?? null;
  const key =
    pasted ?? other ?? given(MODEL_KEY) ?? planned.inForce(provider.key) ?? (await askKey(provider, asker));
  const rest = [provider.address, ...provider.more].flatMap((name) => {
    const value = given(name);
    return value === null ? [] : [[name, value] as const];
  });
  return valid({
    PARLEY_MODEL: model ?? USUAL_MODELS[provider.name] ?? DEFAULT_MODEL,
    ...(key === null ? {} : { [provider.key]: key }),
    ...Object.fromEntries(rest),
  });
};

const providerOf = (model: string | null, providers: readonly ModelProvider[]): ModelProvider | null =>
  model === null
    ? null
    : (providers.find(({ name }) => model.startsWith(`${name}/`)) ??
      providers.find(({ makes }) => makes?.test(model) === true) ??
      null);

const KEYS: readonly (readonly [form: RegExp, provider: string])[] = [
  [/^sk-ant-/, "anthropic"],
  [/^sk-/, "openai"],
  [/^AIza/, "google"],
];

const providerOfKey = (text: string, providers: readonly ModelProvider[]): ModelProvider | null => {
  const name = KEYS.find(([form]) => form.test(text))?.[1];
  return providers.find((provider) => provider.name === name) ?? null;
};

const looksKey = (text: string): boolean => /^[\w.-]{24,}$/.test(text);

/** Null if the provider needs no key or has other credentials. */
const askKey = async ({ key, needs }: ModelProvider, asker: SetupAsker): Promise<string | null> => {
  const isNeeded = needs.length === 1 && needs[0]?.includes(key) === true;
  if (!isNeeded) return null;
  return asker.ask({
    name: key,
    text: `Key for this model (${key})`,
    secret: true,
    check: (value) => Promise.resolve({ kind: "valid", value }),
  });
};

const tryModel = async (settings: Answer, planned: PlannedSettings): Promise<CheckedInput<Answer>> => {
  const read = planned.configWith(settings);
  if (read.kind === "refused") return read;
  const problem = await modelProblem(read.config);
  return problem === null ? valid(settings) : refused(problem);
};

/** Null if the first model answers. */
const modelProblem = async (config: Config): Promise<string | null> => {
  const models = await modelsOf(config);
  if (models.kind === "invalid") return asSentence(models.problems[0] ?? "There is no such model");
  const deps = {
    blobs: { get: () => Promise.resolve(null) },
    log: createLog("silent", []),
    clock: systemClock,
  };
  const chosen = await chooseModel(config, models, deps);
  if (chosen.isScripted) return null;
  for await (const { level, found, remedy } of modelsFindings({
    ...chosen,
    configured: chosen.configured.slice(0, 1),
  })) {
    if (level === "error") return [`${found.replace(/\.$/, "")}.`, remedy].join(" ");
  }
  return null;
};
