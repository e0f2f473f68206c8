/**
 * Turns unions of tagged objects into discriminated ones, unions within unions included. Without it a wrong field in one
 * block is reported as a failure of each of sixteen alternatives, and no precise message can be found among them.
 */

export type Definitions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Node = Readonly<Record<string, unknown>>;

export const discriminate = (definitions: Definitions): Definitions => {
  const flat = (member: unknown): readonly unknown[] => {
    const target = resolve(definitions, member);
    const inner = target?.["anyOf"];
    return Array.isArray(inner) && target?.["properties"] === undefined ? inner.flatMap(flat) : [member];
  };

  /** The tag of a member and its value there. */
  const tagged = (member: unknown): { readonly tag: string; readonly value: unknown } | undefined => {
    const target = resolve(definitions, member);
    const properties = target?.["properties"];
    const required = target?.["required"];
    if (!Array.isArray(required) || !isNode(properties)) {
      return undefined;
    }
    for (const tag of ["type", "role"]) {
      const property = properties[tag];
      if (required.includes(tag) && isNode(property) && "const" in property) {
        return { tag, value: property["const"] };
      }
    }
    return undefined;
  };

  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) {
      return node.map(walk);
    }
    return isNode(node) ? walkNode(node) : node;
  };

  const walkNode = (node: Node): Node => {
    const walked = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, walk(value)]));
    const members = walked["anyOf"];
    if (!Array.isArray(members)) {
      return walked;
    }
    const kinds = members.flatMap(flat).map((member) => ({ member, kind: tagged(member) }));
    const tags = new Set(kinds.map(({ kind }) => kind?.tag));
    const [tag] = tags;
    if (tags.size !== 1 || tag === undefined) {
      return walked;
    }
    const { anyOf: _members, ...others } = walked;
    const byValue = Map.groupBy(kinds, ({ kind }) => kind?.value);
    const oneOf = [...byValue].map(([value, same]) => {
      const [first, ...rest] = same.map(({ member }) => member);
      return rest.length === 0
        ? first
        : { type: "object", properties: { [tag]: { const: value } }, anyOf: [first, ...rest] };
    });
    return { ...others, type: "object", required: [tag], discriminator: { propertyName: tag }, oneOf };
  };

  return Object.fromEntries(Object.entries(definitions).map(([name, node]) => [name, walkNode(node)]));
};

const resolve = (definitions: Definitions, member: unknown): Node | undefined => {
  if (!isNode(member)) {
    return undefined;
  }
  const ref = member["$ref"];
  return typeof ref === "string"
    ? definitions[decodeURIComponent(ref.slice("#/definitions/".length))]
    : member;
};

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);
