/**
 * What Discord's description cannot say about a message: lengths that hold for bots, totals over all components, custom
 * ids that must differ, messages that are empty (hazard G7).
 */

import { z } from "zod";
import type { Complaint, Refused } from "./outcome.ts";
import { invalidForm, violate } from "./outcome.ts";
import type { Json } from "./world.ts";

export const SUPPRESS_EMBEDS = 1 << 2;
export const HAS_THREAD = 1 << 5;
export const EPHEMERAL = 1 << 6;
export const LOADING = 1 << 7;
export const COMPONENTS_V2 = 1 << 15;

/** The description says 4,000, which holds for subscribers; bots get this. */
const MAX_CONTENT = 2_000;
/** Characters of all text displays together. */
const MAX_DISPLAYED = 4_000;
const MAX_COMPONENTS = 40;
const MAX_ROWS = 5;
/** Characters of all embeds together. */
const MAX_EMBEDDED = 6_000;

export interface Draft {
  readonly content: string;
  readonly components: readonly Json[];
  readonly embeds: readonly Json[];
  readonly flags: number;
  /** Names of the files that the message has. */
  readonly attachments: readonly string[];
}

/** Why Discord would not take the message; undefined where it would. */
export const refusalOf = (draft: Draft): Refused | undefined => {
  const wrong = (draft.flags & COMPONENTS_V2) === 0 ? classic(draft) : displayed(draft);
  const all = [...wrong, ...sameIds(draft.components)];
  if (all.length > 0) return invalidForm(all);
  const { content, components, embeds, attachments } = draft;
  return content.trim() === "" && components.length === 0 && embeds.length === 0 && attachments.length === 0
    ? violate("emptyMessage", "a message needs content, embeds, components or files")
    : undefined;
};

/** A message that could not be edited so: the flag for components v2 stays for good. */
export const editRefusal = (before: number, draft: Draft): Refused | undefined =>
  (before & COMPONENTS_V2) !== 0 && (draft.flags & COMPONENTS_V2) === 0
    ? invalidForm([
        complaint(
          ["flags"],
          "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG",
          "IS_COMPONENTS_V2 cannot be removed",
        ),
      ])
    : refusalOf(draft);

const classic = ({ content, components, embeds }: Draft): readonly Complaint[] => [
  ...(content.length > MAX_CONTENT ? [tooLong(["content"], MAX_CONTENT)] : []),
  ...(components.length > MAX_ROWS ? [tooLong(["components"], MAX_ROWS)] : []),
  ...components.flatMap((one, at) =>
    one["type"] === 1
      ? []
      : [
          complaint(
            ["components", at, "type"],
            "BASE_TYPE_CHOICES",
            'Value of field "type" must be one of (1,).',
          ),
        ],
  ),
  ...(embeds.reduce((sum, one) => sum + textIn(one), 0) > MAX_EMBEDDED
    ? [complaint(["embeds"], "MAX_EMBED_SIZE_EXCEEDED", `Embed size exceeds maximum size of ${MAX_EMBEDDED}`)]
    : []),
];

const displayed = ({ content, components, embeds, attachments }: Draft): readonly Complaint[] => {
  const all = componentsIn(components);
  const characters = all.reduce(
    (sum, one) => sum + (one["type"] === 10 ? String(one["content"]).length : 0),
    0,
  );
  const only = "The MessageFlags.IS_COMPONENTS_V2 flag must be used without this field";
  return [
    ...(content === ""
      ? []
      : [complaint(["content"], "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", only)]),
    ...(embeds.length === 0
      ? []
      : [complaint(["embeds"], "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", only)]),
    ...all.flatMap((one) => {
      const name = attachedName(one);
      return name === null || attachments.includes(name)
        ? []
        : [
            complaint(
              ["components"],
              "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
              "The referenced attachment was not found",
            ),
          ];
    }),
    ...(all.length > MAX_COMPONENTS
      ? [
          complaint(
            ["components"],
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            `The maximum number of components is ${MAX_COMPONENTS}`,
          ),
        ]
      : []),
    ...(characters > MAX_DISPLAYED
      ? [
          complaint(
            ["components"],
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            `Total displayable text size exceeds ${MAX_DISPLAYED}`,
          ),
        ]
      : []),
  ];
};

/** The name of the file of its message that a component shows; null for any other. */
export const attachedName = (component: Json): string | null =>
  attached.safeParse(component).data?.file.url ?? null;

const attached = z.object({
  type: z.literal(13),
  file: z.object({
    url: z
      .string()
      .startsWith("attachment://")
      .transform((url) => url.slice("attachment://".length)),
  }),
});

const sameIds = (components: readonly Json[]): readonly Complaint[] => {
  const ids = componentsIn(components).flatMap((one) =>
    typeof one["custom_id"] === "string" ? [one["custom_id"]] : [],
  );
  return ids.length === new Set(ids).size
    ? []
    : [
        complaint(
          ["components"],
          "COMPONENT_CUSTOM_ID_DUPLICATED",
          "Component custom id cannot be duplicated",
        ),
      ];
};

const record = z.record(z.string(), z.unknown());

/** Every component, those within others included, in reading order. */
export const componentsIn = (components: readonly Json[]): readonly Json[] =>
  components.flatMap((one) => {
    const inner = z.array(record).safeParse(one["components"]);
    const beside = record.safeParse(one["accessory"]);
    return [
      one,
      ...(inner.success ? componentsIn(inner.data) : []),
      ...(beside.success ? componentsIn([beside.data]) : []),
    ];
  });

/** Discord numbers the components that come without an id. */
export const numbered = (components: readonly Json[]): readonly Json[] => {
  const taken = new Set(componentsIn(components).map(({ id }) => id));
  let next = 0;
  const free = (): number => {
    do next += 1;
    while (taken.has(next));
    return next;
  };
  const number = (one: Json): Json => {
    const inner = z.array(record).safeParse(one["components"]);
    const beside = record.safeParse(one["accessory"]);
    return {
      ...one,
      id: typeof one["id"] === "number" && one["id"] !== 0 ? one["id"] : free(),
      ...(inner.success ? { components: inner.data.map(number) } : {}),
      ...(beside.success ? { accessory: number(beside.data) } : {}),
    };
  };
  return components.map(number);
};

const textIn = (value: unknown): number => {
  if (typeof value === "string") return value.length;
  return typeof value === "object" && value !== null
    ? Object.entries(value).reduce(
        (sum, [key, inner]) => sum + (/url|^type$|timestamp/.test(key) ? 0 : textIn(inner)),
        0,
      )
    : 0;
};

const complaint = (path: Complaint["path"], code: string, message: string): Complaint => ({
  path,
  code,
  message,
});

const tooLong = (path: Complaint["path"], max: number): Complaint =>
  complaint(path, "BASE_TYPE_MAX_LENGTH", `Must be ${max} or fewer in length.`);
