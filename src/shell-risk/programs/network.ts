import { type OptionRule, readOptions } from "../shell/options.ts";
import { constantText, EMPTY, leadingText, type Word } from "../shell/word.ts";
import { TEXTUAL } from "../shell/tail.ts";
import { type DangerFinding, finding } from "../danger/danger.ts";
import { hasUnseenArguments, type RuleContext } from "../danger/rule-context.ts";
import { tableOf } from "../shell/table.ts";
import { fileAccessFindings } from "./file-access.ts";
import { optionRule } from "./usage.ts";

const TALKING =
  "curl wget aria2c axel curlie xh xhs http https httpie wget2 lynx w3m links elinks ssh scp sftp ftp lftp tftp telnet " +
  "nc ncat netcat ping ping6 mtr traceroute tracepath dig nslookup host whois drill nmap masscan hping3 arping " +
  "ssh-copy-id sshpass mosh autossh sshuttle rclone restic s3cmd gsutil aws gcloud az doctl heroku vercel netlify " +
  "flyctl fly wrangler firebase kubectl oc gh glab hub yt-dlp youtube-dl rtmpdump mail mailx sendmail mutt swaks " +
  "msmtp websocat grpcurl ntpdate smbclient showmount rpcinfo ansible ansible-playbook vncviewer xfreerdp http.server " +
  "twitter slack stripe transmission-remote tcpdump iftop amass naabu dnsrecon argocd pulumi eksctl htpdate speedtest " +
  "tailscale ngrok cloudflared localtunnel ab wrk hey k6 vegeta socat iperf iperf3 openvpn wg-quick rsh rlogin finger";

const ALWAYS: ReadonlySet<string> = new Set(TALKING.split(" "));

/** Programs that use the network with these first operands. */
const SOMETIMES = tableOf({
  docker: /^(?:pull|login|search|image pull|compose pull)/,
  podman: /^(?:pull|login|search|image pull)/,
  openssl: /^(?:s_client|s_server|s_time)/,
  "terraform tofu": /^(?:init|apply|plan|destroy|refresh|import|login)/,
  helm: /^(?:install|upgrade|uninstall|repo (?:add|update)|pull|list|rollback|status)/,
  hg: /^(?:pull|clone|incoming|outgoing)/,
  svn: /^(?:checkout|co|update|up|export|ls|list|info|log)/,
  jj: /^git (?:fetch|clone)/,
  vagrant: /^(?:up|box add|provision|ssh)/,
  snapcraft: /^upload/,
});

/** Clients that use a server on this machine unless their options name another. */
const CLIENTS: ReadonlySet<string> = new Set(
  "psql mysql mariadb mongosh mongo redis-cli pg_dump pg_restore mysqldump clickhouse-client cqlsh influx".split(
    " ",
  ),
);

const ADDRESS =
  /^(?:https?|ftps?|sftp|ssh|wss?|git|rtmps?|s3|gs|rsync|mongodb(?:\+srv)?|postgres(?:ql)?|mysql|redis|amqp|oci|docker):\/\/./i;

/** A server on this machine (`host:port`, a socket) is still another program. */
const HOST_OPTION: ReadonlySet<string> = new Set(["h", "host", "H", "uri"]);

export const networkProgramFindings = (
  program: string,
  args: readonly Word[],
  scene: RuleContext,
): readonly DangerFinding[] => {
  if (isInert(program, args) && !hasUnseenArguments(scene)) return [];
  const files = program === "curl" || program.startsWith("wget") ? transferFiles(program, args, scene) : [];
  if (staysHere(program, args)) return files;
  const operands = readOptions(args, optionRule("c H l context host")).operands.map(leadingText);
  const reaches =
    ALWAYS.has(program) ||
    SOMETIMES.get(program)?.test(operands.join(" ")) === true ||
    (program === "rsync" && operands.some((text) => REMOTE.test(text))) ||
    (CLIENTS.has(program) ? asksElsewhere(args) : !TEXTUAL.has(program) && addresses(args));
  return reaches ? [...files, reach(program, args)] : [];
};

const REMOTE = /^(?:[\w.-]+@)?[\w.-]+:/;

const reach = (program: string, args: readonly Word[]): DangerFinding => {
  const target = args.map(leadingText).find((word) => ADDRESS.test(word) || /^[^-].*[.:@]/.test(word));
  return finding(
    "NETWORK_RISK",
    `reaches the network: ${program}${target === undefined ? "" : ` ${target}`}`,
  );
};

/** Whether operands or option values such as `--index-url=https://…` contain an address. */
const addresses = (args: readonly Word[]): boolean =>
  args.map(leadingText).some((word) => {
    const address = word.replace(/^(?:-[^=]*=|git\+|[\w-]+=)/, "");
    return ADDRESS.test(address) && !LOCAL.test(address) && !LOCAL_SERVER.test(address);
  });

/** The address of a server such as a database on this machine, with a user. */
const LOCAL_SERVER =
  /^[a-z+]+:\/\/(?:[^@/?#]*@)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?(?:[/?#]|$)/i;

const asksElsewhere = (args: readonly Word[]): boolean =>
  readOptions(args, optionRule("h H p U u d host port uri")).options.some(
    ({ name, value }) => HOST_OPTION.has(name) && value !== null && !isLocal(leadingText(value)),
  ) || addresses(args);

const isLocal = (host: string): boolean => /^(?:localhost$|127\.|::1$|\/)/.test(host);

/** Whether a program uses only servers on this machine, and therefore needs no network. */
const staysHere = (program: string, args: readonly Word[]): boolean => {
  const rule = HERE.get(program);
  if (rule === undefined) return false;
  const { options, operands } = readOptions(args, rule);
  if (options.some(({ name, value }) => (value === null ? name === "l" : ELSEWHERE.has(name)))) return false;
  const hosts = /^(?:nc|ncat|netcat|telnet)$/.test(program) ? operands.slice(0, 1) : operands;
  const asked = program === "http" ? hosts.filter((word) => !HTTPIE.test(leadingText(word))) : hosts;
  return (
    asked.length > 0 && asked.every((word) => LOCAL.test(constantText(word) ?? `${leadingText(word)}\0`))
  );
};

/** Includes the end of the host name, because `localhost.example.com` and `localhost:x@example.com` are other machines. */
const LOCAL =
  /^(?:(?:https?|wss?):\/\/)?(?:(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|::1)(?::[\d\0]*)?(?:[/?#]|$)|:\d+(?:\/|$))/;

/** A method or a request field in httpie's form. */
const HTTPIE = /^(?:[A-Z]+$|[\w-]+(?::=|==|=|:(?!\d|\/)))/;

/** Options that replace the host of the given address. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  "x proxy preproxy socks5 socks5-hostname connect-to resolve url K config i input-file".split(" "),
);

/** Programs whose first operand is a host, even one with the name `help`. */
const DIALLING: ReadonlySet<string> = new Set(
  "curl wget ssh nc ncat telnet ping host dig http https".split(" "),
);

/** Whether only a version or a help text is printed, without network. */
const isInert = (program: string, args: readonly Word[]): boolean => {
  if (args.length === 0) return !/^(?:http\.server|ftp|telnet|sftp)$/.test(program);
  const [first] = args;
  const alone = first === undefined ? "" : (constantText(first) ?? "");
  if (program === "kubectl" && alone === "version" && args.some((word) => constantText(word) === "--client"))
    return true;
  if (/^(?:completions?|help)$/.test(alone) && !DIALLING.has(program)) return true;
  if (args.length === 1 && /^(?:-V|-h|--version|--help|version)$/.test(alone)) return true;
  return args.some((word) => constantText(word) === "--help") && !["curl", "wget"].includes(program);
};

const CURL = optionRule(
  "o K D c b u X H d F T A e E m r t U w x Y y z C output output-dir config dump-header cookie-jar cookie user request " +
    "header data data-binary data-raw form upload-file user-agent referer cert key max-time proxy write-out retry json " +
    "url connect-to resolve interface connect-timeout data-urlencode form-string retry-delay retry-max-time cacert " +
    "range unix-socket preproxy socks5 socks5-hostname",
);

const WGET = optionRule("O P o a i U e t T w output-document directory-prefix output-file");

const transferFiles = (
  program: string,
  args: readonly Word[],
  scene: RuleContext,
): readonly DangerFinding[] => {
  const { options } = readOptions(args, program === "curl" ? CURL : WGET);
  return options.flatMap(({ name, value }) => {
    if (value === null) return [];
    if (WRITTEN.has(name))
      return constantText(value) === "-" ? [] : fileAccessFindings(value, "write", scene);
    return SENT.has(name) ? fileAccessFindings(withoutAt(value), "read", scene) : [];
  });
};

/** Programs whose operands name the requested hosts. */
const HERE = tableOf<OptionRule>({
  curl: CURL,
  wget: WGET,
  http: optionRule("a p o h b auth output timeout verify form"),
  nc: optionRule("w i I q s T X x e c l p"),
  ncat: optionRule("w i e c x l p"),
  netcat: optionRule("w i q s e c x l p"),
  telnet: optionRule(""),
  ping: optionRule("c w W i s"),
});

const WRITTEN: ReadonlySet<string> = new Set(
  "o output O output-document output-dir P directory-prefix dump-header D cookie-jar c".split(" "),
);

const SENT: ReadonlySet<string> = new Set("T upload-file d data data-binary F form".split(" "));

/** `-d @file` and `-F name=@file` send a file; any other text is sent literally. */
const withoutAt = (word: Word): Word => {
  const at = leadingText(word).indexOf("@");
  const first = word.pieces[0];
  return at === -1 || first?.kind !== "text"
    ? EMPTY
    : { pieces: [{ ...first, text: first.text.slice(at + 1) }, ...word.pieces.slice(1)] };
};
