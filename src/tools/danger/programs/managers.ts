/** The package managers that are known, and what their subcommands do. */

/** What subcommands of a manager do, each a list of names. */
export interface Manager {
  readonly installs?: string;
  /** Runs a program that the project has, and fetches it where it is told to, as npx does. */
  readonly local?: string;
  /** Fetches a program and runs it. */
  readonly fetches?: string;
  readonly publishes?: string;
  readonly asks?: string;
  /** Runs the project's scripts by name. */
  readonly runs?: string;
  /** Run without a subcommand, it installs. */
  readonly bare?: boolean;
  /** A word that is no subcommand is the name of a script. */
  readonly scripts?: boolean;
  /** Options before the subcommand that take a value. */
  readonly short?: string;
}

const NODE = {
  runs: "run run-script rum urn test t tst start stop restart",
  publishes: "publish unpublish deprecate",
  asks: "view v info show search s se find outdated ping login logout adduser whoami owner access token",
} satisfies Manager;

const MANAGERS: Readonly<Record<string, Manager>> = {
  npm: {
    ...NODE,
    installs:
      "install i in ins inst insta instal isnt isnta isntal add ci ic clean-install install-clean install-test it cit " +
      "install-ci-test update up upgrade udpate uninstall un unlink remove rm r dedupe ddp find-dupes prune link ln",
    fetches: "init create innit",
    local: "exec x",
    short: "Cw",
  },
  pnpm: {
    ...NODE,
    installs: "install i add update up upgrade remove rm uninstall un link unlink dedupe prune import fetch",
    fetches: "dlx create",
    scripts: true,
    short: "CF",
  },
  yarn: {
    ...NODE,
    installs: "install add upgrade up upgrade-interactive remove dedupe import link unlink global",
    fetches: "dlx create",
    bare: true,
    scripts: true,
  },
  bun: { ...NODE, installs: "install i add update remove rm link unlink", fetches: "create", local: "x" },
  deno: { installs: "install add remove uninstall cache", publishes: "publish" },
  pip: { installs: "install uninstall", asks: "download search index" },
  pipx: { installs: "install upgrade upgrade-all uninstall reinstall inject", fetches: "run" },
  poetry: {
    installs: "install add update remove lock sync self",
    publishes: "publish",
    asks: "search",
    short: "C",
  },
  pipenv: { installs: "install update uninstall sync lock upgrade" },
  pdm: { installs: "install add update remove sync lock", publishes: "publish" },
  rye: { installs: "sync add remove lock install", publishes: "publish" },
  uv: { installs: "add remove sync lock pip tool python", publishes: "publish" },
  uvx: { fetches: "*" },
  conda: { installs: "install update upgrade create remove uninstall env", asks: "search" },
  mamba: { installs: "install update upgrade create remove uninstall env", asks: "search" },
  gem: { installs: "install update uninstall", publishes: "push yank", asks: "search fetch" },
  bundle: { installs: "install update add remove", bare: true, asks: "outdated" },
  composer: { installs: "install update require remove upgrade", asks: "search outdated" },
  cargo: { installs: "install add remove update uninstall fetch", publishes: "publish yank", asks: "search" },
  go: { installs: "get install" },
  rustup: { installs: "install update toolchain target component default" },
  mix: { installs: "deps.get deps.update deps.unlock", publishes: "hex.publish" },
  opam: { installs: "install update upgrade remove pin", publishes: "publish" },
  pod: { installs: "install update deintegrate" },
  cabal: { installs: "install update", publishes: "upload" },
  stack: { installs: "install update upgrade", publishes: "upload" },
  luarocks: { installs: "install remove build", publishes: "upload" },
  dotnet: { installs: "add remove tool restore workload" },
  nuget: { installs: "install update restore", publishes: "push" },
  apt: { installs: "install update upgrade full-upgrade dist-upgrade remove purge autoremove build-dep" },
  aptitude: { installs: "install update upgrade full-upgrade safe-upgrade remove purge" },
  dnf: { installs: "install update upgrade remove erase builddep group reinstall downgrade", asks: "search" },
  zypper: { installs: "install in update up remove rm dup patch refresh" },
  apk: { installs: "add del update upgrade fix" },
  brew: { installs: "install upgrade update uninstall reinstall tap cask bundle link unlink" },
  snap: { installs: "install refresh remove", asks: "find" },
  flatpak: { installs: "install update uninstall remote-add", asks: "search" },
  port: { installs: "install upgrade selfupdate uninstall" },
  emerge: { installs: "*" },
  opkg: { installs: "install upgrade remove update" },
  pamac: { installs: "install upgrade update remove build", asks: "search" },
  "xbps-install": { installs: "*" },
  nix: { installs: "profile", fetches: "run shell" },
  guix: { installs: "install remove upgrade pull" },
  sdk: { installs: "install uninstall upgrade" },
  volta: { installs: "install pin uninstall" },
  fnm: { installs: "install uninstall" },
  easy_install: { installs: "*" },
  cpan: { installs: "*" },
  cpanm: { installs: "*" },
  playwright: { installs: "install install-deps" },
  cypress: { installs: "install" },
  nvm: { installs: "install uninstall" },
  pyenv: { installs: "install uninstall" },
  rbenv: { installs: "install uninstall" },
  asdf: { installs: "install uninstall plugin" },
  corepack: { installs: "enable use install prepare" },
  helm: { publishes: "push" },
  ncu: {},
};

const SAME: ReadonlyMap<string, string> = new Map([
  ["apt-get", "apt"],
  ["yum", "dnf"],
  ["microdnf", "dnf"],
  ["micromamba", "mamba"],
  ["bunx", "npx"],
  ["pip-sync", "easy_install"],
]);

/** The manager that a program is, whatever version is in its name; null for any other program. */
export const managerOf = (program: string): readonly [string, Manager] | null => {
  const name = SAME.get(program) ?? (/^pip[\d.]*$/.test(program) ? "pip" : program);
  const manager = Object.hasOwn(MANAGERS, name) ? MANAGERS[name] : undefined;
  return manager === undefined ? null : [name, manager];
};
