/** The whole environment of a command. Nothing of the host's own is inherited, so no secret can be in it. Pure. */

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** There is no terminal: whatever would ask, page or draw is told not to. */
const FIXED: Readonly<Record<string, string>> = {
  LANG: "C.UTF-8",
  TERM: "dumb",
  USER: "parley",
  LOGNAME: "parley",
  SHELL: "/bin/bash",
  EDITOR: "/bin/false",
  VISUAL: "/bin/false",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_SEQUENCE_EDITOR: "sh -c 'echo interactive rebase needs an editor and there is none >&2; exit 1'",
  GIT_TERMINAL_PROMPT: "0",
  // At some tiers the checkout belongs to another uid than the command's.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
  NO_COLOR: "1",
  CI: "1",
};

/** `extraEnv` (the workspace's) wins over the fixed values; `bin` is one more directory of programs. */
export const commandEnvironment = (
  place: { readonly home: string; readonly extraEnv: Readonly<Record<string, string>> },
  bin: string | null,
): Readonly<Record<string, string>> => ({
  ...FIXED,
  ...place.extraEnv,
  HOME: place.home,
  PATH: bin === null ? SYSTEM_PATH : `${SYSTEM_PATH}:${bin}`,
});
