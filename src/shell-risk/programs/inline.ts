/**
 * Decides whether code in other languages clearly does no more than compute, read and print.
 *
 * Parley has no parser for these languages. The check therefore only searches for code that runs programs, evaluates text,
 * deletes, or uses the network. Computed names are caught by the functions that compute them (`getattr`, `eval`, `require(x)`).
 * Other code is as harmless as a script of the project. Importing a module alone has no effect. Each pattern passes over the
 * code once, without backtracking.
 */

export type ScriptLanguage = "python" | "node" | "script" | "other";

/** Longer code is not checked and counts as not harmless. */
const MAX_CODE = 100_000;

/** `inFile`: the code is a file that people can read, and may write other files like any program. */
export const isHarmlessCode = (language: ScriptLanguage, code: string, inFile = false): boolean => {
  const { raw, names, writes, strip } = RULES[language];
  if (code.length > MAX_CODE || raw.test(code)) return false;
  const stripped = strip(code);
  return !names.test(stripped) && (inFile || !(writes.test(stripped) || writes.test(code)));
};

interface CodeRule {
  /** Searched in the original code, because module names are in quotes. */
  readonly raw: RegExp;
  /** Searched outside of literals. */
  readonly names: RegExp;
  /** Patterns for writing files, searched in both forms. */
  readonly writes: RegExp;
  readonly strip: (code: string) => string;
}

const names = (list: string): string => `\\b(?:${list.split(" ").join("|")})\\b`;

const anyOf = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"));

const NEVER = /(?!)/;

/** An unclosed string ends with its line. */
const withoutStrings = (code: string): string =>
  code.replaceAll(/'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?/g, '""');

/** f-strings stay, because their braces contain code. */
const withoutPythonStrings = (code: string): string =>
  code.replaceAll(
    /([a-zA-Z]{0,2})('''[^]*?(?:'''|$)|"""[^]*?(?:"""|$)|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?)|#[^\n]*/g,
    (whole, prefix: string | undefined) => (prefix !== undefined && /f/i.test(prefix) ? whole : '""'),
  );

const withoutRegexes = (code: string): string =>
  withoutStrings(code.replaceAll(/(?<![\w)\]$])(?:m|qr|s|tr|y)?\/(?:\\.|[^/\\\n])*\/?/g, " // "));

/** Python modules that use the network; reading their versions and errors is harmless. */
const CLIENTS = "(?:requests|httpx|aiohttp|urllib3)";

const PYTHON: CodeRule = {
  raw: anyOf(
    "\\bgetattr\\s{0,9}\\([^,()\\n]{0,99},(?!\\s{0,9}['\"](?!system|popen|exec|spawn|eval|run|call|check_|remove|unlink|rm|_)\\w+['\"])",
    "\\bimport_module\\s{0,9}\\(\\s{0,9}['\"](?:os|subprocess|pty|socket|shutil|ctypes)\\b",
  ),
  names: anyOf(
    names(
      "subprocess popen globals setattr delattr breakpoint socketserver ftplib smtplib telnetlib imaplib poplib xmlrpc " +
        "paramiko fabric cffi pty runpy codeop marshal shelve webbrowser builtins imp zipimport pexpect boto3 unlink " +
        "rmdir rmtree urlopen urlretrieve HTTPConnection HTTPSConnection spec_from_file_location exec_module __import__ " +
        "removedirs removexattr",
    ),
    "(?<![\\w.])(?:exec|eval|compile)\\b",
    "\\bos\\s*\\.\\s*(?!(?:path|environ|getcwd|listdir|sep|walk|name|getenv|cpu_count|linesep|scandir|stat|lstat|getpid|uname|pathsep|fspath|access|readlink|get_terminal_size|getuid|getloadavg|urandom|chdir|mkdir|makedirs|devnull|curdir|R_OK|W_OK|X_OK|F_OK|PathLike|sched_getaffinity|rename|replace)\\b)",
    "\\bfrom\\s+(?:os|shutil|socket|pickle|ctypes)\\s+import\\b(?!\\s+(?:path|environ|getcwd|listdir|getenv|walk|sep|which|util)\\s*(?:[;\\n]|$))",
    "\\bimport\\s+(?:os|shutil|socket|pickle|importlib|ctypes|requests|httpx|aiohttp)\\s+as\\b",
    "\\bshutil\\s*\\.\\s*(?!(?:which|disk_usage|get_terminal_size|copy|copy2|copyfile|copytree|move)\\b)",
    "\\bsocket\\s*\\.\\s*(?:socket|create_\\w+|socketpair|fromfd)\\b",
    "\\burllib\\s*\\.\\s*request\\b|\\bfrom\\s+urllib\\s+import\\s+request\\b|\\burllib2\\b",
    "\\bhttp\\.server\\b|\\bfrom\\s+http\\s+import\\s+server\\b",
    `\\b${CLIENTS}\\s*\\.\\s*(?!__version__|__file__|__name__|__path__|codes\\b|exceptions\\b)|\\bfrom\\s+${CLIENTS}[\\w.]*\\s+import\\b`,
    "\\bimportlib\\s*\\.\\s*(?:reload|machinery|_bootstrap)",
    "\\bpickle\\s*\\.\\s*(?:loads?|Unpickler)\\b|\\bctypes\\s*\\.\\s*(?!util\\b)",
    "\\basyncio\\s*\\.\\s*(?:create_subprocess|open_connection|start_server)",
    "\\.\\s*(?:system|spawn[lv]\\w*|exec[lv]\\w*|startfile|interact)\\s*\\(|\\bcode\\s*\\.\\s*Interactive",
    "__(?:builtins|globals|getattribute|subclasses|bases?|loader|spec|code|reduce\\w*|closure|self|setattr|delattr)__|\\bos\\s*\\.\\s*__|\\bsys\\s*\\.\\s*modules",
  ),
  writes: anyOf(
    "\\bopen\\s{0,9}\\([^)\\n]{0,999},\\s{0,9}(?:mode\\s{0,9}=\\s{0,9})?(?:['\"][^'\"\\n]{0,9}[wax+]|[^'\"\\s=),]{1,99}\\s{0,9}[,)])",
    names("write_text write_bytes symlink_to hardlink_to chmod writelines"),
    "\\bos\\s*\\.\\s*(?:rename|replace|makedirs|mkdir)\\b|\\bshutil\\s*\\.\\s*(?:copy|move)|\\.\\s*(?:touch|mkdir)\\s*\\(",
  ),
  strip: withoutPythonStrings,
};

const MODULES =
  "child_process|vm|v8|cluster|repl|worker_threads|inspector|net|tls|dgram|axios|got|undici|node-fetch|shelljs|execa|zx|" +
  "rimraf|del";

const NODE: CodeRule = {
  raw: anyOf(
    `(?:require|import|from)\\s{0,9}\\(?\\s{0,9}['"\`](?:node:)?(?:${MODULES})(?:/[^'"\`\\n]{0,99})?['"\`]`,
    "\\b(?:require|import)\\s{0,9}\\(\\s{0,9}[^'\"\\s]",
  ),
  names: anyOf(
    names(
      "eval Function WebSocket XMLHttpRequest EventSource dlopen mainModule getBuiltinModule rmSync rmdirSync unlink " +
        "unlinkSync execSync spawnSync _load Deno rmdir execFile execFileSync",
    ),
    "(?<![.\\w])(?:fetch|exec|spawn|fork)\\s*\\(|\\bfs\\w*\\s*(?:\\.\\s*promises\\s*)?\\.\\s*rm\\b|\\bglobalThis\\s*\\.\\s*fetch",
    "\\bhttps?\\s*\\.\\s*(?:get|request)\\b|\\bhttp2\\s*\\.\\s*connect\\b|\\.\\s*constructor\\b|\\bReflect\\s*\\.\\s*(?:get|apply|construct)\\b",
    "\\bBun\\s*\\.\\s*(?:spawn|\\$)|\\bprocess\\s*\\.\\s*(?:binding|kill|dlopen|_)|\\b(?:globalThis|global|process)\\s*\\[",
  ),
  writes: anyOf(
    names(
      "rm writeFile writeFileSync appendFile appendFileSync truncate truncateSync rename renameSync cpSync copyFile " +
        "copyFileSync createWriteStream chmod chmodSync symlink symlinkSync",
    ),
    "\\bBun\\s*\\.\\s*write\\b|['\"`](?:fs-extra|https?|http2|ws|module)['\"`]",
  ),
  strip: withoutStrings,
};

/** Perl, Ruby, PHP and Lua: a dangerous name of one language counts in each, in any case, as in PHP. */
const SCRIPT: CodeRule = {
  raw: /`|@\{\s{0,9}\[|\bqx\b|%x|\bee[a-z]{0,9}\s{0,9};|<\s{0,9}\||\/e{2}|require\s{0,9}\(?\s{0,9}['"](?:open3|net\/|socket|fileutils|open-uri|pty|shell|lfs|posix|ffi|\.{0,2}\/|[^'"\n]{0,99}\.p[lm]\b)/,
  names: new RegExp(
    [
      names(
        "system exec sysopen unlink rename rmdir rmtree eval fork kill socket connect syscall truncate pipe spawn popen " +
          "instance_eval class_eval module_eval public_send __send__ TCPSocket Open3 FileUtils binding shell_exec " +
          "passthru proc_open pcntl_exec assert create_function fsockopen stream_socket_client mail call_user_func " +
          "call_user_func_array dl putenv loadstring loadfile dofile",
      ),
      "\\b(?:LWP|HTTP|Socket|Net|IPC|POSIX|DynaLoader|Kernel|Process)\\s{0,9}(?:[.;]|::|->|\\bqw\\b)",
      '\\bdo\\s{0,9}["$]|\\brequire\\s{1,9}[A-Z$]|\\bload\\s{0,9}[("]|\\.\\s{0,9}delete\\b|\\bcurl_',
      "=\\s{0,9}(?:load|package|debug)\\b|(?<!\\b(?:my|foreach|for) )\\$\\w{1,99}\\s{0,9}\\(|\\b(?:package|debug)\\s{0,9}\\.",
      "(?<![$@%\\w])(?:os\\s{0,9}\\.\\s{0,9}(?!(?:time|date|clock|getenv)\\b)|io\\s{0,9}\\.\\s{0,9}(?!(?:read|write|lines|stdout|stderr|open)\\b))\\w",
    ].join("|"),
    "i",
  ),
  writes: new RegExp(
    `${names(
      "open send mkdir chmod chown link symlink utime dump write file_put_contents fopen fwrite include include_once " +
        "require_once copy tempnam URI",
    )}|\\brequire(?:_once)?\\s{0,9}\\(?\\s{0,9}['"][^'"\\n]{0,99}\\.(?:php|inc)\\b|\\b(?:IO|File)::`,
    "i",
  ),
  strip: withoutRegexes,
};

/** In an unknown language, only clear arithmetic and printing is harmless. */
const OTHER: CodeRule = {
  raw: /[`$|&<>\\]|(?<!["'\w])[a-z]*(?:sys|run|exec|eval|spawn|shell|open|write|delete|remove|unlink|load|source|include|port|cmd|http|url|download|file|rm\b|call)/i,
  names: NEVER,
  writes: NEVER,
  strip: withoutStrings,
};

const RULES: Readonly<Record<ScriptLanguage, CodeRule>> = {
  python: PYTHON,
  node: NODE,
  script: SCRIPT,
  other: OTHER,
};
