/** Finds a known command after an unknown program, because the command is dangerous with any program. */
import { command, type InnerCommand, script } from "./command.ts";
import { constantText, dropText, EMPTY, leadingText, type Word } from "./word.ts";

/** Programs whose words are always text, files or names. */
const TEXT =
  "echo printf test [ [[ _ ]] expr true false : let export declare local readonly typeset set unset alias unalias type " +
  "which whereis hash man info help tldr whatis apropos basename dirname readlink realpath read getopts logger tr cut " +
  "grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk nawk jq yq cat bat head tail less more ls tree wc file stat " +
  "diff cmp comm sort uniq nl od xxd hexdump strings tee touch mkdir rmdir rm unlink mv cp ln chmod chown chgrp dd " +
  "truncate shred cd pushd popd find du df kill pkill pgrep killall trap wait jobs git hg svn gh glab hub notify-send " +
  "dpkg rpm eval xargs env curl wget tar zip unzip rsync scp ed ex for case select in mapfile readarray node deno perl " +
  "ruby php lua luajit julia Rscript R osascript groovy scala guile racket elixir clojure expect bc";

/** Programs that run commands on another machine or in a container. */
const ELSEWHERE: ReadonlySet<string> = new Set("docker podman nerdctl kubectl oc".split(" "));

export const TEXTUAL: ReadonlySet<string> = new Set(TEXT.split(" "));

/** Programs whose first words are names of packages, images or targets. A command follows only a verb that runs, or `--`. */
const NAMING: ReadonlySet<string> = new Set(
  (
    "npm npx bunx pnpm yarn bun pip pip3 pipx uv poetry pdm pipenv rye conda mamba micromamba apt apt-get aptitude dnf yum " +
    "apk brew pacman snap flatpak helm cargo go gem bundle composer systemctl service " +
    "crontab terraform aws gcloud az make gmake just task rake nx turbo lerna rush mvn gradle pytest jest vitest mocha " +
    "ansible nix guix emerge zypper opam asdf mise volta pyenv rbenv nodenv"
  ).split(" "),
);

const RUNNING: ReadonlySet<string> = new Set(
  "-- exec run x shell develop ssh dlx -m -c -e --command --run".split(" "),
);

/** Programs that pass each of their words to a shell. */
const SHELLING: ReadonlySet<string> = new Set(
  "hyperfine concurrently nodemon watchexec chokidar sem dtach xterm konsole kitty alacritty".split(" "),
);

/** Words that are almost always programs. */
const HEADS: ReadonlySet<string> = new Set(
  (
    "git find tee node make rm mv rmdir unlink shred truncate dd sudo doas su pkexec curl wget ssh scp rsync npm npx " +
    "pnpm yarn bunx pip pip3 pipx uvx twine docker podman kubectl systemctl apt apt-get dnf yum apk brew chmod chown umount mkfs reboot shutdown " +
    "poweroff iptables crontab bash sh dash zsh ksh ash fish csh tcsh python python3 perl ruby psql mysql xargs watch eval env"
  ).split(" "),
);

const MAX_SCRIPTS = 8;

/** Returns the command at the end of the arguments, and commands given as text. */
export const unwrapTail = (program: string, args: readonly Word[]): readonly InnerCommand[] => {
  if (TEXTUAL.has(program) || ELSEWHERE.has(program) || /^(?:python|pypy|pip)[\d.]*$/.test(program))
    return [];
  const verb = NAMING.has(program) ? args.findIndex((word) => RUNNING.has(constantText(word) ?? "")) : -1;
  if (NAMING.has(program) && verb === -1) return [];
  const after = args.slice(verb + 1);
  const known = after.findIndex((word) => HEADS.has(nameOf(word)) || PRINTING.has(nameOf(word)));
  const prints = known !== -1 && PRINTING.has(nameOf(after[known] ?? EMPTY));
  const [rest, at] = prints ? [after.slice(0, known), -1] : [after, known];
  const tail = at === -1 || at + 1 === rest.length ? [] : command(rest.slice(at));
  const before = at === -1 ? rest : rest.slice(0, at);
  const texts = before.filter((word, index) => {
    const option = leadingText(before[index - 1] ?? EMPTY);
    return /^(?:-\w*c|--(?:command|exec|run|wrap))$/.test(option) ||
      (SHELLING.has(program) && !PROSE.test(option) && !TITLES.test(option))
      ? /\s/.test(leadingText(word))
      : !PROSE.test(option) && isScript(word);
  });
  return [...tail, ...texts.slice(0, MAX_SCRIPTS).flatMap((word) => script(withoutMark(word)))];
};

const nameOf = (word: Word): string => constantText(word)?.split("/").at(-1) ?? "";

/** Programs that only print or search the words after them. */
const PRINTING: ReadonlySet<string> = new Set("echo printf grep egrep fgrep rg".split(" "));

/** Options whose value is text for people. */
const PROSE = /^--?(?:m|message|t|title|b|body|description|text|notes|subject|prompt|comment|name|k|grep)$/;

/** For programs that run shells: options with the name of a window or of an output line. */
const TITLES = /^(?:-[nT]|--class|--command-name|--names)$/;

/** Whether the word is a script such as `'git push'`, `'cd a && git push'`, or vim's `'!git push'`. */
const isScript = (word: Word): boolean =>
  leadingText(word)
    .split(/[;&|\n]/)
    .some((part) => {
      const [first = "", second] = part.trimStart().replace(MARK, "").split(/\s+/, 2);
      return second !== undefined && HEADS.has(first.split("/").at(-1) ?? "");
    });

const MARK = /^[:+]{0,2}!?\s{0,9}(?:exec (?:-[cl]{1,2} |-a \S{1,99} ){0,3}|spawn |then |do )?/;

const withoutMark = (word: Word): Word => dropText(word, MARK.exec(leadingText(word))?.[0].length ?? 0);
