/** A store of the S3 kind, and objects in a bucket of it. */

import { onTestFinished } from "vitest";
import type { Objects } from "../../../../src/ports/store.ts";
import type { S3Settings } from "../../../../src/features/cluster/objects/bucket.ts";
import { createS3 } from "../../../../src/features/cluster/objects/s3.ts";
import { type FakeS3, REGION, startS3 } from "../../../fakes/s3/store.ts";
import { temporary } from "../../../store/kit.ts";

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
