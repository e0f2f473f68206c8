/** The files of a message and of the messages that it forwards, as far as Slack serves them. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { SharedFile } from "../../../src/ports/chat.ts";
import type { Log } from "../../../src/ports/host.ts";
import { courtesy } from "./people.ts";
import type { SlackMessage } from "./message.ts";

const MOST_ASKED = 10;

/** Deleted files and those that Slack does not serve are left out. Pure. */
export const filesOf = ({ files, attachments }: SlackMessage): readonly SharedFile[] => [
  ...files.flatMap((one) => sharedFile(one)),
  ...attachments.flatMap((one) => {
    const { data } = forwarded.safeParse(one);
    const author = data?.author_name ?? data?.author_subname ?? null;
    return (data?.files ?? []).flatMap((each) => sharedFile(each, author));
  }),
];

/**
 * The message with its files in full: of a file from another workspace (Slack Connect) Slack sends no more than an id,
 * and tells the rest when asked.
 */
export const withFiles = async (
  client: webApi.WebClient,
  log: Log,
  message: SlackMessage,
): Promise<SlackMessage> => {
  let left = MOST_ASKED;
  const fill = (one: unknown): unknown => {
    const { data } = stub.safeParse(one);
    if (data === undefined || left === 0) return one;
    left -= 1;
    return courtesy(log, "a file of another workspace could not be read", async () => {
      const { file: whole } = await client.files.info({ file: data.id });
      return whole;
    });
  };
  return { ...message, files: await Promise.all(message.files.map(fill)) };
};

const sharedFile = (one: unknown, author: string | null = null): readonly SharedFile[] => {
  const { data } = file.safeParse(one);
  if (data?.url_private === undefined || data.url_private === null) return [];
  return [
    {
      id: data.id,
      name: data.name ?? "file",
      mediaType: data.mimetype ?? "application/octet-stream",
      size: data.size ?? 0,
      url: data.url_private,
      ...(author === null ? {} : { author }),
    },
  ];
};

const file = z.object({
  id: z.string(),
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  url_private: z.string().nullish(),
});
const stub = z.object({ id: z.string(), file_access: z.literal("check_file_info") });
const forwarded = z.object({
  author_name: z.string().nullish(),
  author_subname: z.string().nullish(),
  files: z.array(z.unknown()).nullish(),
});
