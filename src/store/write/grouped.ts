import type { Store } from "../../ports/store.ts";
import { committed, rowsOf } from "../tables/step-rows.ts";
import type { StoreParts } from "../tables/all-tables.ts";
import type { Group } from "./group.ts";
import type { WriteJob } from "./write-job.ts";
import { attemptWrite, type GroupedPort, isWrite } from "../base/write.ts";

type Others = Omit<StoreParts, "store" | "figures">;

export type StorePorts = { readonly [Port in keyof Others]: GroupedPort<Others[Port]> } & Pick<
  StoreParts,
  "figures"
> & {
    readonly store: Store;
  };

/** The casts rely on `GroupedPort`: it contains exactly the members that `isWrite` finds. */
const grouped = (members: object, port: string, group: Group): object =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]: [string, unknown]) => [
      name,
      isWrite(member)
        ? (...given: unknown[]) => group.write({ port, name, given } as unknown as WriteJob)
        : member,
    ]),
  );

const groupedStore = (store: StoreParts["store"], group: Group, close: () => Promise<void>): Store => ({
  ...(grouped(store, "store", group) as GroupedPort<StoreParts["store"]>),
  commit: async (commit) => {
    const rows = attemptWrite(() => ({ kind: "step", rows: rowsOf(commit) }) as const);
    if (rows.kind === "failed") return rows;
    const stepped = await group.write({ port: "store", name: "step", given: [rows.rows] });
    if (stepped.kind !== "committed" && stepped.kind !== "failed")
      throw new Error("a step was not committed");
    return committed(commit, stepped);
  },
  close,
});

export const createGroupedPorts = (
  parts: StoreParts,
  group: Group,
  close: () => Promise<void>,
): StorePorts => {
  const { store, figures, ...others } = parts;
  const ports = Object.entries(others).map(([port, members]) => [port, grouped(members, port, group)]);
  return { ...(Object.fromEntries(ports) as StorePorts), figures, store: groupedStore(store, group, close) };
};
