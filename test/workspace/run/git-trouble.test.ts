import { expect, test } from "vitest";
import { sentence, gitTroubleOf } from "../../../src/workspace/run/git-trouble.ts";

test.each([
  ["fatal: unable to access 'https://h/a/': Could not resolve host: h", "unreachable"],
  [
    "fatal: unable to access 'https://h/': Failed to connect to h port 443 after 1 ms: Couldn't connect to server",
    "unreachable",
  ],
  [
    "ssh: connect to host h port 22: Connection refused\nfatal: Could not read from remote repository.",
    "unreachable",
  ],
  ["fatal: unable to access 'https://h/a/': The requested URL returned error: 503", "unreachable"],
  ["fatal: unable to access 'https://h/a/': Received HTTP code 502 from proxy after CONNECT", "unreachable"],
  ["fatal: unable to access 'https://h/a/': CONNECT tunnel failed, response 403", "closed"],
  ["Parley does not let commands reach h:22: it is a private address.\nfatal: Could not read", "closed"],
  ["remote: Repository not found.\nfatal: repository 'https://h/a/' not found", "notFound"],
  ["fatal: could not read Username for 'https://h': terminal prompts disabled", "noAccess"],
  ["fatal: unable to access 'https://h/a/': The requested URL returned error: 403", "noAccess"],
  ["git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.", "noAccess"],
  ["Host key verification failed.\nfatal: Could not read from remote repository.", "untrusted"],
  ["fatal: unable to access 'https://h/': SSL certificate problem: self-signed certificate", "untrusted"],
  ["fatal: write error: No space left on device\nfatal: index-pack failed", "noSpace"],
  ["error: sha1 file '<stdout>' write error. Out of diskspace", "noSpace"],
  ["error: unable to write file d.bin", "noSpace"],
  ["sh: 4: printf: printf: I/O error\n", "noSpace"],
  [
    "error: object 1234: hasDotgit: contains '.git'\nfatal: fsck error in packed object\nfatal: index-pack failed",
    "damaged",
  ],
  ["fatal: https://h/a/info/refs not valid: is this a git repository?", "notGit"],
  ["fatal: '/source' does not appear to be a git repository", "notGit"],
  ["fatal: something else", "unknown"],
])("%j means %s", (output, kind) => {
  expect(gitTroubleOf(output).kind).toBe(kind);
});

const said = (output: string): string => sentence(gitTroubleOf(output), "h/a");

test("what git said is told without credentials, controls or a server's own words", () => {
  expect(said("fatal: odd thing at https://ada:secret@h/a\u001b[31m")).toBe(
    "git failed on h/a: odd thing at https://h/a?[31m",
  );
  expect(said("remote: click here\nfatal: remote error: click here")).toBe(
    "git failed on h/a without saying why.",
  );
  expect(said(`fatal: ${"x".repeat(5000)}`).length).toBeLessThan(300);
});

test("every trouble is one sentence that names the repository or the machine", () => {
  const troubles = [
    { kind: "notFound" },
    { kind: "noAccess" },
    { kind: "unreachable" },
    { kind: "closed" },
    { kind: "untrusted" },
    { kind: "noSpace" },
    { kind: "notGit" },
    { kind: "noCommits" },
    { kind: "noBranch" },
    { kind: "borrows" },
    { kind: "stranger" },
    { kind: "damaged" },
    { kind: "partial" },
    { kind: "tooLarge", limit: 2 ** 30 },
    { kind: "tooManyRefs" },
    { kind: "slow", minutes: 2 },
    { kind: "gone" },
    { kind: "sandbox", reason: "no launcher" },
    { kind: "host", reason: "EACCES" },
  ] as const;
  const told = troubles.map((trouble) => sentence(trouble, "h/a"));
  expect(new Set(told).size).toBe(troubles.length);
  for (const each of told) expect(each).toMatch(/^\S[^\n]*\.$/);
});
