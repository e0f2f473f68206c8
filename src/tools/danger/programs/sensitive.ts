/** Which files of a project hold configuration, secrets or the list of its dependencies, by their names. Pure. */
import { matchesGlob } from "../../shell/glob.ts";

/**
 * `secret`: what the file holds is secret, or decides what runs unasked (git's own files). `config`: its name speaks
 * of configuration or secrets, as a source file's may too.
 */
type Sensitivity = "secret" | "config" | null;

/** `path` is relative to the checkout or absolute; patterns in it may match. */
export const sensitivityOf = (path: string): Sensitivity => {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  const last = names.at(-1) ?? "";
  if (names.slice(0, -1).some((name) => SECRET_DIRECTORIES.has(name))) return "secret";
  if (names.includes(".git")) return GIT_FILES.test(path) ? "secret" : null;
  if (SECRET_DIRECTORIES.has(last) || isSecretFile(last)) return "secret";
  return names.some(speaksOfSecrets) && !PROSE.test(last) ? "config" : null;
};

const SECRET_DIRECTORIES: ReadonlySet<string> = new Set(".ssh .aws .gnupg .kube .docker .azure".split(" "));

const GIT_FILES = /(?:^|\/)\.git(?:\/(?:config|hooks|info\/attributes|modules)(?:\/|$)|$)/;

/** An example carries no secret, whatever it is called. */
const EXAMPLE = /\.(?:example|sample|template|dist)$/;

const SECRET_FILE =
  /^(?:\.env|\.env\..+|.+\.env|\.envrc|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)|id_(?:rsa|dsa|ecdsa|ed25519).*|\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|dockercfg)|credentials(?:\.\w+)?|authorized_keys|known_hosts|shadow|sudoers)$/i;

/** What a pattern such as `.e*` is tried against. */
const TYPICAL = [".env", ".env.local", "id_rsa", "server.key", "server.pem", "credentials"];

const isSecretFile = (name: string): boolean => {
  if (/[*?[]/.test(name)) return /[^*?.[\]]/.test(name) && TYPICAL.some((each) => matchesGlob(name, each));
  return SECRET_FILE.test(name) && !EXAMPLE.test(name);
};

/** Documents about secrets are not secrets. */
const PROSE = /\.(?:md|mdx|rst|adoc|html?)$/i;

const WORDS: ReadonlySet<string> = new Set(
  "config configs secret secrets token tokens apikey apikeys password passwords passwd credential credentials ssh".split(
    " ",
  ),
);

/** The Russian words of the original list, by their stems. */
const RUSSIAN = /^(?:конфиг|секрет|токен|парол|учетн|учётн|ключ)/u;

/** Whole words only: `tokenizer`, `keyboard` and `configuration` are none of these. */
const speaksOfSecrets = (name: string): boolean => {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.some(
    (word, at) =>
      WORDS.has(word) ||
      (word.endsWith("config") && word !== "reconfig") ||
      RUSSIAN.test(word) ||
      (/^keys?$/.test(word) && KEY_KINDS.has(words[at - 1] ?? "")),
  );
};

const KEY_KINDS: ReadonlySet<string> = new Set(
  "api private secret access signing deploy ssh host".split(" "),
);

/** Files that name a project's dependencies, and the locks beside them. */
export const isManifest = (path: string): boolean => MANIFEST.test(path.split("/").at(-1) ?? "");

const MANIFEST =
  /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|requirements[\w.-]*\.(?:txt|in)|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?|setup\.(?:py|cfg)|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|build\.gradle(?:\.kts)?|environment\.ya?ml|mix\.(?:exs|lock))$/;
