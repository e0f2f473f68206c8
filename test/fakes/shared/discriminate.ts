/**
 * Turns unions of tagged objects into discriminated ones. Without it a wrong field in one content block is reported as a
 * failure of each of sixteen alternatives, and no precise message can be found among them.
 */

export type Definitions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const discriminate = (definitions: Definitions): Definitions => {
  const tagOf = (member: unknown): string | undefined => {
    const target = resolve(definitions, member);
    const properties = target?.["properties"];
    const required = target?.["required"];
    return ["type", "role"].find(
      (tag) =>
        Array.isArray(required) &&
        required.includes(tag) &&
        isRecord(properties) &&
        isRecord(properties[tag]) &&
        "const" in properties[tag],
    );
  };

  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) {
      return node.map(walk);
    }
    return isRecord(node) ? walkRecord(node) : node;
  };

  const walkRecord = (node: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const walked = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, walk(value)]));
    const members = walked["anyOf"];
    if (!Array.isArray(members)) {
      return walked;
    }
    const tags = new Set(members.map(tagOf));
    const [tag] = tags;
    if (tags.size !== 1 || tag === undefined) {
      return walked;
    }
    const { anyOf: oneOf, ...others } = walked;
    return { ...others, type: "object", required: [tag], discriminator: { propertyName: tag }, oneOf };
  };

  return Object.fromEntries(Object.entries(definitions).map(([name, node]) => [name, walkRecord(node)]));
};

const resolve = (
  definitions: Definitions,
  member: unknown,
): Readonly<Record<string, unknown>> | undefined => {
  if (!isRecord(member)) {
    return undefined;
  }
  const ref = member["$ref"];
  return typeof ref === "string"
    ? definitions[decodeURIComponent(ref.slice("#/definitions/".length))]
    : member;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
