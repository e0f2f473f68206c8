import { tableOf } from "../shell/table.ts";

/** Effects of a manager's subcommands, besides the effects that all managers share. Each field is a list of names. */
export interface Manager {
  readonly installs?: string;
  /** Runs a program of the project, or fetches a missing program on request, like npx. */
  readonly local?: string;
  /** Fetches a program and runs it. */
  readonly fetches?: string;
  readonly asks?: string;
  readonly runs?: string;
  /** Whether the manager installs when run without a subcommand. */
  readonly bare?: boolean;
  /** Whether a word that is no subcommand is the name of a script. */
  readonly scripts?: boolean;
  readonly short?: string;
}

/** Subcommands that install with any manager. */
export const INSTALLING =
  /^(?:(?:re|un)?install(?:-\w+)*|clean-install|i|in|it|ci|cit|add|un(?:link)?|r|rm|remove|up(?:date|grade)?(?:-\w+)?|dedupe|ddp|prune|link|ln|import)$/;

/** Further subcommands that install; not for managers that run an unknown subcommand as a script of that name. */
export const SYNCING =
  /^(?:remote-add|del|erase|purge|autoremove|selfupdate|(?:dist|full|safe)-upgrade|downgrade|lock|sync|self|inject|require|deintegrate|deps\.\w+|tap|cask|refresh|build-?dep|restore|workload|pin)$/;

export const PUBLISHING = /^(?:(?:un)?publish|deprecate|push|yank|upload|hex\.publish)$/;

const NODE = {
  runs: "run run-script rum urn test t tst start stop restart",
  asks: "view v info show search s se find outdated ping login logout adduser whoami owner access token",
} satisfies Manager;

const MANAGERS = tableOf<Manager>({
  npm: { ...NODE, fetches: "init create innit", local: "exec x", short: "Cw" },
  pnpm: { ...NODE, installs: "fetch", fetches: "dlx create", scripts: true, short: "CF" },
  yarn: { ...NODE, installs: "global", fetches: "dlx create", bare: true, scripts: true },
  bun: { ...NODE, fetches: "create", local: "x" },
  deno: { installs: "cache" },
  pip: { asks: "download search index" },
  pipx: { fetches: "run" },
  poetry: { asks: "search", short: "C" },
  uv: { installs: "pip tool python" },
  uvx: { fetches: "*" },
  conda: { installs: "create env", asks: "search" },
  gem: { asks: "search fetch" },
  bundle: { bare: true, asks: "outdated" },
  composer: { asks: "search outdated" },
  cargo: { installs: "fetch", asks: "search" },
  go: { installs: "get" },
  rustup: { installs: "toolchain target component default" },
  dotnet: { installs: "tool" },
  dnf: { installs: "group", asks: "search" },
  zypper: { installs: "patch dup" },
  apk: { installs: "fix" },
  brew: { installs: "bundle" },
  snap: { asks: "find" },
  flatpak: { asks: "search" },
  nix: { installs: "profile", fetches: "run shell" },
  guix: { installs: "pull" },
  asdf: { installs: "plugin" },
  corepack: { installs: "enable use prepare" },
  luarocks: { installs: "build" },
  "emerge xbps-install easy_install pip-sync cpan cpanm": { installs: "*" },
  // These managers only have the shared subcommands for installing and publishing.
  "pipenv pdm rye mix opam pod cabal stack nuget apt aptitude port opkg pamac": {},
  "sdk volta fnm playwright cypress nvm pyenv rbenv": {},
});

const SAME = tableOf({ "apt-get": "apt", "yum microdnf": "dnf", "mamba micromamba": "conda" });

/** Ignores a version in the program's name. Null if the program is no manager. */
export const managerOf = (program: string): readonly [string, Manager] | null => {
  const name = SAME.get(program) ?? (/^pip[\d.]*$/.test(program) ? "pip" : program);
  const manager = MANAGERS.get(name);
  return manager === undefined ? null : [name, manager];
};
