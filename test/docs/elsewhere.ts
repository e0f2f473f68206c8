/** Commands of the pages that the test does not run: who does, or why it cannot be done here. */

export interface Elsewhere {
  readonly told: readonly string[];
  /** A file from the root, and what in it runs the command; or null where nothing here can. */
  readonly by: readonly [file: string, needle: string] | null;
  readonly why: string;
}

export const elsewhere: readonly Elsewhere[] = [
  {
    told: ["npm install", "npm test", "TEST_SEED=N npm test"],
    by: [".ci/run", "npm install && npm test"],
    why: "the suite that this is part of, after the install that it needs",
  },
  {
    told: ["npx vitest run test/escape"],
    by: [".ci/run", "npm test"],
    why: "a part of the suite",
  },
  {
    told: ["npm install --global --prefix /usr/local @sentry/mcp-server"],
    by: null,
    why: "it installs a program of somebody else into the machine",
  },
  {
    told: ["npm audit --omit=dev"],
    by: ["packaging/dependencies.ts", "npm audit --omit=dev"],
    why: "it asks a registry; npm run dependencies does where one answers",
  },
  {
    told: ["npm install @ai-sdk/google-vertex", "npm install @ai-sdk/amazon-bedrock"],
    by: ["package.json", '"@ai-sdk/google-vertex"'],
    why: "a clone has them, and the models of both are asked by the tests",
  },
  {
    told: ["npm run check"],
    by: [
      "package.json",
      "npm run unused && npm run lines && npm run language && npm run commits && npm test",
    ],
    why: "the suite once more, after what each commit is checked with",
  },
  {
    told: [
      "npm run bench",
      "npm run bench NAME",
      "npm run bench -- last",
      "npm run bench -- report FILE",
      "npm run bench -- table --json FILE",
      "npm run bench reuse",
    ],
    by: ["test/bench/bench.test.ts", "run.ts"],
    why: "minutes; the test runs them with tiny sizes",
  },
  {
    told: ["npm run bench -- peers"],
    by: null,
    why: "it installs packages from a registry",
  },
  {
    told: ["npm run soak"],
    by: ["test/soak/soak.test.ts", "soak.ts"],
    why: "an hour; the suite has seconds of it",
  },
  {
    told: ["npm run dependencies"],
    by: ["test/packaging/package.test.ts", "production.ts"],
    why: "asks a registry; the test looks at what lies here",
  },
  {
    told: ["npm run crash -- storm SECONDS"],
    by: ["test/crash/storm/storm.test.ts", "storm.ts"],
    why: "as long as is asked; the suite has seconds of it",
  },
  {
    told: ["npm run crash -- adversary"],
    by: ["test/crash/adversary/adversary.test.ts", "attack.ts"],
    why: "minutes; the suite has a thousand of its sequences",
  },
  {
    told: ["npm run crash -- drafts CHANGES"],
    by: ["test/crash/drafts/drafts.test.ts", "CRASH_CHANGES"],
    why: "most of an hour; the suite has a few of its changes",
  },
  {
    told: [
      "sudo npm run import -- /var/lib/parley/data",
      "sudo npm run hosts",
      "npm run hosts",
      "sudo npm run drain -- parley-1",
      "sudo npm run move -- CONVERSATION parley-2",
      "npm run crash -- fleet ENDS",
    ],
    by: ["test/features/cluster/crash/fleet.test.ts", 'fleet.command("drain"'],
    why: "needs PostgreSQL and several hosts; the test imports, lists, moves, drains and ends three of them",
  },
  {
    told: ["npm run crash -- fleet 1", "npm run crash -- fleet 1 --postgres 18"],
    by: ["test/features/cluster/crash/upgrade.test.ts", "FLEET_ENDS"],
    why: "minutes, and a package from a registry; the suite has a part of it",
  },
  {
    told: [
      "pg_basebackup --checkpoint=fast -D /srv/backup/base",
      "mv /var/lib/postgresql/15/main /var/lib/postgresql/15/main-before",
      "cp -a /srv/backup/base /var/lib/postgresql/15/main",
      "touch /var/lib/postgresql/15/main/recovery.signal",
    ],
    by: ["test/features/cluster/database/recovery.test.ts", "server.shell(onMachine(back))"],
    why: "needs a PostgreSQL of its own; the test types what stands on the page, with other folders",
  },
  {
    told: ["npm run crash"],
    by: ["test/crash/crash.test.ts", "matrix.ts"],
    why: "hours; the suite has a part of the matrix",
  },
  {
    told: ["npm run setup -- slack --update"],
    by: ["test/adapters/slack/setup/configuration.test.ts", "update: true"],
    why: "needs an app at Slack; the test takes the same steps with the wire-level Slack",
  },
  {
    told: ["npm run sandbox:build"],
    by: ["test/sandbox/locate.test.ts", "musl-gcc"],
    why: "needs cross compilers; the test builds with those that are there and compares",
  },
  {
    told: ["npm run setup", "npx parley setup"],
    by: ["test/e2e/setup.test.ts", "startInPty"],
    why: "asks a person; the test types the answers in a pseudo-terminal, in a folder where the package is installed",
  },
  {
    told: ["npx parley start", "npx parley help"],
    by: ["test/packaging/package.test.ts", '"npx parley doctor"'],
    why: "typed there, in a folder where the package is installed, and a question is put to it",
  },
  {
    told: ["npm install /path/to/parley-0.1.0.tgz"],
    by: ["test/packaging/package.test.ts", '"--strip-components=1"'],
    why: "asks a registry for what the package needs; the test unpacks the tarball as npm does, beside the same packages",
  },
  {
    told: [
      "cd /opt/parley && sudo npm ci",
      "npm ci",
      "sudo git pull && sudo npm ci",
      "sudo git checkout ORIG_HEAD && sudo npm ci",
    ],
    by: ["deploy/Dockerfile", "npm ci"],
    why: "the registry is asked; npm run image does it",
  },
  {
    told: [
      "npm ci --prefix web",
      "python3 -m venv .venv",
      ".venv/bin/pip install -r requirements.txt",
      "bash -e",
    ],
    by: ["test/docs/set-ups.test.ts", ".parley/setup.sh"],
    why: "lines of a setup script, which that test runs as they stand",
  },
  {
    told: ["ssh-keyscan HOST"],
    by: ["test/features/forge/deploy-key.test.ts", "ssh-keyscan"],
    why: "needs an ssh server; the test scans its own, and clones with what came of it",
  },
  {
    told: ["pip install -e ."],
    by: null,
    why: "named as what does not do under a kernel that makes no namespaces; nobody is told to type it",
  },
  {
    told: ["npm run image"],
    by: null,
    why: "needs root, debootstrap, Debian's mirror and minutes; it is run by hand before a release",
  },
  {
    told: [
      "git clone URL parley && cd parley",
      "docker compose -f deploy/compose.yaml up -d --build",
      "docker compose -f deploy/fleet/compose.yaml up -d --build",
      "docker compose -f deploy/compose.yaml logs -f",
      "docker compose -f deploy/compose.yaml up -d",
      "docker compose -f deploy/compose.yaml build",
      "docker compose -f deploy/compose.yaml down -v",
      "docker compose -f deploy/compose.yaml exec parley parley doctor",
      "docker compose -f deploy/compose.yaml exec parley parley audit",
      "docker compose -f deploy/compose.yaml exec parley parley forget slack:U0123456789",
      "docker compose -f deploy/compose.yaml run --rm -v /srv/backup:/backup parley restore /backup/monday",
      "docker compose -f deploy/compose.yaml run --rm -v /srv/backup:/backup parley backup /backup/monday",
    ],
    by: null,
    why: "needs a container engine; test/deploy/container.test.ts reads the files, npm run image runs their steps",
  },
  {
    told: [
      "docker build -f deploy/Dockerfile -t parley .",
      'docker run -it --rm --init -p 127.0.0.1:8787:8787 -v parley:/data -v "$PWD":/repo:ro -e PARLEY_REPO=/repo parley',
      "docker run -it --rm -v parley:/data parley setup",
      "docker run --rm -v parley:/data parley doctor",
      "docker run --rm -v parley:/data parley sandbox --probe",
    ],
    by: ["test/deploy/run-line.test.ts", "docker run"],
    why: "needs a container engine; the test starts the host as the line says, with Docker's capabilities and a read-only repository",
  },
  {
    told: [
      "docker build -f deploy/Dockerfile -t registry.example.org/parley .",
      "docker push registry.example.org/parley",
      "kubectl create secret generic parley --from-env-file=.env",
      "kubectl apply -f deploy/kubernetes.yaml",
      "kubectl exec deploy/parley -- parley doctor",
      "kubectl logs -f deploy/parley",
      "kubectl port-forward deploy/parley 8787",
    ],
    by: null,
    why: "needs a cluster; test/deploy/kubernetes.test.ts reads the file",
  },
  {
    told: ["sudo apparmor_parser -r /etc/apparmor.d/parley-launcher"],
    by: null,
    why: "needs AppArmor 4; test/deploy/apparmor.test.ts compares the profile with where launchers lie",
  },
  {
    told: [
      "sudo systemctl daemon-reload && sudo systemctl enable --now parley",
      "sudo systemctl daemon-reload && sudo systemctl start parley",
      "sudo systemctl daemon-reload && sudo systemctl restart parley",
      "sudo systemctl restart parley",
      "sudo systemctl stop parley",
      "sudo systemctl start parley",
      "sudo journalctl -u parley --since today",
      "sudo journalctl --disk-usage",
      "sudo useradd --system --home-dir /var/lib/parley --shell /usr/sbin/nologin parley",
      "sudo chown parley .env",
      "sudo -u parley npm run doctor",
      "sudo journalctl -u parley -f",
    ],
    by: null,
    why: "needs systemd; test/deploy/unit.test.ts starts the unit's command as the unit says",
  },
  {
    told: [
      "sudo apt-get update && sudo apt-get install -y git npm",
      "sudo apt-get update && sudo apt-get install -y docker.io docker-compose-v2 docker-buildx",
    ],
    by: null,
    why: "changes the machine; .ci/run installs in the same way",
  },
  {
    told: [
      "sudo install -m 640 -g prometheus /var/lib/parley/data/console-token /etc/prometheus/parley-token",
    ],
    by: null,
    why: "needs Prometheus's group",
  },
  {
    told: ["ssh -N -L 8787:127.0.0.1:8787 you@the-host"],
    by: null,
    why: "needs another machine",
  },
];
