/** What a REST call comes to: Discord's answers and its error codes. */

import type { Json } from "./world.ts";

export type Outcome =
  | { readonly kind: "ok"; readonly status: 200 | 201 | 204; readonly body: unknown }
  | Refused;

export interface Refused {
  readonly kind: "refused";
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** The tree under `errors` of a 50035. */
  readonly errors: Json | undefined;
  /** Why no correct program gets this answer; undefined where one may. */
  readonly violation: string | undefined;
}

export const ok = (body: unknown, status: 200 | 201 = 200): Outcome => ({ kind: "ok", status, body });

export const nothing: Outcome = { kind: "ok", status: 204, body: undefined };

/** Refusals that a correct program may run into. */
export const refuse = (name: RefusalName): Refused => ({
  kind: "refused",
  ...refusals[name],
  errors: undefined,
  violation: undefined,
});

/** A refusal that is the program's own fault. */
export const violate = (name: RefusalName, why: string): Refused => ({ ...refuse(name), violation: why });

/** 50035: the errors stand at the place in the body that they are about. */
export const invalidForm = (complaints: readonly Complaint[]): Refused => ({
  ...violate(
    "invalidForm",
    complaints.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
  ),
  errors: treeOf(complaints),
});

export interface Complaint {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

export const bodyOf = ({ code, message, errors }: Refused): Json => ({
  message,
  code,
  ...(errors === undefined ? {} : { errors }),
});

const treeOf = (complaints: readonly Complaint[]): Json => {
  const heads = Map.groupBy(complaints, ({ path }) => String(path[0] ?? ""));
  return Object.fromEntries(
    [...heads].map(([head, all]) => {
      const [here, below] = [
        all.filter(({ path }) => path.length <= 1),
        all.filter(({ path }) => path.length > 1),
      ];
      const errors = here.map(({ code, message }) => ({ code, message }));
      const rest = treeOf(below.map((one) => ({ ...one, path: one.path.slice(1) })));
      return head === ""
        ? ["_errors", errors]
        : [head, { ...(errors.length === 0 ? {} : { _errors: errors }), ...rest }];
    }),
  );
};

const refusals = {
  unauthorized: { status: 401, code: 0, message: "401: Unauthorized" },
  notFound: { status: 404, code: 0, message: "404: Not Found" },
  unknownChannel: { status: 404, code: 10_003, message: "Unknown Channel" },
  unknownGuild: { status: 404, code: 10_004, message: "Unknown Guild" },
  unknownMember: { status: 404, code: 10_007, message: "Unknown Member" },
  unknownMessage: { status: 404, code: 10_008, message: "Unknown Message" },
  unknownUser: { status: 404, code: 10_013, message: "Unknown User" },
  unknownWebhook: { status: 404, code: 10_015, message: "Unknown Webhook" },
  unknownInteraction: { status: 404, code: 10_062, message: "Unknown interaction" },
  unknownCommand: { status: 404, code: 10_063, message: "Unknown application command" },
  alreadyAcknowledged: { status: 400, code: 40_060, message: "Interaction has already been acknowledged." },
  tagRequired: {
    status: 400,
    code: 40_067,
    message: "A tag is required to create a forum post in this channel",
  },
  missingAccess: { status: 403, code: 50_001, message: "Missing Access" },
  notTheAuthor: { status: 403, code: 50_005, message: "Cannot edit a message authored by another user" },
  emptyMessage: { status: 400, code: 50_006, message: "Cannot send an empty message" },
  notATextChannel: { status: 400, code: 50_008, message: "Cannot send messages in a non-text channel" },
  missingPermissions: { status: 403, code: 50_013, message: "Missing Permissions" },
  systemMessage: { status: 403, code: 50_021, message: "Cannot execute action on a system message" },
  wrongChannelType: { status: 400, code: 50_024, message: "Cannot execute action on this channel type" },
  invalidWebhookToken: { status: 401, code: 50_027, message: "Invalid Webhook Token" },
  invalidForm: { status: 400, code: 50_035, message: "Invalid Form Body" },
  archivedThread: { status: 400, code: 50_083, message: "Thread is archived" },
  flagsRefused: { status: 400, code: 50_035, message: "Invalid Form Body" },
  invalidJson: { status: 400, code: 50_109, message: "The request body contains invalid JSON." },
  replyForbidden: {
    status: 400,
    code: 160_002,
    message: "You cannot reply without permission to read message history",
  },
  threadExists: {
    status: 400,
    code: 160_004,
    message: "A thread has already been created for this message",
  },
  threadLocked: { status: 400, code: 160_005, message: "Thread is locked" },
  tooLarge: { status: 413, code: 40_005, message: "Request entity too large" },
} as const;

export type RefusalName = keyof typeof refusals;
