/** What an answer is bound to: the very call that was shown, and no other. */
import { createHash } from "node:crypto";

/** SHA-256 in hexadecimal of a tool's name and its input, whatever the order of the input's keys. Never throws. */
export const fingerprintOf = (call: { readonly name: string; readonly input: unknown }): string => {
  const hash = createHash("sha256").update(`call/1\n${JSON.stringify(call.name)}\n`);
  const stack: unknown[] = [call.input];
  while (stack.length > 0) {
    const value = stack.pop();
    if (Array.isArray(value)) {
      hash.update(`[${value.length},`);
      for (const each of value.toReversed()) stack.push(each);
    } else if (typeof value === "object" && value !== null) {
      const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? 1 : -1));
      hash.update(`{${fields.length},`);
      for (const [key, field] of fields) stack.push(field, key);
    } else hash.update(`${typeof value}:${JSON.stringify(value) ?? String(value)},`);
  }
  return hash.digest("hex");
};
