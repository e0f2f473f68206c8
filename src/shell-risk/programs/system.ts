/** Reading the system's state does not count. */
import { hasFlag, readOptions } from "../shell/options.ts";
import { constantText, leadingText, type Word } from "../shell/word.ts";
import { type DangerFinding, finding } from "../danger/danger.ts";
import { isSystemProgram } from "./ordinary.ts";
import type { RuleContext } from "../danger/rule-context.ts";
import { tableOf } from "../shell/table.ts";
import { hasArgument, optionRule } from "./usage.ts";

const texts = (args: readonly Word[]): readonly string[] => args.map(leadingText);

const operandsOf = (args: readonly Word[], values = ""): readonly string[] =>
  readOptions(args, optionRule(values)).operands.map((word) => constantText(word) ?? "");

type Look = (args: readonly Word[]) => boolean;

/** First operands that only read, for programs with a verb; a missing operand counts too. */
const LOOKING =
  /^(?:$|status|cat|help|version|info|print|blame|app|configtest|is-[a-z-]+|(?:list|show|get)(?:-[a-z-]+)?|[a-z]+-status)$/;

const byVerb: Look = (args) =>
  LOOKING.test(operandsOf(args, "t p n H M o s type property state lines output host machine")[0] ?? "");

/** The program only reads, unless an argument matches. */
const unless =
  (pattern: RegExp): Look =>
  (args) =>
    !hasArgument(pattern)(args);

/** Containers run under the daemon, which is root on this machine. */
const DOCKER =
  /^(?:run|exec|start|stop|restart|kill|rm|rmi|cp|create|update|rename|build|load|import|volume (?:rm|prune|create)|network (?:rm|prune|create)|system prune|image (?:rm|prune)|container (?:rm|prune|run|exec|start|stop|kill)|compose (?:up|down|run|exec|start|stop|restart|rm|kill|build)|buildx build|swarm .*|service .*)/;

const CHANGING =
  "ip6tables iptables-restore ebtables reboot shutdown poweroff halt init telinit kexec mkswap swapoff mkfs wipefs " +
  "blkdiscard sfdisk cfdisk gdisk sgdisk cryptsetup dmsetup lvcreate lvremove lvresize lvextend lvchange vgcreate " +
  "vgremove vgextend pvcreate pvremove mdadm insmod rmmod depmod useradd userdel usermod adduser deluser groupadd " +
  "groupdel groupmod gpasswd chpasswd chsh chfn visudo vipw update-grub grub-install grub-mkconfig update-initramfs " +
  "update-rc.d invoke-rc.d systemd-run setenforce semanage apparmor_parser chroot pivot_root nsenter ethtool " +
  "brctl wondershaper zpool diskutil tune2fs resize2fs fsck e2fsck dpkg-reconfigure update-alternatives " +
  "setcap";

/** Each program has a check whether a call only reads. */
const LOOKS = tableOf<Look>({
  [CHANGING]: () => false,
  "systemctl ufw hostname hostnamectl timedatectl localectl loginctl launchctl zfs apachectl nft": byVerb,
  iptables: hasArgument(/^(?:-[LSV]|--list|--list-rules|-[nv]*L[nv]*)$/),
  "firewall-cmd": hasArgument(/^--(?:list|get|state|query|info|version|help)/),
  umount: hasArgument(/^-(?:V|h)$/),
  losetup: hasArgument(/^(?:-[alj]|--list|--all)$/),
  swapon: hasArgument(/^(?:-s|--summary|--show.*)$/),
  modprobe: hasArgument(/^(?:-n|-D|-c|--dry-run|--show.*)$/),
  crontab: hasArgument(/^-[A-Za-z]*l$/),
  fdisk: hasArgument(/^(?:-l|--list)$/),
  parted: hasArgument(/^(?:-l|--list|print)$/),
  ldconfig: hasArgument(/^(?:-p|--print-cache)$/),
  passwd: hasArgument(/^-S$/),
  nginx: hasArgument(/^-[tTvV]$/),
  sysctl: unless(/^(?:-w|-p|--write|--load.*|--system)$|^[\w.-]+=/),
  date: unless(/^(?:-s|--set(?:=|$))/),
  hwclock: unless(/^(?:-[wsu]|--systohc|--hctosys|--set)$/),
  ip: unless(/^(?:add|del|delete|set|change|replace|flush|append|restore)$/),
  route: unless(/^(?:add|del|flush)$/),
  nmcli: unless(/^(?:add|modify|delete|up|down|connect|disconnect|hotspot|on|off|reload|import)$/),
  tc: unless(/^(?:add|del|delete|change|replace|link)$/),
  journalctl: unless(/^--(?:vacuum|rotate|flush|setup-keys)/),
  kill: (args) => !killsAll(args),
  "service rc-service": (args) =>
    texts(args).includes("--status-all") || LOOKING.test(operandsOf(args)[1] ?? ""),
  // Without operands, or with options that filter the list, mount only prints the mounts.
  mount: (args) =>
    operandsOf(args, "t O L U").length === 0 &&
    !hasFlag(readOptions(args, optionRule("t O o types options")).options, "aLU"),
  "ifconfig chkconfig": (args) => operandsOf(args).length < 2,
  "docker podman": (args) =>
    !DOCKER.test(operandsOf(args, "c H l context host config").slice(0, 2).join(" ")),
  "docker-compose": (args) => !DOCKER.test(["compose", ...operandsOf(args)].slice(0, 2).join(" ")),
});

/** Programs that run others with more rights, or give such rights. */
const ELEVATING: ReadonlySet<string> = new Set(
  "sudo sudoedit doas pkexec su runuser run0 gosu su-exec setpriv gksudo kdesudo".split(" "),
);

export const systemFindings = (
  program: string,
  args: readonly Word[],
  scene: RuleContext,
): readonly DangerFinding[] => {
  const elevated = ELEVATING.has(program)
    ? [finding("SUDO", `runs as somebody else: ${program}`, "high")]
    : [];
  return changes(program, args, scene)
    ? [...elevated, finding("SYSTEM_IMPACT", `changes the system: ${shown(program, args)}`, "high")]
    : elevated;
};

const shown = (program: string, args: readonly Word[]): string => [program, ...texts(args)].join(" ").trim();

const changes = (program: string, args: readonly Word[], scene: RuleContext): boolean => {
  if (args.some((word) => /^(?:--help|--version)$/.test(leadingText(word)))) return false;
  if (isInitScript(scene.command.name)) return operandsOf(args)[0] !== "status";
  if (isOwn(scene.command.name)) return false;
  return /^(?:mkfs|mount|umount)\./.test(program) || LOOKS.get(program)?.(args) === false;
};

const killsAll = (args: readonly Word[]): boolean => {
  const targets = texts(args).filter((word, at) => at > 0 || !/^-(?:\d+|[A-Z]+|s|n)$/.test(word));
  return targets.some((word) => word === "1" || (word === "-1" && args.length > 1));
};

/** `/etc/init.d/nginx` is the older form of `service nginx`. */
const isInitScript = (name: Word | null): boolean =>
  name !== null && /^\/etc\/(?:init|rc)\.d\/./.test(leadingText(name));

/** `./service` is a program of the project, regardless of its name. */
const isOwn = (name: Word | null): boolean => {
  const path = name === null ? "" : leadingText(name);
  return path.includes("/") && !isSystemProgram(path);
};

/** Programs whose arguments are system names instead of files. */
export const isSystemProgramName = (program: string): boolean =>
  LOOKS.has(program) || program.startsWith("mkfs.");
