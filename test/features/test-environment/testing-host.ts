/** A process that tests a draft beside PostgreSQL until the process is killed (surroundings.test.ts). */

import { createTestSurroundings } from "../../../src/features/test-environment/surroundings.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { commit, createScene, startSandbox } from "../../workspace/scene.ts";

const [, , mark = ""] = process.argv;
const { signal } = new AbortController();
const tests = createTestSurroundings({ secrets: { open: () => ({}) }, log: silentLog });
const scene = await createScene(await startSandbox(), { tests });
const repo = await scene.repository("killed");
await commit(repo, { "a.txt": "one\n", ".parley/tests.json": JSON.stringify({ services: ["postgresql"] }) });
await scene.base("c-killed", repo);
const { drafts } = scene.workspaces;
await drafts.open("c-killed", signal);
await scene.shell("c-killed", "draft", "echo changed > a.txt");
// The name of the process names the folder of the services, which other processes of this machine can read.
const testCommand = `psql -qtA -c 'select 1' && exec -a "${mark}-$(echo /tmp/services-*)" sleep 600`;
await drafts.seal("c-killed", { title: "A change", testCommand }, signal);
