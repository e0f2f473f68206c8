/** Files of a message and of its forwarded messages. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { SharedFile } from "../../../src/ports/chat.ts";
import type { Log } from "../../../src/ports/host.ts";
import { visibleFileName, type SlackMessage } from "./message.ts";
import { slackCourtesy } from "./people.ts";

const MOST_ASKED = 10;

/** Files that Slack does not serve have a reason instead. Pure. */
export const slackFilesOf = ({ files, attachments }: SlackMessage): readonly SharedFile[] => [
  ...files.flatMap((one) => sharedFile(one)),
  ...attachments.flatMap((one) => {
    const { data } = forwarded.safeParse(one);
    const author = data?.author_name ?? data?.author_subname ?? null;
    return (data?.files ?? []).flatMap((each) => sharedFile(each, author));
  }),
];

/**
 * Returns the message with complete files. For a file from another workspace (Slack Connect), Slack sends
 * only an id, and the rest must be requested.
 */
export const withFiles = async (
  client: webApi.WebClient,
  log: Log,
  message: SlackMessage,
): Promise<SlackMessage> => {
  let left = MOST_ASKED;
  const fill = async (one: unknown): Promise<unknown> => {
    const { data } = stub.safeParse(one);
    if (data === undefined || left === 0) return one;
    left -= 1;
    const whole = await slackCourtesy(log, "slack: file of another workspace not read", async () => {
      const { file: found } = await client.files.info({ file: data.id });
      return found;
    });
    return whole ?? one;
  };
  const filled = (all: readonly unknown[]): Promise<unknown[]> => Promise.all(all.map(fill));
  const attachments = message.attachments.map(async (one): Promise<unknown> => {
    const { data } = withFilesOf.safeParse(one);
    return data === undefined ? one : { ...data, files: await filled(data.files) };
  });
  return { ...message, files: await filled(message.files), attachments: await Promise.all(attachments) };
};

const sharedFile = (one: unknown, author: string | null = null): readonly SharedFile[] => {
  const { data } = file.safeParse(one);
  if (data === undefined) return [];
  const text = textOf(data);
  const withheld = text === null ? withheldOf(data) : null;
  return [
    {
      id: data.id,
      name: visibleFileName(data),
      mediaType: data.mimetype ?? "application/octet-stream",
      size: data.size ?? 0,
      url: data.url_private ?? "",
      ...(text === null ? {} : { text }),
      ...(withheld === null ? {} : { withheld }),
      ...(author === null ? {} : { author }),
    },
  ];
};

/** Returns the text of an e-mail or a voice message, which Slack sends with the file. */
const textOf = ({ plain_text: mail, transcription: voice, ...heads }: SlackFile): string | null => {
  if (typeof mail === "string" && mail.trim() !== "") return [...headsOf(heads), mail].join("\n");
  const said = voice?.preview?.content;
  if (said === undefined || said.trim() === "") return null;
  return voice?.preview?.has_more === true
    ? `${said}\n[Slack sent only this part of the transcription]`
    : said;
};

const headsOf = ({ from, to, cc }: Pick<SlackFile, "from" | "to" | "cc">): readonly string[] =>
  Object.entries({ From: from, To: to, Cc: cc }).flatMap(([head, people]) =>
    people.length === 0 ? [] : [`${head}: ${people.join(", ")}`],
  );

const withheldOf = ({ mode, file_access: access, url_private: url }: SlackFile): string | null => {
  if (mode === "tombstone" || access === "file_not_found") return "it was deleted";
  if (mode === "hidden_by_limit") return "Slack hides it because the workspace reached a limit of its plan";
  if (access === "access_denied") return "Slack denies access to it";
  if (typeof url === "string" && url !== "") return null;
  return "Slack does not serve it to the app";
};

const people = z
  .array(
    z
      .object({
        original: z.string().optional(),
        name: z.string().optional(),
        address: z.string().optional(),
      })
      .transform(({ original, name, address }) => original ?? [name, address].filter(Boolean).join(" ")),
  )
  .catch([]);
const file = z.object({
  id: z.string(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  mode: z.string().nullish(),
  file_access: z.string().nullish(),
  url_private: z.string().nullish(),
  plain_text: z.string().nullish().catch(null),
  from: people,
  to: people,
  cc: people,
  transcription: z
    .object({ preview: z.object({ content: z.string(), has_more: z.boolean().optional() }).optional() })
    .nullish()
    .catch(null),
});
type SlackFile = z.output<typeof file>;
/** Only an id, or an id with the request to read the rest. */
const stub = file.refine(
  ({ mode, file_access: access, url_private: url, name }) =>
    access === "check_file_info" ||
    (typeof mode !== "string" && typeof url !== "string" && typeof name !== "string"),
);
const forwarded = z.object({
  author_name: z.string().nullish(),
  author_subname: z.string().nullish(),
  files: z.array(z.unknown()).nullish(),
});
const withFilesOf = z.looseObject({ files: z.array(z.unknown()).min(1) });
