/** What of a JSON body is meant: a path such as `data.issues[0].title`, or text with paths in `{{…}}`. Pure. */

const MOST_STEPS = 20;

/** Of an object, a list or anything else as one line of JSON; empty where the path leads nowhere. */
export const fill = (template: string, body: unknown): string =>
  template.includes("{{")
    ? template.replaceAll(/\{\{\s*([^{}]{1,200}?)\s*\}\}/g, (_, path: string) => textAt(path, body))
    : textAt(template, body);

const textAt = (path: string, body: unknown): string => {
  const found = stepsOf(path).reduce<unknown>((at, step) => below(at, step), body);
  if (found === undefined || found === null) return "";
  return typeof found === "string" ? found : written(found);
};

/** Empty for a value that is nested too deep to be written. */
const written = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
};

const stepsOf = (path: string): readonly string[] =>
  path
    .replaceAll(/\[(\d{1,6})\]/g, ".$1")
    .split(".")
    .filter((step) => step !== "" && step !== "$")
    .slice(0, MOST_STEPS);

const below = (at: unknown, step: string): unknown =>
  typeof at === "object" && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
