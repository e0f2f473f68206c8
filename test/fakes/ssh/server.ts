/** A forge's ssh side: a real ssh server that runs git's own programs for whoever comes with a key that it knows. */

import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import ssh2, { type Connection } from "ssh2";

export interface FakeSsh {
  readonly port: number;
  /** Line of a file of known hosts. */
  readonly knownHost: string;
  /** By their public part, as OpenSSH writes it: what each may do. */
  readonly keys: Map<string, { readonly repos: readonly string[]; readonly write: boolean }>;
  /** Commands that were asked for. */
  readonly commands: readonly string[];
  /** Whether it hears which version of git's protocol is wanted: many servers do not. */
  hearsVersion: boolean;
  /** Called with each command while its client waits for the answer. */
  onCommand: (command: string) => void;
  close(): Promise<void>;
}

/** Serves the bare repositories below `root`. */
export const startSsh = async (root: string): Promise<FakeSsh> => {
  const hostKey = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey;
  const open = new Set<Connection>();
  const commands: string[] = [];
  const keys: FakeSsh["keys"] = new Map();
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    open.add(client);
    let known = "";
    client.on("error", () => undefined);
    client.on("close", () => open.delete(client));
    client.on("authentication", (attempt) => {
      if (attempt.method !== "publickey") return attempt.reject(["publickey"]);
      const shown = `${attempt.key.algo} ${attempt.key.data.toString("base64")}`;
      const signed = attempt.signature;
      const parsed = ssh2.utils.parseKey(shown);
      const isGood =
        signed === undefined ||
        (!(parsed instanceof Error) &&
          parsed.verify(attempt.blob ?? Buffer.alloc(0), signed, attempt.hashAlgo));
      if (!keys.has(shown) || !isGood) return attempt.reject();
      known = shown;
      attempt.accept();
    });
    client.on("session", (accept) => {
      const session = accept();
      let version: string | null = null;
      session.on("env", (taken, _refuse, { key, val }) => {
        if (key === "GIT_PROTOCOL" && fake.hearsVersion) version = val;
        taken?.();
      });
      session.on("exec", (take, _refuse, { command }) => {
        commands.push(command);
        fake.onCommand(command);
        const channel = take();
        const [, program = "", path = ""] =
          /^(git-upload-pack|git-receive-pack) '([\w./-]+)'$/.exec(command) ?? [];
        const grant = keys.get(known);
        const may = grant?.repos.includes(path) === true && (program === "git-upload-pack" || grant.write);
        if (!may) {
          channel.stderr.write(
            "ERROR: Repository not found.\nfatal: Could not read from remote repository.\n",
          );
          channel.exit(1);
          return void channel.end();
        }
        const env = { PATH: process.env["PATH"], ...(version === null ? {} : { GIT_PROTOCOL: version }) };
        const args = ["-c", "safe.directory=*", program.replace("git-", ""), join(root, path)];
        const child = spawn("git", args, { env, stdio: ["pipe", "pipe", "ignore"] });
        child.stdin.on("error", () => undefined);
        channel.pipe(child.stdin);
        child.stdout.pipe(channel, { end: false });
        channel.on("close", () => child.kill("SIGKILL"));
        child.on("close", (code) => {
          channel.exit(code ?? 1);
          channel.end();
        });
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const parsed = ssh2.utils.parseKey(hostKey);
  if (parsed instanceof Error) throw parsed;
  const [hostPublic] = [parsed].flat();
  const fake: FakeSsh = {
    port,
    knownHost: `[127.0.0.1]:${port} ssh-rsa ${hostPublic?.getPublicSSH().toString("base64")}`,
    keys,
    commands,
    hearsVersion: true,
    onCommand: () => undefined,
    close: async () => {
      for (const client of open) client.end();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
  return fake;
};
