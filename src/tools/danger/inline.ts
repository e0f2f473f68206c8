/**
 * Code of another language given on the command line: whether it plainly does no more than compute and print.
 *
 * No parser here reads these languages, so the question is only whether the code names anything that runs programs,
 * evaluates text, writes files or talks to the network; what hides behind computed names is named by what computes
 * them (`getattr`, `eval`, `require(x)`). Code that names none of it is as harmless as a script of the project.
 */

export type Language = "python" | "node" | "perl" | "ruby" | "php" | "lua" | "other";

/** Longer code is not looked at, and not harmless. */
const MAX_CODE = 20_000;

export const isHarmlessCode = (language: Language, code: string): boolean => {
  const rule = RULES[language];
  if (rule === null || code.length > MAX_CODE || rule.raw.test(code)) return false;
  return !rule.names.test(rule.strip(code));
};

interface CodeRule {
  /** Looked for in the code as it is: module names stand in quotes. */
  readonly raw: RegExp;
  /** Looked for outside of literals. */
  readonly names: RegExp;
  readonly strip: (code: string) => string;
}

const names = (list: string): string => `\\b(?:${list.split(" ").join("|")})\\b`;

/** Quoted strings, closed on their line. */
const withoutStrings = (code: string): string =>
  code.replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, '""');

/** The same, but what stands in the braces of an f-string is code. */
const withoutPythonStrings = (code: string): string =>
  code
    .replaceAll(
      /\b([a-zA-Z]{0,2})('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|#[^\n]*/g,
      (whole, prefix = "") => (/f/i.test(String(prefix)) ? whole : '""'),
    )
    .replaceAll(/(?<![\w)\]])('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")/g, '""');

const withoutRegexes = (code: string): string =>
  withoutStrings(code.replaceAll(/(?<![\w)\]$])(?:m|qr|s|tr|y)?\/(?:\\.|[^/\\\n])*\//g, " // "));

const PYTHON: CodeRule = {
  raw: /\bopen\s*\([^)]*,\s*(?:mode\s*=\s*)?(?:['"][^'"]*[wax+]|[^'"\s=)]+\s*[,)])/,
  names: new RegExp(
    [
      names(
        "exec eval compile getattr setattr delattr globals locals vars breakpoint subprocess shutil socket socketserver " +
          "urllib http httpx requests aiohttp ftplib smtplib telnetlib imaplib poplib xmlrpc paramiko fabric ctypes cffi " +
          "pty importlib runpy code codeop pickle marshal shelve webbrowser builtins imp zipimport pexpect pip boto3 " +
          "multiprocessing concurrent write_text write_bytes unlink rmdir rmtree symlink_to hardlink_to chmod popen",
      ),
      "\\bos\\s*\\.\\s*(?!(?:path|environ|getcwd|listdir|sep|walk|name|getenv|cpu_count|linesep|scandir|stat|getpid|uname|pathsep|fspath)\\b)",
      "\\bfrom\\s+os\\s+import",
      "\\bimport\\s+os\\s+as\\b",
      "\\basyncio\\s*\\.\\s*(?:create_subprocess|open_connection|start_server)",
      "\\.\\s*(?:write|writelines|touch|mkdir|rename|replace)\\s*\\(\\s*\\)",
      "__(?!(?:name|file|version|doc|main)__)\\w+__",
    ].join("|"),
  ),
  strip: withoutPythonStrings,
};

const NODE: CodeRule = {
  raw: new RegExp(
    [
      "(?:require|import|from)\\s*\\(?\\s*['\"`](?:node:)?(?:child_process|https?|http2|net|tls|dgram|vm|v8|cluster|repl|" +
        "worker_threads|inspector|module|axios|got|undici|node-fetch|shelljs|execa|zx|rimraf|del|fs-extra|ws)(?:/[^'\"`]*)?['\"`]",
      "\\b(?:require|import)\\s*\\(\\s*[^'\"\\s]",
    ].join("|"),
  ),
  names: new RegExp(
    [
      names(
        "eval Function fetch WebSocket XMLHttpRequest EventSource dlopen mainModule getBuiltinModule constructor Reflect " +
          "rm rmSync rmdir rmdirSync unlink unlinkSync writeFile writeFileSync appendFile appendFileSync truncate " +
          "truncateSync rename renameSync cpSync copyFile copyFileSync createWriteStream chmod chmodSync symlink " +
          "symlinkSync execSync spawnSync exec spawn fork _load Deno",
      ),
      "\\bBun\\s*\\.\\s*(?:write|spawn|\\$)",
      "\\bprocess\\s*\\.\\s*(?:binding|kill|dlopen|_)",
      "\\b(?:globalThis|global|process)\\s*\\[",
    ].join("|"),
  ),
  strip: withoutStrings,
};

const PERL: CodeRule = {
  raw: /`|@\{\s*\[|\bqx\b|\bee[a-z]*\s*;|<\s*\||\/e{2}/,
  names: new RegExp(
    names(
      "system exec open sysopen unlink rename rmdir mkdir eval require do fork kill socket connect syscall truncate chmod " +
        "chown link symlink utime dump pipe IO File LWP HTTP Socket Net IPC POSIX DynaLoader",
    ),
  ),
  strip: withoutRegexes,
};

const RUBY: CodeRule = {
  raw: /`|%x|require\s*\(?\s*['"](?:open3|net\/|socket|fileutils|open-uri|pty|shell)/,
  names: new RegExp(
    names(
      "system exec spawn fork open popen eval instance_eval class_eval module_eval send public_send __send__ Net TCPSocket " +
        "URI Open3 FileUtils write delete unlink rename rmdir rmtree truncate chmod syscall load binding Kernel Process",
    ),
  ),
  strip: withoutRegexes,
};

const PHP: CodeRule = {
  raw: /`/,
  names: new RegExp(
    `${names(
      "system exec shell_exec passthru popen proc_open pcntl_exec unlink rename rmdir mkdir file_put_contents fopen fwrite " +
        "eval assert create_function include include_once require require_once fsockopen stream_socket_client mail copy " +
        "chmod symlink tempnam call_user_func call_user_func_array dl putenv",
    )}|\\bcurl_|\\$\\w+\\s*\\(`,
    "i",
  ),
  strip: withoutStrings,
};

const LUA: CodeRule = {
  raw: /require\s*\(?\s*['"](?:socket|lfs|posix|ffi)/,
  names:
    /\b(?:os\s*\.\s*(?!(?:time|date|clock|getenv)\b)|io\s*\.\s*(?!(?:read|write|lines|stdout|stderr)\b)|load|loadstring|loadfile|dofile|package|debug)/,
  strip: withoutStrings,
};

const RULES: Readonly<Record<Language, CodeRule | null>> = {
  python: PYTHON,
  node: NODE,
  perl: PERL,
  ruby: RUBY,
  php: PHP,
  lua: LUA,
  other: null,
};
