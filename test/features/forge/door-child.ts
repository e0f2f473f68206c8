/** A private clone where commands have no network of their own; prints what came of it as JSON (doors.test.ts). */

import type { Probe } from "../../../sandbox/types.ts";
import { startSandbox } from "../../workspace/scene.ts";
import { privateRepo, told } from "./private.ts";

export interface Story {
  readonly egress: Probe["egress"];
  readonly told: string;
  readonly text: string;
}

const sandbox = await startSandbox();
const repo = await privateRepo(sandbox);
const opened = await repo.open("c-1");
const { text } = await repo.scene.shell("c-1", "restricted", "cat secret-plan.txt");
await repo[Symbol.asyncDispose]();
await sandbox.close();
const story: Story = { egress: sandbox.probe.egress, told: told(opened), text };
process.stdout.write(JSON.stringify(story));
