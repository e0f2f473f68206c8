import { DAY, type Millis } from "../machine/id.ts";

/** How long ago, as people say it. */
export const ageText = (age: Millis): string => {
  const [count, unit] = AGES.map(([length, name]) => [Math.floor(age / length), name] as const).find(
    ([many]) => many > 0,
  ) ?? [0, ""];
  if (count === 0) return "just now";
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
};

const AGES: readonly (readonly [Millis, string])[] = [
  [DAY, "day"],
  [DAY / 24, "hour"],
  [DAY / 1_440, "minute"],
];
