/** The emulated GitHub as the story of a pull request needs it. */

import { join } from "node:path";
import type { StorySide } from "../side.ts";
import { type EmulatedPull, OWNER, startEmulator } from "./emulator.ts";
import { createFront } from "./front.ts";
import { createMirror } from "./mirror.ts";

const PARLEY = { login: "parley-acme", token: "github_pat_emulated0123456789" };

/** `project` exists from the start. `writers` may push; the other `people` have no right yet. */
export const onEmulator = async (
  project: string,
  { writers, people }: { readonly writers: readonly string[]; readonly people: readonly string[] },
): Promise<StorySide> => {
  const emulated = await startEmulator(project, [PARLEY.login, ...writers, ...people]);
  const { store, tokens } = emulated;
  const letIn = (login: string, token: string): void =>
    void tokens.set(token, { login, id: 0, scopes: ["repo", "user"] });
  letIn(PARLEY.login, PARLEY.token);
  for (const login of people) letIn(login, tokenOf(login));
  const front = await createFront(emulated);

  const ask = async (token: string, method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${emulated.url}/repos/${project}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  const askOwner = (method: string, path: string, body?: object) => ask(OWNER.token, method, path, body);
  const act = (token: string, method: string, path: string, body: object): void =>
    front.act(() => ask(token, method, path, body));

  // For any other role the emulator answers a name that GitHub does not use.
  const letWrite = (login: string): void =>
    act(OWNER.token, "PUT", `/collaborators/${login}`, { permission: "admin" });
  const loginOf = (id: number): string =>
    store
      .collection("github.users")
      .all()
      .find((user) => user.id === id)?.login ?? "ghost";
  const pulls = (): readonly EmulatedPull[] => store.collection("github.pull_requests").all();
  const remarksOn = (number: number) =>
    store
      .collection("github.comments")
      .all()
      .filter(({ comment_type: type, pull_number: on }) => type === "review" && on === number);

  for (const login of [PARLEY.login, ...writers]) letWrite(login);
  return {
    host: "github.com",
    url: front.url,
    api: front.url,
    token: PARLEY.token,
    kind: "github-token",
    open: (opened, root) => {
      if (opened !== project) throw new Error(`the emulator has ${project} alone`);
      front.serve({ project, root, mirror: createMirror(join(root, `${project}.git`), askOwner, emulated) });
    },
    failCheck: (_, { name, commit, log }) =>
      act(OWNER.token, "POST", "/check-runs", {
        name,
        head_sha: commit,
        status: "completed",
        conclusion: "failure",
        output: { title: name, summary: log },
      }),
    setCheck: (_, { name, commit, state }) =>
      act(OWNER.token, "POST", "/check-runs", {
        name,
        head_sha: commit,
        ...(state === "running"
          ? { status: "in_progress" }
          : { status: "completed", conclusion: state, output: { title: name, summary: "" } }),
      }),
    review: (_, number, author, verdict) =>
      act(tokenOf(author), "POST", `/pulls/${number}/reviews`, {
        event: verdict === "approved" ? "APPROVE" : "REQUEST_CHANGES",
        body: "",
      }),
    setMergeRules: (_, { reviews = 0 }) =>
      act(OWNER.token, "PUT", "/branches/main/protection", {
        required_status_checks: null,
        enforce_admins: false,
        restrictions: null,
        required_pull_request_reviews: { required_approving_review_count: reviews },
      }),
    remark: (_, number, { author, text, path = "src/retry.js" }) =>
      act(tokenOf(author), "POST", `/pulls/${number}/comments`, {
        body: text,
        path,
        line: 1,
        side: "RIGHT",
      }),
    remarks: (_, number) => {
      const all = remarksOn(number);
      return all.map(({ user_id: author, body: text, in_reply_to_id: to }) => ({
        author: loginOf(author),
        text,
        to: to === null ? null : all.findIndex(({ id }) => id === to),
      }));
    },
    letWrite: (_, ...logins) => logins.forEach(letWrite),
    letConnect: (id) => {
      front.signIn.client = { id, secret: null };
    },
    signIn: front.signIn,
    posts: () =>
      pulls().map(
        ({ number, user_id: author, title, body, state, head_ref: head, base_ref: base, draft }) => ({
          name: `#${number}`,
          author: loginOf(author),
          title,
          text: body ?? "",
          state,
          labels: [],
          comments: [],
          pull: { head, base, isDraft: draft },
        }),
      ),
    writes: () =>
      front.calls.flatMap(({ operation, exchange: { method } }) => (method === "GET" ? [] : [operation])),
    spoil: (fault, isNext) => front.spoil(fault === "no answer" ? "stall" : "lost", isNext),
    violations: front.violations,
    close: async () => {
      await front.close();
      await emulated.close();
    },
  };
};

/** Of a person at the emulator's own page. */
const tokenOf = (login: string): string => `session-of-${login}`;
