/** The two places that several hosts can share, for tests of what holds in both. */

import { onTestFinished } from "vitest";
import type { Objects } from "../../../src/ports/store.ts";
import { createFolder } from "../../../src/store/objects/folder.ts";
import type { S3Settings } from "../../../src/store/objects/bucket.ts";
import { createS3 } from "../../../src/store/objects/s3.ts";
import { type FakeS3, REGION, startS3 } from "../../fakes/s3/store.ts";
import { temporary } from "../kit.ts";

export interface S3World {
  readonly s3: FakeS3;
  readonly objects: Objects;
  /** Waits between tries, which no time goes by for. */
  readonly pauses: readonly number[];
  /** Where what is sent waits. */
  readonly aside: string;
  readonly open: (other: Partial<S3Settings>) => Objects;
}

export const withS3 = async (silence = 20_000, rest = 0): Promise<S3World> => {
  const s3 = await startS3();
  onTestFinished(() => s3.close());
  const pauses: number[] = [];
  const aside = temporary();
  const patience = { silence, rest, pause: (time: number) => Promise.resolve(pauses.push(time)) };
  const open = (other: Partial<S3Settings>): Objects =>
    createS3(
      { bucket: "team", prefix: "parley/", endpoint: s3.url, region: REGION, keys: s3.keys, ...other },
      aside,
      patience,
    );
  return { s3, objects: open({}), pauses, aside, open };
};

export const places: readonly (readonly [string, () => Promise<Objects>])[] = [
  ["a directory", () => Promise.resolve(createFolder(temporary()))],
  ["a bucket", async () => (await withS3()).objects],
];
