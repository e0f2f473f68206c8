/** Every setting is declared here; a test compares `.env.example`. The process environment takes precedence over `.env`. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { parseNetwork } from "../../../sandbox/egress/address.ts";
import { readRules } from "../../../sandbox/egress/rules.ts";
import { readEnvFile } from "./env-file.ts";
import { formerNameNotices, withPresentNames } from "./former-names.ts";
import { exposedIn } from "../../settings/exposed.ts";
import type { RawSettings, NamedChannel, SetFeature } from "../../feature.ts";
import type { SetPlatform } from "../../platform.ts";
import { isIdOf, PLATFORMS } from "../chat/platforms.ts";
import { FEATURES } from "../features/list.ts";
import {
  secretAddress,
  proxyAddress,
  secrecyOf,
  type SecretForm,
  secret,
  secretsAmong,
} from "../../settings/secrets.ts";
import { publicAddress } from "../../../adapters/http/public-address.ts";
import { entryProblem } from "../../runtime/channels/repos.ts";
import { closestMatch } from "../../text/closest-match.ts";
import { countSetting, isAmount, listSetting, onOff, oneOf, wordSetting } from "../../settings/kinds.ts";
import { LANGUAGES } from "../../i18n/say.ts";
import { isSealKey } from "../../store/base/seal.ts";

const PREFIX = "PARLEY_";

const destinations = listSetting.superRefine((entries, context) => {
  const read = readRules(entries);
  const problems = read.kind === "invalid" ? read.problems : [];
  for (const message of problems) context.addIssue({ code: "custom", message });
});
const repositories = listSetting.superRefine((entries, context) => {
  for (const [index, entry] of entries.entries()) {
    const problem = entryProblem(entry);
    if (problem !== null) context.addIssue({ code: "custom", message: `entry ${index + 1} ${problem}` });
  }
});
/** Whether the name has the form in which the console compares it with the Host header. */
const isHostName = (value: string): boolean =>
  URL.canParse(`http://${value}`) && new URL(`http://${value}`).hostname === value;
const PLAIN_HOST = "must be host names without http://, port or path";
const PUBLIC_URL =
  "must be an http or https address, optionally with a plain path, such as https://example.org/parley";
const PROXY_HOST =
  "must be host names as browsers send them, such as parley.example, without https://, port or path";
const isNetwork = (value: string): boolean => parseNetwork(value) !== null;
const PROXY_ADDRESS = "must be addresses or networks such as 127.0.0.1 or 10.1.0.0/16";
/** The location is displayed to people and stored with each conversation. */
const repository = z
  .string()
  .refine(
    (value) => !/^(https?:\/\/[^/]*|[a-z+]+:\/\/[^/]*:[^/]*)@/i.test(value),
    "must not contain a user name, password or token: put credentials into the file that PARLEY_FORGES names",
  );
const isApprover = (value: string): boolean =>
  value === "console:operator" || isIdOf(value, ({ approver }) => approver);
const approverExamples = PLATFORMS.map(({ name, ids }) => `${name}:${ids.approverExample}`).join(", ");

const schema = z.object({
  ANTHROPIC_API_KEY: secret.optional(),
  ANTHROPIC_BASE_URL: secretAddress.optional(),
  AWS_REGION: wordSetting.optional(),
  AWS_ACCESS_KEY_ID: secret.optional(),
  AWS_SECRET_ACCESS_KEY: secret.optional(),
  AWS_SESSION_TOKEN: secret.optional(),
  HTTPS_PROXY: proxyAddress.optional(),
  HTTP_PROXY: proxyAddress.optional(),
  NO_PROXY: listSetting.default([]),
  PARLEY_DATA: z.string().default("./data"),
  PARLEY_PORT: countSetting(0, 65_535).default(8787),
  PARLEY_HOST: z.string().default("127.0.0.1"),
  PARLEY_PROXY_HOSTS: listSetting.pipe(z.array(z.string().refine(isHostName, PROXY_HOST))).default([]),
  PARLEY_PUBLIC_URL: z
    .string()
    .refine((text) => publicAddress(text) !== null, PUBLIC_URL)
    .optional(),
  PARLEY_PROXY_ADDRESSES: listSetting.pipe(z.array(z.string().refine(isNetwork, PROXY_ADDRESS))).default([]),
  PARLEY_CONSOLE_TOKEN: secret.min(16, "must have at least 16 characters").optional(),
  PARLEY_SEAL_KEY: secret.refine(isSealKey, "must be 32 bytes as base64: openssl rand -base64 32").optional(),
  PARLEY_MODEL: z.string().optional(),
  PARLEY_AGENT_MODEL: z.string().optional(),
  PARLEY_SUMMARY_MODEL: z.string().optional(),
  PARLEY_FALLBACK_MODEL: z.string().optional(),
  PARLEY_FIRST_MODEL: z.string().optional(),
  PARLEY_MODEL_PLAIN_HOSTS: listSetting.pipe(z.array(z.string().refine(isHostName, PLAIN_HOST))).default([]),
  PARLEY_REPO: repository.optional(),
  PARLEY_REPOS: repositories.default([]),
  PARLEY_SETUP: onOff.default(true),
  PARLEY_SETUP_MINUTES: countSetting(1, 240).default(15),
  PARLEY_SETUP_MIB: countSetting(1, 8_000).default(4_096),
  PARLEY_GIT_NAME: z
    .string()
    .regex(/^[^<>\p{Cc}]{1,100}$/u, "must be a name of one line without angle brackets")
    .default("Parley"),
  PARLEY_GIT_EMAIL: z
    .string()
    .regex(/^[^<>\s\p{Cc}]{1,200}$/u, "must be an address without spaces or angle brackets")
    .default("parley@localhost"),
  PARLEY_APPROVERS: listSetting
    .pipe(
      z.array(z.string().refine(isApprover, `must be ids such as ${approverExamples} or console:operator`)),
    )
    .optional(),
  PARLEY_CODEOWNERS: z.string().optional(),
  PARLEY_NON_APPROVER_TURNS_PER_HOUR: countSetting(1, 1_000).default(12),
  PARLEY_BUSY: oneOf("ask", "add", "wait").default("ask"),
  PARLEY_TWO_PERSON: oneOf("off", "on", "everywhere").default("off"),
  PARLEY_SAFE_MODE: onOff.default(true),
  PARLEY_MODES: z.string().optional(),
  PARLEY_LANGUAGE: oneOf(...LANGUAGES).default("en"),
  PARLEY_SANDBOX: oneOf("auto", "off").default("auto"),
  PARLEY_EGRESS: destinations.optional(),
  PARLEY_ALLOW_T2_WRITES: onOff.default(false),
  PARLEY_SHARED_NETWORK: onOff.default(false),
  PARLEY_LOG_LEVEL: oneOf("debug", "info", "warn", "error").default("info"),
  PARLEY_MAX_TOKENS: countSetting(256, 128_000).default(16_384),
  PARLEY_CONTEXT_WINDOW: countSetting(10_000, 10_000_000).optional(),
  PARLEY_MODEL_CALLS: countSetting(1, 1_000).default(64),
  PARLEY_TOOL_PROCESSES: countSetting(1, 1_000).default(8),
  PARLEY_RETENTION_DAYS: countSetting(1, 36_500).optional(),
  PARLEY_IDLE_CHECKOUT_DAYS: countSetting(0, 36_500).default(14),
  PARLEY_FILE_MIB: countSetting(1, 200).default(25),
  PARLEY_DRAFT_DAYS: countSetting(1, 36_500).default(14),
});

/** Each rule reads only its own settings, so that an unrelated mistake hides no problem. */
const between = [
  schema
    .pick({ PARLEY_HOST: true, PARLEY_PROXY_HOSTS: true, PARLEY_PUBLIC_URL: true })
    .superRefine((config, context) => {
      const { PARLEY_HOST: host, PARLEY_PROXY_HOSTS: hosts, PARLEY_PUBLIC_URL: address } = config;
      if (LOOPBACK.test(host) || hosts.length > 0 || address !== undefined) return;
      const message =
        "is not a loopback address: put a proxy with TLS in front of Parley and set PARLEY_PUBLIC_URL to the address of the proxy";
      context.addIssue({ code: "custom", path: ["PARLEY_HOST"], message });
    }),
];

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

export type Config = z.infer<typeof schema> & {
  /** Other variables that are set and may be keys that a feature's file names. */
  readonly otherKeys: Readonly<Record<string, string>>;
  readonly features: readonly SetFeature[];
  readonly platforms: readonly SetPlatform[];
};

const OTHER_KEY = /^[A-Z][A-Z0-9_]*_(KEY|TOKEN)$/;

const SHAPES = [schema.shape, ...[...PLATFORMS, ...FEATURES].map(({ settings }) => settings.shape)];

export const variables: readonly string[] = SHAPES.flatMap((shape) => Object.keys(shape));

/** How much of a setting's value is secret; null if none of it is. */
export const secrecyOfSetting = (name: string): SecretForm | null => {
  const parser = parserOf(name);
  return parser === undefined ? null : secrecyOf(parser);
};

/** Whether the setting is an amount in millionths of a US dollar. */
export const isAmountSetting = (name: string): boolean => {
  const parser = parserOf(name);
  return parser !== undefined && isAmount(parser);
};

const parserOf = (name: string): z.core.$ZodType | undefined =>
  SHAPES.flatMap((shape) => Object.entries(shape)).find(([known]) => known === name)?.[1];

export const configSecretsOf = (config: Config): readonly string[] => [
  ...secretsAmong(schema.shape, config),
  ...[...config.platforms, ...config.features].flatMap(({ secrets }) => secrets),
  ...Object.values(config.otherKeys),
];

/** `notices`: sentences about settings with a former name. */
export type ConfigResult =
  | { readonly kind: "config"; readonly config: Config; readonly notices: readonly string[] }
  | InvalidSettings;

export interface InvalidSettings extends Pick<Config, "otherKeys"> {
  readonly kind: "invalid";
  readonly problems: readonly string[];
  /** Settings that name files or directories, which can be checked despite the problems. */
  readonly places: NamedPlaces;
  /** Features with valid settings, whose files can be checked too. */
  readonly features: readonly SetFeature[];
}

export type NamedPlaces = Pick<Config, "PARLEY_DATA" | "PARLEY_MODES" | "PARLEY_CODEOWNERS">;

export type SettingSource = "environment" | ".env" | "default";

/** The environment takes precedence over the file. An empty value counts as unset. */
export const sourceOf = (name: string, env: NodeJS.ProcessEnv, root: string): SettingSource => {
  const { [name]: outside } = withPresentNames(env);
  if (outside !== undefined) return isGiven(outside) ? "environment" : "default";
  return isGiven(valuesOfFile(root)[name]) ? ".env" : "default";
};

/** Returns the text of one setting even if others are invalid; null if the setting is unset. */
export const writtenSetting = (name: string, env: NodeJS.ProcessEnv, root: string): string | null => {
  const value = withPresentNames(env)[name] ?? valuesOfFile(root)[name];
  return value === undefined || value === "" ? null : value;
};

const valuesOfFile = (root: string): RawSettings =>
  withPresentNames(readEnvFile(resolve(root, ".env")).values);

/** `root`: the project's folder, which may contain `.env`. An empty value counts as unset. */
export const readConfig = (env: NodeJS.ProcessEnv, root: string): ConfigResult => {
  const file = resolve(root, ".env");
  const read = readEnvFile(file);
  const merged = withProxies({ ...withPresentNames(read.values), ...withPresentNames(env) });
  const notices = formerNameNotices({ ...read.values, ...env });
  const given = Object.fromEntries(Object.entries(merged).filter(([, value]) => isGiven(value)));
  const unknown = Object.keys(given)
    .filter((name) => name.startsWith(PREFIX) && !variables.includes(name))
    .map((name) => unknownName(name));
  const parsed = schema.safeParse(given);
  const set = FEATURES.map((one) => one.set(given));
  const features = set.flatMap((one) => (one.kind === "set" ? [one.feature] : []));
  const reached = PLATFORMS.map((one) => one.set(given));
  const platforms = reached.flatMap((one) => (one.kind === "set" ? [one.platform] : []));
  const rules = [...between, ...FEATURES.flatMap((one) => one.rules)];
  const issues = [
    ...[parsed, ...rules.map((rule) => rule.safeParse(given))].flatMap(({ error }) => error?.issues ?? []),
    ...[...reached, ...set].flatMap((one) => (one.kind === "invalid" ? one.issues : [])),
  ];
  const ofFile = read.problem === null ? exposure(file) : [read.problem];
  const named = features.flatMap(({ tellsIn }) => tellsIn.flatMap((one) => channelProblems(one, given)));
  const problems = [...new Set([...unknown, ...ofFile, ...issues.map(problem), ...named])];
  return parsed.success && problems.length === 0
    ? {
        kind: "config",
        config: { ...parsed.data, otherKeys: otherKeys(given), features, platforms },
        notices,
      }
    : { kind: "invalid", problems, places: places.parse(given), otherKeys: otherKeys(given), features };
};

const channelProblems = (
  { setting, surface, place }: NamedChannel,
  given: RawSettings,
): readonly string[] => {
  const platform = PLATFORMS.find(({ name }) => name === surface);
  const heads = PLATFORMS.map(({ name }) => `${name}:`).join(" or ");
  const isChannel = platform?.ids.channel.test(place) === true;
  const isOn = platform === undefined || given[platform.token] !== undefined;
  return [
    ...(isChannel ? [] : [`${setting}: must be ${heads} followed by a channel id`]),
    ...(isOn ? [] : [`${setting}: needs ${platform.token}, because Parley could not post there otherwise`]),
  ];
};

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] as const;

/** Accepts proxy settings in lower case too, because curl reads HTTP_PROXY only as `http_proxy`. */
const withProxies = (
  values: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> => ({
  ...values,
  ...Object.fromEntries(
    PROXIES.map((name) => [name, isGiven(values[name]) ? values[name] : values[name.toLowerCase()]]),
  ),
});

const otherKeys = (given: Readonly<Record<string, string | undefined>>): Config["otherKeys"] =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined || variables.includes(name) || !OTHER_KEY.test(name) ? [] : [[name, value]],
    ),
  );

/** Settings for which any text is valid. */
const places = schema.pick({
  PARLEY_DATA: true,
  PARLEY_MODES: true,
  PARLEY_CODEOWNERS: true,
});

const isGiven = (value: string | undefined): boolean => value !== undefined && value !== "";

const exposure = (path: string): readonly string[] => {
  const exposed = existsSync(path) ? exposedIn(path) : null;
  return exposed === null
    ? []
    : [
        `${path} is in ${exposed}, which every command of an agent may read: install Parley elsewhere, or set the variables in the environment and remove the file`,
      ];
};

const unknownName = (name: string): string => {
  const bare = (full: string): string => full.slice(PREFIX.length);
  const own = variables.filter((known) => known.startsWith(PREFIX)).map(bare);
  const close = closestMatch(bare(name), own);
  return `${name} is not a setting of Parley${close === null ? "" : `; did you mean ${PREFIX}${close}?`}`;
};

/** Describes a problem without the variable's value, which may be a secret. */
const problem = (issue: z.core.$ZodIssue): string =>
  `${issue.path[0]?.toString() ?? "environment"}: ${issue.message}`;
