/** Programs that change the machine, and those that lend somebody else's rights. Looking is not changing. */
import { hasFlag, readOptions } from "../../shell/options.ts";
import { constantText, leadingText, plainWord, type Word } from "../../shell/word.ts";
import { type Finding, finding } from "../danger.ts";
import { isSystemProgram } from "./ordinary.ts";
import type { Scene } from "../scene.ts";

const texts = (args: readonly Word[]): readonly string[] => args.map(leadingText);

const operandsOf = (args: readonly Word[], short = "", long: readonly string[] = []): readonly string[] =>
  readOptions(args, { short, long, permute: true }).operands.map((word) => constantText(word) ?? "");

/** Whether arguments only ask for something, program by program. */
type Looks = (args: readonly Word[]) => boolean;

/** The first operand is one of these, or there is none. */
const verb =
  (names: string, short = "", long: readonly string[] = []): Looks =>
  (args) => {
    const [first = ""] = operandsOf(args, short, long);
    return first === "" || names.split(" ").includes(first);
  };

const anyOf =
  (pattern: RegExp): Looks =>
  (args) =>
    texts(args).some((word) => pattern.test(word));

const bare: Looks = (args) => operandsOf(args).length === 0;

const UNITS =
  "status is-active is-enabled is-failed is-system-running list-units list-unit-files list-timers list-sockets " +
  "list-dependencies list-jobs list-machines show cat help get-default show-environment list-automounts list-paths";

const service: Looks = (args) =>
  texts(args).includes("--status-all") || operandsOf(args)[1] === "status" || operandsOf(args).length === 0;

/** `mount` alone, or with nothing but options that filter the list, prints what is mounted. */
const mounting: Looks = (args) =>
  operandsOf(args, "tOLU").length === 0 && !hasFlag(readOptions(args, OPTIONS).options, "aLU");

const OPTIONS = { short: "tOo", long: ["types", "options"], permute: true };

const ip: Looks = (args) =>
  !/^(?:add|del|delete|set|change|replace|flush|append|restore)$/.test(ipVerb(args));

const ipVerb = (args: readonly Word[]): string =>
  operandsOf(args)
    .slice(1)
    .find((word) => /^[a-z]+$/.test(word)) ?? "";

const interfaces: Looks = (args) => operandsOf(args).length < 2;

const timeSetting: Looks = (args) => !anyOf(/^(?:-s|--set(?:=|$))/)(args);

const PROGRAMS: Readonly<Record<string, Looks>> = {
  systemctl: verb(UNITS, "tpnHMos", ["type", "property", "state", "lines", "output", "host", "machine"]),
  service,
  "rc-service": service,
  iptables: anyOf(/^(?:-[LSV]|--list|--list-rules|-[nv]*L[nv]*)$/),
  nft: anyOf(/^list$/),
  ufw: verb("status app version show help"),
  "firewall-cmd": anyOf(/^--(?:list|get|state|query|info|version|help)/),
  mount: mounting,
  umount: anyOf(/^-(?:V|h)$/),
  losetup: (args) => operandsOf(args, "o").length === 0 || anyOf(/^(?:-[alj]|--list|--all)$/)(args),
  swapon: anyOf(/^(?:-s|--summary|--show.*)$/),
  sysctl: (args) => !anyOf(/^(?:-w|-p|--write|--load.*|--system)$/)(args) && !anyOf(/^[\w.-]+=/)(args),
  modprobe: anyOf(/^(?:-n|-D|-c|--dry-run|--show.*)$/),
  crontab: anyOf(/^-[A-Za-z]*l$/),
  hostname: bare,
  hostnamectl: verb("status"),
  timedatectl: verb("status show timesync-status list-timezones"),
  localectl: verb("status list-locales list-keymaps"),
  loginctl: verb("list-sessions list-users session-status user-status show-session show-user"),
  chkconfig: (args) => anyOf(/^--list$/)(args) || operandsOf(args).length < 2,
  date: timeSetting,
  hwclock: (args) => !anyOf(/^(?:-[wsu]|--systohc|--hctosys|--set)$/)(args),
  ip,
  ifconfig: interfaces,
  route: (args) => !anyOf(/^(?:add|del|flush)$/)(args),
  fdisk: anyOf(/^(?:-l|--list)$/),
  parted: anyOf(/^(?:-l|--list|print)$/),
  launchctl: verb("list print blame"),
  docker: (args) =>
    !DOCKER.test(operandsOf(args, "cHl", ["context", "host", "config"]).slice(0, 2).join(" ")),
  ldconfig: anyOf(/^(?:-p|--print-cache)$/),
  passwd: anyOf(/^-S$/),
  nmcli: (args) =>
    !anyOf(/^(?:add|modify|delete|up|down|connect|disconnect|hotspot|on|off|reload|import)$/)(args),
  tc: (args) => !anyOf(/^(?:add|del|delete|change|replace|link)$/)(args),
  journalctl: (args) => !anyOf(/^--(?:vacuum|rotate|flush|setup-keys)/)(args),
  zfs: verb("list get help version"),
  nginx: anyOf(/^-[tTvV]$/),
  apachectl: verb("status configtest"),
};

/** Containers run as the daemon, which is root on this machine. */
const DOCKER =
  /^(?:run|exec|start|stop|restart|kill|rm|rmi|cp|create|update|rename|build|load|import|volume (?:rm|prune|create)|network (?:rm|prune|create)|system prune|image (?:rm|prune)|container (?:rm|prune|run|exec|start|stop|kill)|compose (?:up|down|run|exec|start|stop|restart|rm|kill|build)|buildx build|swarm .*|service .*)/;

/** What they do is always a change. */
const CHANGING =
  "ip6tables iptables-restore ebtables reboot shutdown poweroff halt init telinit kexec mkswap swapoff mkfs wipefs " +
  "blkdiscard sfdisk cfdisk gdisk sgdisk cryptsetup dmsetup lvcreate lvremove lvresize lvextend lvchange vgcreate " +
  "vgremove vgextend pvcreate pvremove mdadm insmod rmmod depmod useradd userdel usermod adduser deluser groupadd " +
  "groupdel groupmod gpasswd chpasswd chsh chfn visudo vipw update-grub grub-install grub-mkconfig update-initramfs " +
  "update-rc.d invoke-rc.d systemd-run setenforce semanage apparmor_parser chroot pivot_root nsenter ethtool " +
  "brctl wondershaper zpool diskutil tune2fs resize2fs fsck e2fsck dpkg-reconfigure update-alternatives " +
  "setcap";

const SAME: ReadonlyMap<string, string> = new Map([
  ["podman", "docker"],
  ["docker-compose", "docker compose"],
]);

/** Programs that run others with more rights, and those that give them. */
const ELEVATING: ReadonlySet<string> = new Set(
  "sudo sudoedit doas pkexec su runuser run0 gosu su-exec setpriv gksudo kdesudo".split(" "),
);

const ALWAYS: ReadonlySet<string> = new Set(CHANGING.split(" "));

/** SUDO and SYSTEM_IMPACT. */
export const systemFindings = (program: string, args: readonly Word[], scene: Scene): readonly Finding[] => {
  const elevated = ELEVATING.has(program)
    ? [finding("SUDO", `runs as somebody else: ${program}`, "high")]
    : [];
  return changes(program, args, scene)
    ? [...elevated, finding("SYSTEM_IMPACT", `changes the system: ${shown(program, args)}`, "high")]
    : elevated;
};

const shown = (program: string, args: readonly Word[]): string => [program, ...texts(args)].join(" ").trim();

const changes = (program: string, args: readonly Word[], scene: Scene): boolean => {
  if (args.some((word) => /^(?:--help|--version)$/.test(leadingText(word)))) return false;
  if (isInitScript(scene.command.name)) return operandsOf(args)[0] !== "status";
  if (isOwn(scene.command.name)) return false;
  if (program === "kill") return killsAll(args);
  if (ALWAYS.has(program) || /^(?:mkfs|mount|umount)\./.test(program)) return true;
  const [name, ...more] = (SAME.get(program) ?? program).split(" ");
  const looks = name !== undefined && Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  const all = more.map(plainWord);
  return looks !== undefined && !looks([...all, ...args]);
};

/** Process 1, or everything there is. */
const killsAll = (args: readonly Word[]): boolean => {
  const targets = texts(args).filter((word, at) => at > 0 || !/^-(?:\d+|[A-Z]+|s|n)$/.test(word));
  return targets.some((word) => word === "1" || (word === "-1" && args.length > 1));
};

/** `/etc/init.d/nginx`: the older way to say `service nginx`. */
const isInitScript = (name: Word | null): boolean =>
  name !== null && /^\/etc\/(?:init|rc)\.d\/./.test(leadingText(name));

/** `./service` is a program of the project, whatever it is called. */
const isOwn = (name: Word | null): boolean => {
  const path = name === null ? "" : leadingText(name);
  return path.includes("/") && !isSystemProgram(path);
};

/** Programs whose arguments are names of the system's and not files of anybody's. */
export const isSystemProgramName = (program: string): boolean =>
  ALWAYS.has(program) || Object.hasOwn(PROGRAMS, program) || program.startsWith("mkfs.");
