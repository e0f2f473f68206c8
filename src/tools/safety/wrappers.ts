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

const wrapper = (short = "", long = "", more: Partial<Wrapper> = {}): Wrapper => ({
  short,
  long: long.split(" "),
  skip: 0,
  assigns: false,
  inert: "",
  ...more,
});

const plain = (names: string): readonly (readonly [string, Wrapper])[] =>
  names.split(" ").map((name) => [name, wrapper()]);

/** By program name. Shells, `eval`, `find` and the like are in unwrap.ts, as they need more than this. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "sudo",
    wrapper(
      "ugpCcrtTUDRh",
      "user group prompt close-from chdir chroot host role type other-user command-timeout login-class",
      { assigns: true },
    ),
  ],
  ["doas", wrapper("uCa")],
  ["pkexec", wrapper("", "user")],
  ["command", wrapper("", "", { inert: "vV" })],
  ["exec", wrapper("a")],
  ["nice", wrapper("n", "adjustment")],
  ["ionice", wrapper("cnpPu", "class classdata pid")],
  ["chrt", wrapper("TPD", "sched-runtime sched-period sched-deadline", { skip: 1 })],
  ["taskset", wrapper("", "", { skip: 1 })],
  ["time", wrapper("fo", "format output")],
  ["timeout", wrapper("sk", "signal kill-after", { skip: 1 })],
  ["ssh-agent", wrapper("aEOPt")],
  ["stdbuf", wrapper("ioe", "input output error")],
  ["chroot", wrapper("", "", { skip: 1 })],
  ["unshare", wrapper("SGRw", "setuid setgid root wd")],
  ["systemd-run", wrapper("HMuptE", "unit property setenv uid gid slice description")],
  ["gosu", wrapper("", "", { skip: 1 })],
  ["su-exec", wrapper("", "", { skip: 1 })],
  ["setpriv", wrapper("", "reuid regid groups")],
  ["run0", wrapper("ugD", "user group chdir setenv property unit")],
  ["xvfb-run", wrapper("nsewpf", "server-num server-args error-file")],
  ["proxychains", wrapper("f")],
  ["strace", wrapper("abeIoOpPsSuEX")],
  ["ltrace", wrapper("aAeFlnopsuwxX")],
  ["fakeroot", wrapper("lsib")],
  ["caffeinate", wrapper("tw")],
  ...plain("builtin nohup setsid unbuffer firejail valgrind chronic torsocks busybox toybox coproc"),
  // Reserved words that the grammar takes for programs in some positions (`! { rm x; }`).
  ...plain("! { then do else"),
]);
