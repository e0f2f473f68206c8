/** Programs that change the machine, and those that lend somebody else's rights. Looking is not changing. */
import { hasFlag, readOptions } from "../../shell/options.ts";
import { constantText, leadingText, type Word } from "../../shell/word.ts";
import { type Finding, finding } from "../danger.ts";
import { isSystemProgram } from "./ordinary.ts";
import type { Scene } from "../scene.ts";

const texts = (args: readonly Word[]): readonly string[] => args.map(leadingText);

const operandsOf = (args: readonly Word[], short = "", long: readonly string[] = []): readonly string[] =>
  readOptions(args, { short, long, permute: true }).operands.map((word) => constantText(word) ?? "");

/** Programs that do what their first operand says: these only look, and so does none. */
const LOOKING =
  /^(?:$|status|cat|help|version|info|print|blame|app|configtest|is-[a-z-]+|(?:list|show|get)(?:-[a-z-]+)?|[a-z]+-status)$/;

const BY_VERB: ReadonlySet<string> = new Set(
  "systemctl ufw hostname hostnamectl timedatectl localectl loginctl launchctl zfs apachectl nft".split(" "),
);

/** Programs that change something, unless an argument is one of these. */
const UNLESS: ReadonlyMap<string, RegExp> = new Map([
  ["iptables", /^(?:-[LSV]|--list|--list-rules|-[nv]*L[nv]*)$/],
  ["firewall-cmd", /^--(?:list|get|state|query|info|version|help)/],
  ["umount", /^-(?:V|h)$/],
  ["losetup", /^(?:-[alj]|--list|--all)$/],
  ["swapon", /^(?:-s|--summary|--show.*)$/],
  ["modprobe", /^(?:-n|-D|-c|--dry-run|--show.*)$/],
  ["crontab", /^-[A-Za-z]*l$/],
  ["fdisk", /^(?:-l|--list)$/],
  ["parted", /^(?:-l|--list|print)$/],
  ["ldconfig", /^(?:-p|--print-cache)$/],
  ["passwd", /^-S$/],
  ["nginx", /^-[tTvV]$/],
]);

/** Programs that only look, unless an argument is one of these. */
const EXCEPT: ReadonlyMap<string, RegExp> = new Map([
  ["sysctl", /^(?:-w|-p|--write|--load.*|--system)$|^[\w.-]+=/],
  ["date", /^(?:-s|--set(?:=|$))/],
  ["hwclock", /^(?:-[wsu]|--systohc|--hctosys|--set)$/],
  ["ip", /^(?:add|del|delete|set|change|replace|flush|append|restore)$/],
  ["route", /^(?:add|del|flush)$/],
  ["nmcli", /^(?:add|modify|delete|up|down|connect|disconnect|hotspot|on|off|reload|import)$/],
  ["tc", /^(?:add|del|delete|change|replace|link)$/],
  ["journalctl", /^--(?:vacuum|rotate|flush|setup-keys)/],
]);

/** Programs that look for themselves, by more than one argument: null for any other. */
const looksByItself = (program: string, args: readonly Word[]): boolean | null => {
  switch (program) {
    case "service":
    case "rc-service":
      return texts(args).includes("--status-all") || LOOKING.test(operandsOf(args)[1] ?? "");
    case "mount":
      // Alone, or with nothing but options that filter the list, it prints what is mounted.
      return operandsOf(args, "tOLU").length === 0 && !hasFlag(readOptions(args, OPTIONS).options, "aLU");
    case "ifconfig":
    case "chkconfig":
      return operandsOf(args).length < 2;
    case "docker":
    case "podman":
      return !DOCKER.test(operandsOf(args, "cHl", ["context", "host", "config"]).slice(0, 2).join(" "));
    case "docker-compose":
      return !DOCKER.test(["compose", ...operandsOf(args)].slice(0, 2).join(" "));
    default:
      return null;
  }
};

const OPTIONS = { short: "tOo", long: ["types", "options"], permute: true };

const UNIT_OPTIONS = ["type", "property", "state", "lines", "output", "host", "machine"];

/** Whether a program only asks for something; null for one that is none of the system's. */
const looks = (program: string, args: readonly Word[]): boolean | null => {
  if (BY_VERB.has(program)) return LOOKING.test(operandsOf(args, "tpnHMos", UNIT_OPTIONS)[0] ?? "");
  const [unless, except] = [UNLESS.get(program), EXCEPT.get(program)];
  if (unless !== undefined) return texts(args).some((word) => unless.test(word));
  if (except !== undefined) return !texts(args).some((word) => except.test(word));
  return looksByItself(program, args);
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
  return looks(program, args) === false;
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
  ALWAYS.has(program) || program.startsWith("mkfs.") || looks(program, []) !== null;
