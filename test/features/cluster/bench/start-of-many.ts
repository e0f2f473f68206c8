/** How soon a host is there in a fleet that has very many conversations: its copy up to date, and where it has none. */

import { join } from "node:path";
import { openFleetDatabase } from "../../../../src/features/cluster/database/fleet-database.ts";
import { nameIn } from "../../../../src/store/base/connect.ts";
import { atMost, type Figure, measured } from "../../../bench/figure.ts";
import { fillStore } from "../../../bench/many-conversations.ts";
import { smallRepository } from "../../../bench/repository.ts";
import { startHosts } from "./hosts.ts";

export const startOfMany = async (
  database: string,
  directory: string,
  isTiny: boolean,
  note: (line: string) => void,
): Promise<readonly Figure[]> => {
  const { count, rounds } = isTiny ? { count: 20, rounds: 1 } : { count: 100_000, rounds: 5 };
  const told = count.toLocaleString("en-US");
  note(`${told} conversations are imported`);
  const alone = join(directory, "alone");
  fillStore(alone, count);
  await imported(database, alone);
  const given = {
    database,
    directory: join(directory, "fleet"),
    repo: await smallRepository(join(directory, "repo")),
    compileCache: join(directory, "cache"),
    model: "http://127.0.0.1:9",
  };
  const starts: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    note(round === 0 ? "a copy is made" : `start ${round} of ${rounds}`);
    const [host] = await startHosts(1, given);
    if (host === undefined) throw new Error("no host was started");
    starts.push(host.readyAfter);
    await host.end();
  }
  const [first = 0, ...later] = starts;
  return [
    measured(`${told} conversations: a start`, "ms", later, atMost(2_000)),
    measured(`${told} conversations: a start that makes its copy anew`, "ms", [first]),
  ];
};

const imported = async (database: string, directory: string): Promise<void> => {
  const opened = await openFleetDatabase({ database, name: "import", version: "1" });
  if (opened.kind !== "open") throw new Error(opened.why);
  const done = await opened.database.importFrom(nameIn(directory), () => undefined);
  if (done.kind !== "done") throw new Error(done.why);
  await opened.database.close();
};
