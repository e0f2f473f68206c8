/** A program that nobody knows before a command that everybody knows: the command is judged, whoever runs it. */
import { command, type InnerCommand, script } from "./command.ts";
import { constantText, dropText, EMPTY, leadingText, type Word } from "./word.ts";

/** Their words are text, files or names, whatever they say. */
const TEXT =
  "echo printf test [ [[ _ ]] expr true false : let export declare local readonly typeset set unset alias unalias type " +
  "which whereis hash man info help tldr whatis apropos basename dirname readlink realpath read getopts logger tr cut " +
  "grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk nawk jq yq cat bat head tail less more ls tree wc file stat " +
  "diff cmp comm sort uniq nl od xxd hexdump strings tee touch mkdir rmdir rm unlink mv cp ln chmod chown chgrp dd " +
  "truncate shred cd pushd popd find du df kill pkill pgrep killall trap wait jobs git hg svn gh glab hub notify-send " +
  "dpkg rpm eval xargs env curl wget tar zip unzip rsync scp ed ex for case select in mapfile readarray node deno perl " +
  "ruby php lua luajit julia Rscript R osascript groovy scala guile racket elixir clojure expect bc";

/** What they run is run on another machine, or in another that is kept inside of this one. */
const ELSEWHERE: ReadonlySet<string> = new Set("docker podman nerdctl kubectl oc".split(" "));

export const TEXTUAL: ReadonlySet<string> = new Set(TEXT.split(" "));

/** Their first words are names of packages, images, targets; a command stands only after a verb that runs, or `--`. */
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

/** They hand their words to a shell, each by itself. */
const SHELLING: ReadonlySet<string> = new Set(
  "hyperfine concurrently nodemon watchexec chokidar sem dtach xterm konsole kitty alacritty".split(" "),
);

/** Words that are hardly anything but a program. */
const HEADS: ReadonlySet<string> = new Set(
  (
    "git find tee node make rm mv rmdir unlink shred truncate dd sudo doas su pkexec curl wget ssh scp rsync npm npx " +
    "pnpm yarn bunx pip pip3 pipx uvx twine docker podman kubectl systemctl apt apt-get dnf yum apk brew chmod chown umount mkfs reboot shutdown " +
    "poweroff iptables crontab bash sh dash zsh ksh ash fish csh tcsh python python3 perl ruby psql mysql xargs watch eval env"
  ).split(" "),
);

/** Texts among the arguments that are read as scripts. */
const MAX_SCRIPTS = 8;

/** The command at the end of the arguments, and those that are given as text. */
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

/** What follows these is only printed or looked for. */
const PRINTING: ReadonlySet<string> = new Set("echo printf grep egrep fgrep rg".split(" "));

/** What follows these is for people. */
const PROSE = /^--?(?:m|message|t|title|b|body|description|text|notes|subject|prompt|comment|name|k|grep)$/;

/** Of what runs shells: names of a window or of a line of its output. */
const TITLES = /^(?:-[nT]|--class|--command-name|--names)$/;

/** `'git push'`, `'cd a && git push'`, and `'!git push'` as vim has it. */
const isScript = (word: Word): boolean =>
  leadingText(word)
    .split(/[;&|\n]/)
    .some((part) => {
      const [first = "", second] = part.trimStart().replace(MARK, "").split(/\s+/, 2);
      return second !== undefined && HEADS.has(first.split("/").at(-1) ?? "");
    });

const MARK = /^[:+]{0,2}!?\s{0,9}(?:exec (?:-[cl]{1,2} |-a \S{1,99} ){0,3}|spawn |then |do )?/;

const withoutMark = (word: Word): Word => dropText(word, MARK.exec(leadingText(word))?.[0].length ?? 0);
