/** Ids decide, never names. Guests, people of other workspaces, bots and former members have no rights (D1, D2). Pure. */

import type { PersonId } from "../../../machine/id.ts";
import type { Speaker } from "../../../machine/vocabulary.ts";
import type { Approver, Person } from "../../../ports/chat-platform.ts";
import type { OwnerTable } from "../../../thread/owners.ts";

export interface Policy {
  readonly surface: string;
  readonly approvers: readonly Approver[];
  /** The channel's own approvers decide its questions but manage nothing. */
  readonly also?: readonly Approver[];
  readonly owners?: OwnerTable;
  /** Bars the requester of a turn from deciding its questions. `on` excludes direct messages (D2). */
  readonly twoPerson: "off" | "on" | "everywhere";
  /** People who may begin turns that write after an approval. */
  readonly drivers: "members" | "approvers";
}

interface Rights {
  readonly mayDrive: boolean;
  readonly mayApprove: boolean;
  readonly mayBind: boolean;
  /** True for approvers of the host, who may add approvers, set budgets and delete. */
  readonly mayManage: boolean;
}

export type Right = keyof Rights;

const ADMINS: readonly string[] = ["admins", "manage-guild"];

/** `listed`: PARLEY_APPROVERS; admins approve if it is unset. */
export const approversOf = (surface: string, listed: readonly string[] | undefined): readonly Approver[] =>
  listed === undefined
    ? [{ kind: "admins" }]
    : listed.flatMap((entry) => {
        const [owner, first = "", second] = entry.split(":");
        return owner === surface ? [approver(first, second)] : [];
      });

export const approverOf = (entry: string): Approver => {
  const [first = "", second] = entry.split(":");
  return second === undefined ? { kind: "person", id: first } : { kind: "group", id: second };
};

const approver = (first: string, second: string | undefined): Approver => {
  if (second !== undefined) return { kind: "group", id: second };
  if (ADMINS.includes(first)) return { kind: "admins" };
  return first === "members" ? { kind: "members" } : { kind: "person", id: first };
};

export const approverIdsOf = (approvers: readonly Approver[]): readonly string[] =>
  approvers.flatMap((one) => ("id" in one ? [one.id] : []));

export const groupsOf = ({ approvers, also = [] }: Policy): readonly string[] =>
  [...approvers, ...also].flatMap((one) => (one.kind === "group" ? [one.id] : []));

export const rightsOf = (policy: Policy, person: Person): Rights => {
  if (person.standing !== "member") return NOTHING;
  const named = policy.approvers.some((one) => one.kind !== "members" && names(one, person));
  const mayManage = named || policy.approvers.some(({ kind }) => kind === "members");
  const mayApprove = mayManage || (policy.also ?? []).some((one) => names(one, person));
  return {
    mayDrive: policy.drivers === "members" || mayApprove,
    mayApprove,
    mayBind: person.admin || named,
    mayManage,
  };
};

const names = (approver: Approver, { id, groups, admin }: Person): boolean => {
  switch (approver.kind) {
    case "person":
      return approver.id === id;
    case "group":
      return groups.includes(approver.id);
    case "admins":
      return admin;
    case "members":
      return true;
  }
};

export const surfacePersonId = (surface: string, person: string): PersonId => `${surface}:${person}`;

export const speakerOf = (policy: Policy, person: Person): Speaker => {
  const { mayDrive, mayApprove } = rightsOf(policy, person);
  const name = Array.from(person.name).slice(0, NAME).join("");
  return { id: surfacePersonId(policy.surface, person.id), name, mayDrive, mayApprove };
};

export const isOwnRequest = (
  policy: Policy,
  clicker: PersonId,
  requesters: readonly (PersonId | null)[],
  direct: boolean,
): boolean => requiresTwoPeople(policy, direct) && requesters.includes(clicker);

export const requiresTwoPeople = ({ twoPerson }: Policy, direct: boolean): boolean =>
  twoPerson === "everywhere" || (twoPerson === "on" && !direct);

/** Maximum length of a name in the trace, in characters. */
const NAME = 80;

const NOTHING: Rights = {
  mayDrive: false,
  mayApprove: false,
  mayBind: false,
  mayManage: false,
};
