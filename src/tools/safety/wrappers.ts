/** Programs that run the command given in their arguments, and how their own options end. */

export interface Wrapper {
  /** Short options that take a value. */
  readonly short: string;
  /** Long options that take a value as the next word. */
  readonly long: readonly string[];
  /** Operands before the command (`timeout 5 rm …`: one). */
  readonly skip: number;
  /** `NAME=value` operands come before the command. */
  readonly assigns: boolean;
  /** Options that keep the command from being run (`command -v rm`). */
  readonly inert: string;
}

const wrapper = (short = "", long: readonly string[] = [], more: Partial<Wrapper> = {}): Wrapper => ({
  short,
  long,
  skip: 0,
  assigns: false,
  inert: "",
  ...more,
});

/** By program name. Shells, `eval`, `find` and the like are in unwrap.ts, as they need more than this. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  [
    "sudo",
    wrapper(
      "ugpCcrtTUDRh",
      [
        "user",
        "group",
        "prompt",
        "close-from",
        "chdir",
        "chroot",
        "host",
        "role",
        "type",
        "other-user",
        "command-timeout",
        "login-class",
      ],
      { assigns: true },
    ),
  ],
  ["doas", wrapper("uCa")],
  ["pkexec", wrapper("", ["user"])],
  ["command", wrapper("", [], { inert: "vV" })],
  ["builtin", wrapper()],
  ["exec", wrapper("a")],
  ["nohup", wrapper()],
  ["nice", wrapper("n", ["adjustment"])],
  ["ionice", wrapper("cnpPu", ["class", "classdata", "pid"])],
  ["chrt", wrapper("TPD", ["sched-runtime", "sched-period", "sched-deadline"], { skip: 1 })],
  ["taskset", wrapper("", [], { skip: 1 })],
  ["time", wrapper("fo", ["format", "output"])],
  ["timeout", wrapper("sk", ["signal", "kill-after"], { skip: 1 })],
  ["setsid", wrapper()],
  ["ssh-agent", wrapper("aEOPt")],
  ["stdbuf", wrapper("ioe", ["input", "output", "error"])],
  ["unbuffer", wrapper()],
  ["chroot", wrapper("", [], { skip: 1 })],
  ["unshare", wrapper("SGRw", ["setuid", "setgid", "root", "wd"])],
  ["systemd-run", wrapper("HMuptE", ["unit", "property", "setenv", "uid", "gid", "slice", "description"])],
  ["gosu", wrapper("", [], { skip: 1 })],
  ["su-exec", wrapper("", [], { skip: 1 })],
  ["setpriv", wrapper("", ["reuid", "regid", "groups"])],
  ["run0", wrapper("ugD", ["user", "group", "chdir", "setenv", "property", "unit"])],
  ["xvfb-run", wrapper("nsewpf", ["server-num", "server-args", "error-file"])],
  ["firejail", wrapper()],
  ["valgrind", wrapper()],
  ["chronic", wrapper()],
  ["torsocks", wrapper()],
  ["proxychains", wrapper("f")],
  ["strace", wrapper("abeIoOpPsSuEX")],
  ["ltrace", wrapper("aAeFlnopsuwxX")],
  ["fakeroot", wrapper("lsib")],
  ["caffeinate", wrapper("tw")],
  ["busybox", wrapper()],
  ["toybox", wrapper()],
  ["coproc", wrapper()],
  // Reserved words that the grammar takes for programs in some positions (`! { rm x; }`).
  ["!", wrapper()],
  ["{", wrapper()],
  ["then", wrapper()],
  ["do", wrapper()],
  ["else", wrapper()],
]);
