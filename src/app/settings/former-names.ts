import { omitUndefined } from "../../text/omit-undefined.ts";

/** Settings that were renamed in 0.1.0, with their former names. A former name counts until the next version. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  PARLEY_ALLOW_T2_WRITES: "PARLEY_UNCONFINED_WRITES",
  PARLEY_CONFIRM_ABOVE_USD: "PARLEY_ASK_ABOVE",
  PARLEY_DISCORD_AUTO_ANSWER_FORUMS: "PARLEY_DISCORD_ANSWER",
  PARLEY_NON_APPROVER_TURNS_PER_HOUR: "PARLEY_STRANGER_TURNS",
  PARLEY_SHARED_STORAGE: "PARLEY_SHARED",
};

type Values = Readonly<Record<string, string | undefined>>;

/** A former name counts only if the present name has no value. */
export const withPresentNames = (values: Values): Values => {
  const formers = new Set(Object.values(FORMER_NAMES));
  const others = Object.entries(values).filter(([name]) => !formers.has(name));
  const renamed = Object.entries(FORMER_NAMES).map(([name, former]) => [
    name,
    values[name] || (values[former] ?? values[name]),
  ]);
  return omitUndefined({ ...Object.fromEntries(others), ...Object.fromEntries(renamed) });
};

export const formerNameNotices = (values: Values): readonly string[] =>
  Object.entries(FORMER_NAMES).flatMap(([name, former]) =>
    values[former]
      ? [`${former} is now called ${name}. Rename the setting; the next version ignores ${former}.`]
      : [],
  );
