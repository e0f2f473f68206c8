import type { JoinContext, JoinResult } from "../../../feature.ts";
import type { Ambient } from "../../../ports/host.ts";
import type { Membership, SettledMembership, SettledStore } from "../../../ports/membership.ts";
import type { Blobs, Objects } from "../../../ports/store.ts";
import { HANDOVER } from "../../../runtime/bot/drain.ts";
import { blobsIn } from "../../../store/tables/blobs.ts";
import { withCache } from "../objects/with-cache.ts";
import type { ClusterSettings } from "../settings/settings.ts";
import { openShared, readShared } from "../settings/shared.ts";
import { createFleetRows } from "../work/rows.ts";
import { shareOf } from "../work/share-of-many.ts";
import { activate } from "./activate.ts";
import { standBy, type StoodBy } from "./stand-by.ts";

export const joinCluster = async (settings: ClusterSettings, joining: JoinContext): Promise<JoinResult> => {
  const shared = await openShared(settings, joining);
  if (typeof shared === "string") return { kind: "failed", problems: [shared] };
  const stood = await standBy(settings, joining);
  if (stood.kind !== "active") return stood;
  const { member } = stood;
  const isFar = readShared(settings, joining.amazon).kind === "bucket";
  return {
    kind: "joined",
    lock: member.lock,
    writing: member.lease.writing,
    settle: (opened) => settle(member, opened, shared, isFar),
  };
};

type Member = Extract<StoodBy, { readonly kind: "active" }>["member"];

const settle = async (
  { lease, ...member }: Member,
  { rows, store, ledger, clock, log }: SettledStore,
  shared: Objects | null,
  isFar: boolean,
): Promise<SettledMembership> => {
  const fleet = createFleetRows(rows);
  const done = await lease.settle(fleet);
  if (done.kind === "failed") return done;
  console.log(`active: ${member.name}`);
  const active = activate({ name: member.name, lease });
  const membership: Membership = {
    name: member.name,
    ownership: shareOf({ fleet: lease.fleet, id: lease.id, opened: { fleet, store, ledger }, clock, log }),
    members: fleet.members,
    hosts: member.hosts,
    observe: active.ports,
    travels: { epoch: lease.epoch, shared },
    blobs: shared === null ? null : openBlobs(shared, isFar, log),
    handover: HANDOVER,
    drained: active.drained,
    leave: async () => {
      active.close();
      await member.leave();
    },
  };
  return { kind: "settled", membership };
};

const openBlobs = (shared: Objects, isFar: boolean, log: Ambient["log"]): Blobs => {
  const blobs = blobsIn(shared, log);
  return isFar ? withCache(blobs) : blobs;
};
