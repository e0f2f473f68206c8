/**
 * Fifty ordinary changes of a small repository, as data: what people ask for, the calls that it takes, and how it is tested.
 * Those that no draft can do are named with what they need; their command is one that asks for it.
 */

export interface Ordinary {
  readonly kind: "rename" | "fix" | "test" | "docs" | "config" | "dependency" | "format" | "feature";
  readonly what: string;
  /** In the draft, one after the other. */
  readonly calls: readonly Call[];
  /** Exits with 0 where the change is there and right; unset: the repository's own tests. */
  readonly test?: string;
  /** Why it takes Unrestricted; unset: a draft is enough. */
  readonly needs?: string;
}

type Call =
  | { readonly name: "bash"; readonly input: { readonly command: string } }
  | { readonly name: "patch"; readonly input: { readonly path: string; readonly patches: readonly Patch[] } };

type Patch =
  | { readonly operation: "replace"; readonly oldText: string; readonly newText: string }
  | { readonly operation: "append_eof" | "prepend_bof" | "overwrite"; readonly newText: string };

/** How the repository tests itself. */
export const TESTS = "python3 -m unittest -q";

/** By path. */
export const files: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n\nA shop that adds up.\n\n## Instalation\n\nSee [usage](docs/usage.md).\n",
  "CHANGELOG.md": "# Changes\n\n## 1.0.0\n\n- First.\n",
  "docs/usage.md": "# Usage\n\nRun `python3 -m shop 3 2`.\n\nThe default tax is 16 %.\n",
  "docs/old.md": "# Old\n\nNobody reads this.\n",
  "shop/__init__.py": 'VERSION = "1.0.0"\n',
  "shop/__main__.py":
    "import sys\n\nfrom shop.price import total\n\nprint(total([int(one) for one in sys.argv[1:]]))\n",
  "shop/price.py":
    "TAX = 19\n\n\ndef total(prices):\n    sum = 0\n    for p in prices:\n        sum = sum + p\n    return sum\n\n\ndef gross(net):\n    return net + net * TAX / 100\n\n\ndef mean(prices):\n    return total(prices) / len(prices)\n",
  "shop/retry.py":
    "ATTEMPTS = 0\n\n\ndef retry(work):\n    for no in range(ATTEMPTS):\n        if work(no):\n            return True\n    return False\n",
  "shop/store.py":
    "import json\nimport os\n\n\ndef load(path):\n    f = open(path)\n    return json.load(f)\n\n\ndef unused():\n    return os.getcwd()\n",
  "tests/__init__.py": "",
  "tests/test_price.py":
    "import unittest\n\nfrom shop.price import gross, total\n\n\nclass Price(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n\n    def test_gross(self):\n        self.assertEqual(gross(100), 119)\n",
  "config/app.json": '{"port": 8080,\n  "debug": true, "workers":2}\n',
  "config/dev.ini": "[log]\nlevel = debug\n",
  ".github/workflows/test.yml":
    "on: push\njobs:\n  test:\n    runs-on: ubuntu-22.04\n    steps:\n      - run: python3 -m unittest\n",
  ".gitignore": "__pycache__/\n",
  "requirements.in": "left-pad==1.2.0\nsix==1.16.0\n",
  "requirements.txt":
    "left-pad==1.2.0 --hash=sha256:1111111111111111111111111111111111111111111111111111111111111111\nsix==1.16.0 --hash=sha256:2222222222222222222222222222222222222222222222222222222222222222\n",
  // Another project of the house has the newer one, with its hash.
  "tools/requirements.txt":
    "left-pad==1.3.0 --hash=sha256:3333333333333333333333333333333333333333333333333333333333333333\n",
  "i18n/de.json": '{\n  "total": "Summe"\n}\n',
  "i18n/en.json": '{\n  "total": "Total",\n  "tax": "Tax"\n}\n',
  "schema.sql": "create table orders (id integer primary key);\n",
  Makefile: "test:\n\tpython3 -m unittest\n",
};

const bash = (command: string): Call => ({ name: "bash", input: { command } });

const patch = (path: string, ...patches: readonly Patch[]): Call => ({
  name: "patch",
  input: { path, patches },
});

const replace = (oldText: string, newText: string): Patch => ({ operation: "replace", oldText, newText });

const REGISTRY = "the network: the package registry";

export const changes: readonly Ordinary[] = [
  {
    kind: "rename",
    what: "a function, wherever it is used",
    calls: [bash("grep -rlw gross --include='*.py' . | xargs sed -i 's/\\bgross\\b/with_tax/g'")],
  },
  {
    kind: "rename",
    what: "a variable that hides a builtin",
    calls: [bash("sed -i 's/\\bsum\\b/amount/g' shop/price.py")],
  },
  {
    kind: "rename",
    what: "a module",
    calls: [bash("git mv shop/store.py shop/storage.py")],
    test: "python3 -c 'import shop.storage'",
  },
  {
    kind: "rename",
    what: "the package's directory, with its imports",
    calls: [
      bash(
        "git mv shop till && grep -rl shop --include='*.py' till tests | xargs sed -i 's/\\bshop\\b/till/g'",
      ),
      bash("sed -i 's/-m shop/-m till/' docs/usage.md"),
    ],
  },
  {
    kind: "rename",
    what: "a key of the translations",
    calls: [bash('sed -i \'s/"total"/"sum"/\' i18n/*.json')],
    test: "for f in i18n/*.json; do python3 -m json.tool $f > /dev/null || exit 1; done; ! grep -q '\"total\"' i18n/*",
  },
  {
    kind: "rename",
    what: "the capital letters of a file of the documents",
    calls: [bash("git mv docs/old.md docs/archive.md")],
    test: "test -f docs/archive.md && ! test -e docs/old.md",
  },
  {
    kind: "fix",
    what: "no attempt is ever made",
    calls: [patch("shop/retry.py", replace("ATTEMPTS = 0", "ATTEMPTS = 3"))],
  },
  {
    kind: "fix",
    what: "a mean of nothing divides by nothing",
    calls: [
      patch(
        "shop/price.py",
        replace("return total(prices) / len(prices)", "return total(prices) / len(prices) if prices else 0"),
      ),
    ],
    test: `${TESTS} && python3 -c 'from shop.price import mean; assert mean([]) == 0'`,
  },
  {
    kind: "fix",
    what: "a file that is never closed",
    calls: [
      patch(
        "shop/store.py",
        replace(
          "    f = open(path)\n    return json.load(f)",
          "    with open(path) as file:\n        return json.load(file)",
        ),
      ),
    ],
    test: "python3 -W error -c 'from shop.store import load; load(\"i18n/en.json\")'",
  },
  {
    kind: "fix",
    what: "the tax of a price is rounded to cents",
    calls: [
      patch(
        "shop/price.py",
        replace("return net + net * TAX / 100", "return round(net + net * TAX / 100, 2)"),
      ),
    ],
  },
  {
    kind: "fix",
    what: "the command says what is wrong with a word instead of a trace",
    calls: [
      patch("shop/__main__.py", {
        operation: "overwrite",
        newText:
          'import sys\n\nfrom shop.price import total\n\ntry:\n    print(total([int(one) for one in sys.argv[1:]]))\nexcept ValueError as error:\n    sys.exit(f"no number: {error}")\n',
      }),
    ],
    test: 'test "$(python3 -m shop 1 2)" = 3 && ! python3 -m shop x',
  },
  {
    kind: "fix",
    what: "a script that cannot be run gets its mode",
    calls: [bash("printf '#!/bin/sh\\nexec python3 -m shop \"$@\"\\n' > shop.sh && chmod +x shop.sh")],
    test: 'test "$(./shop.sh 1 2)" = 3',
  },
  {
    kind: "fix",
    what: "found by bisecting a failing command",
    calls: [
      bash("git log --oneline; python3 -c 'from shop.retry import retry; print(retry(lambda no: True))'"),
      patch("shop/retry.py", replace("range(ATTEMPTS)", "range(max(1, ATTEMPTS))")),
    ],
    test: `${TESTS} && python3 -c 'from shop.retry import retry; assert retry(lambda no: True)'`,
  },
  {
    kind: "test",
    what: "of a function that had none",
    calls: [
      patch("tests/test_retry.py", {
        operation: "overwrite",
        newText:
          "import unittest\n\nfrom shop import retry\n\n\nclass Retry(unittest.TestCase):\n    def test_never(self):\n        self.assertFalse(retry.retry(lambda no: False))\n",
      }),
    ],
  },
  {
    kind: "test",
    what: "of an edge",
    calls: [
      patch("tests/test_price.py", {
        operation: "append_eof",
        newText: "\n    def test_nothing(self):\n        self.assertEqual(total([]), 0)\n",
      }),
    ],
  },
  {
    kind: "test",
    what: "red first, then green",
    calls: [
      patch("tests/test_price.py", {
        operation: "append_eof",
        newText:
          "\n    def test_negative(self):\n        with self.assertRaises(ValueError):\n            total([-1])\n",
      }),
      bash(`${TESTS} || true`),
      patch(
        "shop/price.py",
        replace(
          "    for p in prices:",
          "    if any(p < 0 for p in prices):\n        raise ValueError(prices)\n    for p in prices:",
        ),
      ),
    ],
  },
  {
    kind: "test",
    what: "a fixture as a file",
    calls: [bash("mkdir -p tests/data && echo '[1, 2]' > tests/data/prices.json")],
    test: "python3 -m json.tool tests/data/prices.json",
  },
  {
    kind: "test",
    what: "one that is skipped with its reason",
    calls: [
      patch(
        "tests/test_price.py",
        replace("    def test_gross", '    @unittest.skip("the tax changes")\n    def test_gross'),
      ),
    ],
  },
  {
    kind: "test",
    what: "of a migration against SQLite in memory",
    calls: [
      bash(
        "cat > tests/test_schema.py <<'END'\nimport sqlite3\nimport unittest\n\n\nclass Schema(unittest.TestCase):\n    def test_schema(self):\n        sqlite3.connect(':memory:').executescript(open('schema.sql').read())\nEND",
      ),
    ],
  },
  {
    kind: "docs",
    what: "a spelling mistake",
    calls: [patch("README.md", replace("Instalation", "Installation"))],
    test: "grep -q Installation README.md",
  },
  {
    kind: "docs",
    what: "a wrong number",
    calls: [patch("docs/usage.md", replace("16 %", "19 %"))],
    test: "grep -q '19 %' docs/usage.md",
  },
  {
    kind: "docs",
    what: "an entry of the changelog",
    calls: [patch("CHANGELOG.md", replace("## 1.0.0", "## 1.1.0\n\n- Tries three times.\n\n## 1.0.0"))],
    test: "grep -q 1.1.0 CHANGELOG.md",
  },
  {
    kind: "docs",
    what: "docstrings",
    calls: [patch("shop/price.py", replace("def gross(net):\n", 'def gross(net):\n    """With tax."""\n'))],
  },
  {
    kind: "docs",
    what: "a page, linked from another",
    calls: [
      bash("printf '# Prices\\n\\nA price is a number of cents.\\n' > docs/prices.md"),
      patch("docs/usage.md", { operation: "append_eof", newText: "\nSee [prices](prices.md).\n" }),
    ],
    test: "grep -o '(.*\\.md)' docs/usage.md | tr -d '()' | while read f; do test -f docs/$f || exit 1; done",
  },
  {
    kind: "docs",
    what: "a page goes",
    calls: [bash("git rm -q docs/old.md")],
    test: "! test -e docs/old.md",
  },
  {
    kind: "docs",
    what: "a table of the functions, made from the code",
    calls: [
      bash(
        "{ echo '# Functions'; echo; grep -rho '^def [a-z]*' shop | sed 's/def /- /' | sort; } > docs/functions.md",
      ),
    ],
    test: "grep -q -- '- gross' docs/functions.md",
  },
  {
    kind: "config",
    what: "a port",
    calls: [bash("sed -i 's/8080/9090/' config/app.json")],
    test: 'python3 -c \'import json; assert json.load(open("config/app.json"))["port"] == 9090\'',
  },
  {
    kind: "config",
    what: "a level of the log",
    calls: [bash("sed -i 's/debug/info/' config/dev.ini")],
    test: "grep -q info config/dev.ini",
  },
  {
    kind: "config",
    what: "the image that CI runs on",
    calls: [patch(".github/workflows/test.yml", replace("ubuntu-22.04", "ubuntu-24.04"))],
    test: "grep -q 24.04 .github/workflows/test.yml",
  },
  {
    kind: "config",
    what: "what git ignores",
    calls: [bash("echo build/ >> .gitignore")],
    test: "git check-ignore -q build/x",
  },
  {
    kind: "config",
    what: "a target of the Makefile",
    calls: [bash("printf '\\nclean:\\n\\trm -rf build\\n' >> Makefile")],
    test: "grep -q '^clean:' Makefile",
  },
  {
    kind: "config",
    what: "an .editorconfig",
    calls: [bash("printf 'root = true\\n\\n[*.py]\\nindent_size = 4\\n' > .editorconfig")],
    test: "test -f .editorconfig",
  },
  {
    kind: "config",
    what: "the version of a release",
    calls: [bash("sed -i 's/1.0.0/1.1.0/' shop/__init__.py")],
    test: "python3 -c 'import shop; assert shop.VERSION == \"1.1.0\"'",
  },
  {
    kind: "dependency",
    what: "a bump whose hash another lock file of the repository has",
    calls: [
      bash(
        'new=$(grep left-pad tools/requirements.txt) && sed -i "s/^left-pad.*/$new/" requirements.txt && sed -i s/left-pad==1.2.0/left-pad==1.3.0/ requirements.in',
      ),
    ],
    test: "grep -q 'left-pad==1.3.0 --hash=sha256:3' requirements.txt && grep -q 1.3.0 requirements.in",
  },
  {
    kind: "dependency",
    what: "one that nobody uses goes, from the lock file too",
    calls: [bash("sed -i /^six/d requirements.in requirements.txt")],
    test: "! grep -q six requirements.in requirements.txt",
  },
  {
    kind: "dependency",
    what: "the oldest Python that is supported",
    calls: [
      bash(
        'printf \'[project]\\nname = "shop"\\nversion = "1.0.0"\\nrequires-python = ">=3.11"\\n\' > pyproject.toml',
      ),
    ],
    test: 'python3 -c \'import tomllib; tomllib.load(open("pyproject.toml", "rb"))\'',
  },
  {
    kind: "dependency",
    what: "the newest version of one",
    calls: [bash("python3 -m pip index versions six --timeout 2 --retries 0")],
    needs: REGISTRY,
  },
  {
    kind: "dependency",
    what: "a new one, with the hashes of all that it brings",
    calls: [bash("python3 -m pip download requests --timeout 2 --retries 0 -d vendor")],
    needs: REGISTRY,
  },
  {
    kind: "dependency",
    what: "the lock file made anew",
    calls: [bash("npm --fetch-retries=0 --fetch-timeout=2000 view left-pad dist.integrity")],
    needs: REGISTRY,
  },
  {
    kind: "dependency",
    what: "a library taken along from its repository",
    calls: [bash("timeout 5 git clone -q --depth 1 https://example.org/lib.git vendor/lib")],
    needs: "the network: another repository",
  },
  {
    kind: "format",
    what: "white space at the end of lines",
    calls: [bash("printf 'x = 1   \\n' >> shop/retry.py; sed -i 's/[ \\t]*$//' shop/*.py")],
  },
  {
    kind: "format",
    what: "JSON as a tool writes it",
    calls: [bash("python3 -m json.tool config/app.json > /tmp/app.json && cp /tmp/app.json config/app.json")],
    test: "python3 -m json.tool config/app.json | cmp - config/app.json",
  },
  {
    kind: "format",
    what: "tabs for spaces",
    calls: [bash("for f in shop/*.py; do unexpand -t 4 $f > /tmp/out && cp /tmp/out $f; done")],
  },
  {
    kind: "format",
    what: "sorted imports, without those that nothing uses",
    calls: [
      patch(
        "shop/store.py",
        replace("import json\nimport os\n", "import json\n"),
        replace("\n\ndef unused():\n    return os.getcwd()\n", ""),
      ),
    ],
    test: "python3 -c 'import shop.store'",
  },
  {
    kind: "feature",
    what: "an option of the command",
    calls: [
      bash(
        'sed -i \'s/^print/if "--version" in sys.argv:\\n    sys.exit("1.0.0")\\nprint/\' shop/__main__.py',
      ),
    ],
    test: `${TESTS}; ! python3 -m shop --version`,
  },
  {
    kind: "feature",
    what: "a missing translation",
    calls: [bash('printf \'{\\n  "total": "Summe",\\n  "tax": "Steuer"\\n}\\n\' > i18n/de.json')],
    test: 'python3 -c \'import json; a, b = (json.load(open(f"i18n/{l}.json")) for l in ("de", "en")); assert a.keys() == b.keys()\'',
  },
  {
    kind: "feature",
    what: "a column of the schema",
    calls: [bash("echo 'alter table orders add column paid integer;' >> schema.sql")],
    test: 'python3 -c \'import sqlite3; sqlite3.connect(":memory:").executescript(open("schema.sql").read())\'',
  },
  {
    kind: "feature",
    what: "a client made from the description that a service serves",
    calls: [
      bash(
        "python3 -c 'import urllib.request; urllib.request.urlopen(\"http://192.0.2.1/openapi.json\", timeout=2)'",
      ),
    ],
    needs: "a service: its description",
  },
  {
    kind: "test",
    what: "against a database that runs on this host",
    calls: [bash("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 5432), 2)'")],
    needs: "a service: the database",
  },
  {
    kind: "docs",
    what: "links that lead nowhere",
    calls: [
      bash("python3 -c 'import urllib.request; urllib.request.urlopen(\"https://example.org\", timeout=2)'"),
    ],
    needs: "the network: the pages that are linked",
  },
];
