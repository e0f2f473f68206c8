/**
 * The lengths that Slack's declarations state only in their doc comments, turned into schema keywords. Pure.
 *
 * A comment speaks of the property that it stands on: of its own length, of the number of its items, or of the `text` of
 * the text object that it holds.
 */

import type { Definitions } from "../../shared/discriminate.ts";

type Node = Readonly<Record<string, unknown>>;

export const withLimits = (definitions: Definitions): Definitions =>
  Object.fromEntries(Object.entries(definitions).map(([name, node]) => [name, walk(node)]));

/** How many keywords `withLimits` added, so that a change of the comments' wording is noticed. */
export const countLimits = (definitions: Definitions): number =>
  (JSON.stringify(withLimits(definitions)).match(/"(?:maxLength|maxItems)":/g) ?? []).length;

const walk = (node: Node): Node => {
  const properties = node["properties"];
  const members = node["anyOf"];
  return {
    ...node,
    ...(isNode(properties) ? { properties: mapValues(properties, limitedProperty) } : {}),
    ...(Array.isArray(members)
      ? { anyOf: members.map((member) => (isNode(member) ? walk(member) : member)) }
      : {}),
  };
};

const limitedProperty = (property: unknown): unknown => {
  if (!isNode(property)) {
    return property;
  }
  const inner = walk(property);
  const description = inner["description"];
  if (typeof description !== "string") {
    return inner;
  }
  const said = description
    .replaceAll(/\{@link[^}]*\}/g, "")
    .replaceAll("`", "")
    .replaceAll(/\s+/g, " ");
  switch (inner["type"]) {
    case "string":
      return { ...inner, ...lengthOf(said) };
    case "array":
      return { ...inner, ...itemsOf(said, inner["items"]) };
    default:
      return ofText(said, inner);
  }
};

/** `{ maxLength, minLength }` of a string, as far as the comment names them. */
const lengthOf = (said: string): Node => {
  const longest = numberIn(said, [
    /maximum length (?:for|of) this field is ([\d,]+)/i,
    /maximum length (?:is|of) ([\d,]+)/i,
    /max length of ([\d,]+)/i,
    /limit ([\d,]+) characters/i,
    /limited to ([\d,]+) characters/i,
  ]);
  const shortest = numberIn(said, [/minimum length (?:for this field )?is ([\d,]+)/i]);
  return {
    ...(longest === undefined ? {} : { maxLength: longest }),
    ...(shortest === undefined ? {} : { minLength: shortest }),
  };
};

const itemsOf = (said: string, items: unknown): Node => {
  const most = numberIn(said, [
    /maximum number of (?:items|options|option groups) is ([\d,]+)/i,
    /maximum (?:of )?([\d,]+) (?:items|elements|blocks|rows|cards|options)/i,
    /max of ([\d,]+) (?:blocks|items)/i,
    /up to ([\d,]+) /i,
  ]);
  const inner = isNode(items) ? withInner(said, items) : undefined;
  return {
    ...(most === undefined ? {} : { maxItems: most }),
    ...(inner === undefined ? {} : { items: inner }),
  };
};

/** What the comment of an array says of each of its items. */
const withInner = (said: string, items: Node): Node | undefined => {
  const characters = numberIn(said, [/text in each item is ([\d,]+)/i]);
  if (characters !== undefined) {
    return { allOf: [items, textOf({ maxLength: characters })] };
  }
  const cells = numberIn(said, [/max of ([\d,]+) table cells/i]);
  return cells === undefined ? undefined : { ...items, maxItems: cells };
};

/** A property that holds a text object: the limit is that of its `text`. */
const ofText = (said: string, node: Node): Node => {
  const longest = numberIn(said, [
    /minimum length for the text in this field is 1 and maximum length is ([\d,]+)/i,
    /maximum length for the text (?:field )?(?:in|within) this (?:field|object) is ([\d,]+)/i,
    /maximum length for this field is ([\d,]+)/i,
    /maximum length is ([\d,]+)/i,
    /max(?:imum)? length of ([\d,]+)/i,
  ]);
  const holdsText = typeof node["$ref"] === "string" || Array.isArray(node["anyOf"]);
  return longest === undefined || !holdsText ? node : { allOf: [node, textOf({ maxLength: longest })] };
};

const textOf = (limits: Node): Node => ({ properties: { text: limits } });

const numberIn = (said: string, patterns: readonly RegExp[]): number | undefined => {
  for (const pattern of patterns) {
    const found = pattern.exec(said)?.[1];
    if (found !== undefined) {
      return Number(found.replaceAll(",", ""));
    }
  }
  return undefined;
};

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const mapValues = (record: Node, map: (value: unknown) => unknown): Node =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
