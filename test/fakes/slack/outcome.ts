/** What a Web API method comes to. */

import type { Json } from "./world.ts";

export type Outcome =
  | { readonly kind: "ok"; readonly body: Json }
  | {
      readonly kind: "refused";
      readonly error: string;
      /** Stand in `response_metadata.messages`. */
      readonly messages: readonly string[];
      /** Further members of the answer. */
      readonly fields?: Json;
      /** Why no correct program gets this answer; undefined where one may. */
      readonly violation: string | undefined;
    };

export type Refused = Extract<Outcome, { kind: "refused" }>;

export const ok = (body: Json = {}): Outcome => ({ kind: "ok", body });

/** A refusal that a correct program may run into: an archived channel, a deleted message. */
export const refuse = (error: string): Refused => ({
  kind: "refused",
  error,
  messages: [],
  violation: undefined,
});

/** A refusal with further members: `errors` of a manifest. */
export const refuseWith = (error: string, fields: Json): Refused => ({ ...refuse(error), fields });

/** A refusal that is the program's own fault. */
export const violate = (error: string, why: string, messages: readonly string[] = []): Refused => ({
  kind: "refused",
  error,
  messages,
  violation: why,
});

export const bodyOf = (outcome: Outcome): Json =>
  outcome.kind === "ok"
    ? { ok: true, ...outcome.body }
    : {
        ok: false,
        error: outcome.error,
        ...outcome.fields,
        ...(outcome.messages.length === 0 ? {} : { response_metadata: { messages: outcome.messages } }),
      };
