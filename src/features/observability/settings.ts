import { z } from "zod";
import { listSetting, oneOf } from "../../settings/kinds.ts";
import { secretAddress, secretValues } from "../../settings/secrets.ts";

const PART = "must be a number from 0 to 1";

/** Comma-separated `name=value` pairs with percent-encoded values, as in the standard. */
const pairs = listSetting
  .superRefine((entries, context) => {
    if (entries.every((entry) => readPair(entry) !== null)) return;
    context.addIssue({ code: "custom", message: "must be pairs such as name=value, comma-separated" });
  })
  .transform(
    (entries): Readonly<Record<string, string>> =>
      Object.fromEntries(
        entries.flatMap((entry) => {
          const pair = readPair(entry);
          return pair === null ? [] : [pair];
        }),
      ),
  );

const readPair = (entry: string): readonly [string, string] | null => {
  const [, name, value = ""] = /^([\w!#$%&'*+.^`|~-]+)=(.*)$/.exec(entry) ?? [];
  try {
    return name === undefined ? null : [name, decodeURIComponent(value.trim())];
  } catch {
    return null;
  }
};

export const traceSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: secretAddress.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: secretAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: secretValues(pairs).default({}),
  OTEL_SERVICE_NAME: z.string().default("parley"),
  OTEL_TRACES_SAMPLER: oneOf(
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
  ).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number({ error: PART }).min(0, PART).max(1, PART).default(1),
  OTEL_SDK_DISABLED: oneOf("true", "false").default("false"),
});

export type TraceSettings = z.infer<typeof traceSettings>;
