/**
 * How each command of the pages is run by the test: as it stands there, with what it leaves open filled in. `npm install`
 * is what .ci/run begins with, so the rest of such a line is run here.
 */

/** Where commands are run, and what they are run on. */
export interface Place {
  /** A clone of this repository, which is the working directory. */
  readonly clone: string;
  /** An empty directory for what commands make. */
  readonly out: string;
  /** Of the started host. */
  readonly port: string;
  /** A conversation that has been answered. */
  readonly conversation: string;
}

export interface Run {
  /** Forms that come to the same command once they are filled in are run once. */
  readonly told: readonly string[];
  /** What it leaves open, and what stands there. */
  readonly fill?: (place: Place) => readonly (readonly [string, string])[];
  readonly env?: (place: Place) => Readonly<Record<string, string>>;
  /** What it prints. */
  readonly says: RegExp;
  /** A file below `out` or the clone that it leaves behind, and what is in it. */
  readonly leaves?: (place: Place) => readonly [path: string, content: RegExp];
}

/** Those that go on until they are stopped; the first is the host that the others are run beside. */
export const starts: readonly string[] = [
  "npm start",
  "npm install && npm start",
  "node --max-old-space-size=2048 bin/parley.js start",
  "npm start 2>> parley.log",
];

/** In this order: what forgets comes last. */
export const runs: readonly Run[] = [
  {
    told: ["npm run doctor", "sudo npm run doctor"],
    fill: () => [["sudo ", ""]],
    says: /^(?:ok {6}|warning )node: /m,
  },
  {
    told: ["PARLEY_MODES=/srv/parley/modes npm run doctor"],
    fill: ({ clone }) => [["/srv/parley/modes", `${clone}/src/modes`]],
    says: /general \(default\)/,
  },
  { told: ["npm run config"], says: /^PARLEY_PORT +\d+ +environment$/m },
  {
    told: ["npm run hook -- alerts", "npm run hook -- github", "npm run hook -- gitlab"],
    env: () => ({ PARLEY_HOOK_SECRET: "0123456789abcdef" }),
    says: /^secret {3}whsec_[A-Za-z0-9+/]{43}=$/m,
  },
  { told: ["npm run models"], says: /^(?:ALIAS +MODEL|The scripted demo model answers)/m },
  { told: ["npm run sandbox -- --probe"], says: /"tier": ?"T\d"/ },
  {
    told: ["npm run sandbox -- --profile restricted --cwd DIR -- bash -c 'CMD'"],
    fill: ({ clone }) => [
      ["DIR", clone],
      ["CMD", "head -1 README.md"],
    ],
    says: /^# Parley$/m,
  },
  {
    told: ["npm run classify -- COMMAND"],
    fill: () => [["COMMAND", "sudo reboot"]],
    says: /"SUDO"/,
  },
  {
    told: ["npm install && npm run manifest -- slack"],
    says: /"app_mentions:read"/,
  },
  {
    told: ["npm run manifest -- slack --http https://parley.example.org"],
    says: /"https:\/\/parley\.example\.org\/slack\/events"/,
  },
  { told: ["npm run manifest -- discord"], says: /Message Content Intent/ },
  { told: ["npm run reference"], says: /^written: /m },
  {
    told: ["npm run package"],
    says: /^parley-\d+\.\d+\.\d+\.tgz$/m,
  },
  {
    told: [
      'curl -sS http://127.0.0.1:8787/v1/chat/completions -H "Authorization: Bearer $PARLEY_GATEWAY_TOKEN" -H \'Content-Type: application/json\' -H \'X-Session-Id: session-1\' -d \'{"model": "parley", "messages": [{"role": "user", "content": "Where is the retry policy?"}]}\'',
    ],
    fill: ({ port }) => [["8787", port]],
    says: /"object":"chat\.completion"/,
  },
  {
    told: [
      'curl -sS http://127.0.0.1:8787/v1/approve-session -H "Authorization: Bearer $PARLEY_CONSOLE_TOKEN" -H \'Content-Type: application/json\' -d \'{"session_id": "session-1", "categories": ["SUDO", "EXEC_ARBITRARY"]}\'',
    ],
    fill: ({ port }) => [["8787", port]],
    says: /SUDO/,
  },
  {
    told: ["npm run replay -- CONVERSATION"],
    fill: ({ conversation }) => [["CONVERSATION", conversation]],
    says: /identical/,
  },
  {
    told: ["sudo npm run audit"],
    fill: () => [["sudo ", ""]],
    says: /"kind":"upgrade".*"outcome":"approve"/,
  },
  {
    told: ["npm run audit -- --csv"],
    says: /^askedAt,kind,.*\r\n.*,upgrade,/m,
  },
  {
    told: [
      "sudo npm run backup -- /srv/backup/parley-monday",
      "sudo npm run backup -- /srv/backup/parley-before-upgrade",
      "sudo npm run backup -- /srv/backup/parley-last",
    ],
    fill: ({ out }) => [
      ["sudo ", ""],
      ["/srv/backup/parley-monday", "DIR"],
      ["/srv/backup/parley-before-upgrade", "DIR"],
      ["/srv/backup/parley-last", "DIR"],
      ["DIR", `${out}/backup`],
    ],
    says: /backup/,
    leaves: ({ out }) => [`${out}/backup/backup.json`, /"database"/],
  },
  {
    told: [
      "sudo npm run restore -- /srv/backup/parley-monday",
      "sudo npm run restore -- /srv/backup/parley-before-upgrade",
    ],
    fill: ({ out }) => [
      ["sudo ", ""],
      ["/srv/backup/parley-monday", "DIR"],
      ["/srv/backup/parley-before-upgrade", "DIR"],
      ["DIR", `${out}/backup`],
    ],
    env: ({ out }) => ({ PARLEY_DATA: `${out}/restored` }),
    says: /^restored: /m,
    leaves: ({ out }) => [`${out}/restored/parley.sqlite`, /^SQLite format/],
  },
  {
    told: ["sudo mv /var/lib/parley/data /var/lib/parley/data-before"],
    fill: ({ out }) => [
      ["sudo ", ""],
      ["/var/lib/parley/data", `${out}/restored`],
    ],
    says: /^$/,
    leaves: ({ out }) => [`${out}/restored-before/parley.sqlite`, /^SQLite format/],
  },
  {
    told: ["sudo mv /var/lib/parley/data /var/lib/parley/data-newer"],
    fill: ({ out }) => [
      ["sudo ", ""],
      ["/var/lib/parley/data ", `${out}/restored-before `],
      ["/var/lib/parley/", `${out}/`],
    ],
    says: /^$/,
    leaves: ({ out }) => [`${out}/data-newer/parley.sqlite`, /^SQLite format/],
  },
  { told: ["git pull"], says: /up to date/ },
  {
    told: ["sudo git log -1 ORIG_HEAD"],
    fill: () => [
      ["sudo ", ""],
      ["ORIG_HEAD", "HEAD"],
    ],
    says: /^commit [0-9a-f]{40}/m,
  },
  { told: ["git checkout ORIG_HEAD"], fill: () => [["ORIG_HEAD", "HEAD~0"]], says: /detached HEAD/ },
  { told: ["sudo git checkout -"], fill: () => [["sudo ", ""]], says: /^Switched to branch/m },
  { told: ["sudo git checkout package-lock.json"], fill: () => [["sudo ", ""]], says: /^Updated \d path/ },
  {
    told: ["sudo git clone URL /opt/parley"],
    fill: ({ clone, out }) => [
      ["sudo ", ""],
      ["URL", `file://${clone}`],
      ["/opt", `${out}/opt`],
    ],
    says: /Cloning into/,
    leaves: ({ out }) => [`${out}/opt/parley/deploy/parley.service`, /^\[Service\]$/m],
  },
  {
    told: ["sudo install -m 600 .env.example .env"],
    fill: ({ out }) => [
      ["sudo ", ""],
      ["example .env", `example ${out}/opt/parley/.env`],
    ],
    says: /^$/,
    leaves: ({ out }) => [`${out}/opt/parley/.env`, /^PARLEY_DATA=\.\/data$/m],
  },
  {
    told: ["sudo sed -i 's|^PARLEY_DATA=.*|PARLEY_DATA=/var/lib/parley/data|' .env"],
    fill: ({ out }) => [
      ["sudo ", ""],
      [" .env", ` ${out}/opt/parley/.env`],
      ["/var/lib", `${out}/lib`],
    ],
    says: /^$/,
    leaves: ({ out }) => [`${out}/opt/parley/.env`, /^PARLEY_DATA=.*\/lib\/parley\/data$/m],
  },
  {
    told: ["sudo install -m 644 deploy/parley.service /etc/systemd/system/parley.service"],
    fill: ({ out }) => [
      ["sudo install ", "install -D "],
      ["/etc", `${out}/etc`],
    ],
    says: /^$/,
    leaves: ({ out }) => [
      `${out}/etc/systemd/system/parley.service`,
      /^EnvironmentFile=\/opt\/parley\/\.env$/m,
    ],
  },
  {
    told: ["sudo install -D -m 644 deploy/parley-user.conf /etc/systemd/system/parley.service.d/user.conf"],
    fill: ({ out }) => [
      ["sudo ", ""],
      ["/etc", `${out}/etc`],
    ],
    says: /^$/,
    leaves: ({ out }) => [`${out}/etc/systemd/system/parley.service.d/user.conf`, /^User=/m],
  },
  {
    told: ["sudo install -m 644 deploy/parley-launcher.apparmor /etc/apparmor.d/parley-launcher"],
    fill: ({ out }) => [
      ["sudo install ", "install -D "],
      ["/etc", `${out}/etc`],
    ],
    says: /^$/,
    leaves: ({ out }) => [`${out}/etc/apparmor.d/parley-launcher`, /userns/],
  },
  {
    told: ["npm run setup -- console --model demo --repos ."],
    says: /^Restart Parley, so that it reads the settings\.$/m,
    leaves: ({ clone }) => [`${clone}/.env`, /^PARLEY_MODEL=demo$/m],
  },
  {
    told: ["sudo npm run forget -- slack:U0123456789", "npm run forget -- PERSON"],
    fill: () => [
      ["sudo ", ""],
      ["slack:U0123456789", "console:operator"],
      ["PERSON", "console:operator"],
    ],
    says: /^Deleted: everything that console:operator/m,
  },
];
