import { DAY, type Millis } from "../machine/id.ts";
import { english, type Label, type Say } from "../i18n/say.ts";

export const ageText = (age: Millis, say: Say = english): string => {
  const found = AGES.map(([length, one, many]) => [Math.floor(age / length), one, many] as const).find(
    ([count]) => count > 0,
  );
  if (found === undefined) return say("just now");
  const [count, one, many] = found;
  return count === 1 ? say(one) : say(many, { count });
};

const AGES: readonly (readonly [
  Millis,
  Label,
  "{count} days ago" | "{count} hours ago" | "{count} minutes ago",
])[] = [
  [DAY, "1 day ago", "{count} days ago"],
  [DAY / 24, "1 hour ago", "{count} hours ago"],
  [DAY / 1_440, "1 minute ago", "{count} minutes ago"],
];

/** At most two units: `0.2 s`, `12 s`, `1 min 10 s`, `2 h 5 min`, `3 d`; never `0.0 s`. */
export const durationText = (duration: Millis, say: Say = english): string => {
  if (duration < 1_000)
    return say("{count} s", { count: decimal(Math.max(0.1, duration / 1_000), say.language) });
  const seconds = Math.round(duration / 1_000);
  const units: readonly (readonly [number, "{count} d" | "{count} h" | "{count} min" | "{count} s"])[] = [
    [Math.floor(seconds / 86_400), "{count} d"],
    [Math.floor(seconds / 3_600) % 24, "{count} h"],
    [Math.floor(seconds / 60) % 60, "{count} min"],
    [seconds % 60, "{count} s"],
  ];
  const first = units.findIndex(([count]) => count > 0);
  return units
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count === 0 ? [] : [say(unit, { count })]))
    .join(" ");
};

export const decimal = (value: number, language: Say["language"]): string =>
  Number(value.toFixed(1)).toLocaleString(language, { minimumFractionDigits: 1, useGrouping: false });
