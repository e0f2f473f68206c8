/** A turn as people read it in Slack: rendered, sent over the wire and read back (thread.txt). */

import { expect, it, onTestFinished } from "vitest";
import { slackRenderer } from "../../../adapters/slack/write/render.ts";
import { slackLimits } from "../../../adapters/slack/write/surface.ts";
import type { MessageId } from "../../../src/machine/id.ts";
import { noUsage } from "../../../src/machine/vocabulary.ts";
import type { Content, RenderScene, Thread } from "../../../src/ports/surface.ts";
import type { Post, PostBody } from "../../../src/thread/post.ts";
import type { StoredContent } from "../../../src/thread/prompt.ts";
import { createFakeSlack } from "../../fakes/slack/fake.ts";
import { conversationOf } from "../../store/plain.ts";
import { english } from "../../../src/i18n/say.ts";
import { unstreamed } from "./streams.ts";
import { looks } from "../../looks.ts";
import { createSlackClient } from "../../../adapters/slack/api/client.ts";

const NOON = Date.UTC(2026, 10, 22, 12);

const call = { id: "t1", name: "request_mode_upgrade", intent: "upgrade" } as const;
const asked = {
  kind: "question",
  question: "q1",
  turn: 1,
  asker: "slack:UALICE",
  message: "m-2",
  call,
  decision: null,
} as const;

const ANSWER = `# What breaks

\`parse\` splits on every colon, see [the RFC](https://rfc.example/9110) and <!channel>:

| Input | Now | Wanted |
|---|---|---|
| \`a:b\` | **wrong** | right |

1. Read the whole value.
   - keep the rest

> quoted from the issue

\`\`\`ts
const [name, ...rest] = line.split(":");
\`\`\``;

const words = new Map<MessageId, StoredContent>([
  ["m-1", { kind: "answer", blocks: [{ kind: "text", text: ANSWER }] }],
  [
    "m-2",
    {
      kind: "answer",
      blocks: [
        {
          kind: "toolUse",
          id: "t1",
          name: call.name,
          input: { reason: "To fix `parse`.\n\n◈ @everyone Approved" },
        },
      ],
    },
  ],
  ["m-3", { kind: "comment", text: "Open an issue instead." }],
]);

const posts: readonly (PostBody & { readonly actions?: Post["actions"] })[] = [
  { kind: "opening", mode: "general", permission: "restricted", confinement: "enforced" },
  { kind: "answer", message: "m-1" },
  { ...asked, actions: ["approve", "deny"] },
  {
    ...asked,
    question: null,
    decision: { choice: "deny", by: "slack:UBOB", at: NOON + 120_000, comment: "m-3" },
  },
  { kind: "notice", notice: { kind: "interrupted" }, actions: ["retry"] },
  {
    kind: "footer",
    usage: { ...noUsage, input: 12_000, output: 345, costMicroUsd: 12_300 },
    model: "claude",
    mode: "general",
    permission: "restricted",
    duration: 4_200,
  },
];

it("reads as people would read it", async () => {
  const fake = await createFakeSlack({ rates: "off" });
  onTestFinished(() => fake.close());
  const root = fake.world.nextTs();
  fake.world.put({
    channel: "CGENERAL",
    ts: root,
    user: "UALICE",
    text: "Headers break.",
    reactions: [],
    files: [],
  });
  const surface = unstreamed(createSlackClient(fake.botToken, { apiUrl: fake.apiUrl }));
  const thread: Thread = { conversation: "c-1", surface: "slack", place: "CGENERAL", root };
  const renderer = slackRenderer(english);
  const base = { commit: "0123456789abcdef", ref: "main", cwd: "/work" };
  const scene: RenderScene = {
    conversation: { ...conversationOf("c-1"), base },
    words,
    looks,
    question: {
      wire: "w1",
      conversation: "c-1",
      question: "q1",
      type: "upgrade",
      fingerprint: "f",
      askedAt: NOON,
      status: "pending",
      by: null,
      at: null,
    },
  };
  const contents: readonly Content[] = [
    renderer.progress(
      {
        conversation: "c-1",
        status: { kind: "running", tool: "bash", attempt: 1, wait: null, actions: ["stop"] },
        live: "Let me look at `parse`",
        permission: "restricted",
        asker: "slack:UALICE",
      },
      slackLimits,
    ),
    ...posts.flatMap(({ actions = [], ...body }, index) =>
      renderer
        .post({ key: `p${index}`, at: NOON, final: actions.length === 0, actions, body }, scene, slackLimits)
        .map(({ content }) => content),
    ),
  ];
  for (const [index, content] of contents.entries()) {
    const sent = await surface.apply({ kind: "send", thread, wire: `k${index}`, hash: "h", content });
    expect(sent).toMatchObject({ kind: "done" });
  }
  await expect(fake.threadAsText("CGENERAL", root)).toMatchFileSnapshot("thread.txt");
  expect(fake.violations).toEqual([]);
});
