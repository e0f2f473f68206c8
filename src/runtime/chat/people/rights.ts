/**
 * Who may (D1, D2): a policy over what a platform says of a person at this moment. Pure. Ids decide, never names;
 * guests, people of other workspaces, bots and people who left may nothing, whatever the policy lists.
 */

import type { PersonId } from "../../../machine/id.ts";
import type { Speaker } from "../../../machine/words.ts";
import type { Approver, Person } from "../../../ports/chat-platform.ts";
import type { OwnerTable } from "../../../thread/owners.ts";

export interface Policy {
  readonly surface: string;
  readonly approvers: readonly Approver[];
  /** Whom the channel names beside them; they decide its questions and manage nothing. */
  readonly also?: readonly Approver[];
  /** PARLEY_CODEOWNERS; absent where owners of files do not count. */
  readonly owners?: OwnerTable;
  /** Whoever's turn asked may not decide (PARLEY_TWO_PERSON): `on` leaves out direct messages (D2). */
  readonly twoPerson: "off" | "on" | "everywhere";
  /** Who begins turns that may write once they are approved. */
  readonly drivers: "members" | "approvers";
}

interface Rights {
  readonly mayDrive: boolean;
  readonly mayApprove: boolean;
  readonly mayBind: boolean;
  /** May approve by the host's own list: names others, sets budgets, deletes. */
  readonly mayManage: boolean;
}

export type Right = keyof Rights;

const ADMINS: readonly string[] = ["admins", "manage-guild"];

/** `listed`: PARLEY_APPROVERS; unset, admins approve. What names another surface is left out. */
export const approversOf = (surface: string, listed: readonly string[] | undefined): readonly Approver[] =>
  listed === undefined
    ? [{ kind: "admins" }]
    : listed.flatMap((entry) => {
        const [owner, first = "", second] = entry.split(":");
        return owner === surface ? [approver(first, second)] : [];
      });

/** One of a channel's own list. */
export const approverOf = (entry: string): Approver => {
  const [first = "", second] = entry.split(":");
  return second === undefined ? { kind: "person", id: first } : { kind: "group", id: second };
};

const approver = (first: string, second: string | undefined): Approver => {
  if (second !== undefined) return { kind: "group", id: second };
  if (ADMINS.includes(first)) return { kind: "admins" };
  return first === "members" ? { kind: "members" } : { kind: "person", id: first };
};

/** Of those who are named one by one, people and groups. */
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

/** D2: off where only one person can be, unless the operator wants it there too. */
export const isOwnRequest = (
  policy: Policy,
  clicker: PersonId,
  asker: PersonId | null,
  direct: boolean,
): boolean => requiresTwoPeople(policy, direct) && asker === clicker;

export const requiresTwoPeople = ({ twoPerson }: Policy, direct: boolean): boolean =>
  twoPerson === "everywhere" || (twoPerson === "on" && !direct);

/** Characters of a name that the trace keeps. */
const NAME = 80;

const NOTHING: Rights = {
  mayDrive: false,
  mayApprove: false,
  mayBind: false,
  mayManage: false,
};
