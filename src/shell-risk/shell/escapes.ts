/** Commands in the options and variables of programs: a pager, an editor, a filter. */
import type { Assignment } from "./command.ts";
import { readGit } from "./git-run.ts";
import { readOptions, valuesOf } from "./options.ts";
import { dropText, leadingText, scriptText, type Word } from "./word.ts";

const VARIABLES =
  /^(?:(?:GIT_|MAN|AWS_|GH_|BAT_|DELTA_|PSQL_|SYSTEMD_)?PAGER|(?:GIT_|GIT_SEQUENCE_|HG|SVN_|KUBE_|PSQL_|FC)?(?:EDITOR|EDIT)|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|GIT_SSH|GIT_SSH_COMMAND|GIT_PROXY_COMMAND|GIT_EXTERNAL_DIFF|(?:GIT|SSH|SUDO)_ASKPASS|SVN_SSH|RSYNC_RSH|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER)$/;

/** Options whose value a program runs; single letters are short options. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ["tar", "I F use-compress-program to-command checkpoint-action info-script new-volume-script rsh-command"],
  ["bsdtar", "use-compress-program"],
  ["cpio", "rsh-command"],
  ["rg", "pre hostname-bin"],
  ["ag", "pager"],
  ["ack", "pager"],
  ["rsync", "e rsh rsync-path"],
  ["sort", "compress-program"],
  ["split", "filter"],
  ["man", "P H pager html"],
  ["zip", "unzip-command"],
  ["scp", "S"],
  ["sftp", "S"],
  ["wget", "use-askpass"],
  ["tcpdump", "z"],
  ["git clone", "u upload-pack"],
  ["git fetch", "upload-pack"],
  ["git pull", "upload-pack"],
  ["git ls-remote", "upload-pack exec"],
  ["git push", "receive-pack exec"],
  ["git archive", "exec"],
  ["git grep", "O open-files-in-pager"],
  ["git difftool", "x extcmd"],
]);

export const escapes = (
  program: string,
  args: readonly Word[],
  assignments: readonly Assignment[],
): readonly Word[] => [
  ...assignments.flatMap(({ name, value }) => (value !== null && VARIABLES.test(name) ? [value] : [])),
  ...(EXPORTING.has(program) ? args.flatMap(exported) : optionValues(program, args)),
];

const EXPORTING: ReadonlySet<string> = new Set(["export", "declare", "typeset", "env"]);

const exported = (word: Word): readonly Word[] => {
  const name = /^(\w+)=/.exec(leadingText(word))?.[1];
  return name !== undefined && VARIABLES.test(name) ? [dropText(word, name.length + 1)] : [];
};

const optionValues = (program: string, args: readonly Word[]): readonly Word[] => {
  const call = program === "git" ? readGit(args) : null;
  const names = OPTIONS.get(call === null ? program : `git ${call.subcommand}`)?.split(" ") ?? [];
  if (names.length === 0) return [];
  const short = names.filter(({ length }) => length === 1).join("");
  const { options } = readOptions(call?.args ?? args, { short: `${short}fC`, long: names, permute: true });
  return valuesOf(options, names).map((value) =>
    dropText(value, /^exec=/.exec(leadingText(value))?.[0].length ?? 0),
  );
};

/** Whether a command only displays, edits, packs or connects, whatever its input. */
export const isTameCommand = (word: Word): boolean =>
  TAME.test(scriptText(word)) && !/(?:Proxy|Local)Command/i.test(scriptText(word));

const TAME =
  /^(?:(?:(?:\/usr(?:\/local)?)?\/bin\/)?(?:cat|less|more|most|true|false|:|vi|vim|nvim|nano|emacs|code|subl|micro|hx|bat|delta|diff-so-fancy|head|tail|sed|cp|echo|touch|ssh|open|xdg-open|firefox|sccache|ccache|gzip|pigz|bzip2|pbzip2|lbzip2|xz|pixz|zstd|zstdmt|lz4|lzip|lzop|brotli|git-upload-pack|git-receive-pack)(?:\s[^;&|`$()<>!]*)?)?$/;
