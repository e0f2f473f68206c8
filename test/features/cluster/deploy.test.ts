/** deploy/fleet: three hosts that differ in their name and data alone, held as a single one is. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { DRAIN, HANDOVER } from "../../../src/runtime/bot/drain.ts";
import { readConfig, variables } from "../../../src/app/settings/config.ts";
import { clusterSettings } from "../../../src/features/cluster/settings/settings.ts";
import { root } from "../../app/cli/host.ts";
import { scratch } from "../../scratch.ts";

const read = (name: string): string => readFileSync(join(root, "deploy", name), "utf8");

/** What a container gets is a setting, or it would have no effect. */
const unknownIn = (env: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(env).filter((name) => !variables.includes(name));

/** Seconds that a host takes to end at most; whoever stops it gives it longer. */
const ENDS = (HANDOVER + DRAIN.whole) / 1_000;

/** One of them makes the image of all: Docker keeps no three of one name at a time. */
const build = z.object({ context: z.literal("../.."), dockerfile: z.literal("deploy/Dockerfile") });
const service = z.strictObject({
  image: z.literal("parley"),
  pull_policy: z.literal("never"),
  env_file: z.literal("../../.env"),
  init: z.literal(true),
  ulimits: z.object({ core: z.literal(0) }),
  cap_drop: z.tuple([z.literal("ALL")]),
  environment: z.record(z.string(), z.string()),
  secrets: z.tuple([z.string()]),
  depends_on: z.object({ database: z.object({ condition: z.literal("service_healthy") }) }),
  ports: z.tuple([z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)]),
  stop_grace_period: z.string().regex(/^\d+s$/),
  volumes: z.tuple([z.string(), z.literal("shared:/shared")]),
  cap_add: z.array(z.string()),
  restart: z.literal("unless-stopped"),
});
const compose = z.object({
  services: z.object({
    one: service.extend({ build }),
    two: service,
    three: service,
    database: z.object({
      image: z.string().regex(/^postgres:\d+$/),
      environment: z.object({ POSTGRES_USER: z.string(), POSTGRES_PASSWORD_FILE: z.string() }),
      healthcheck: z.object({
        // Not the socket: on that it answers while it is being made, too.
        test: z.tuple([
          z.literal("CMD"),
          z.literal("pg_isready"),
          z.literal("-h"),
          z.literal("127.0.0.1"),
          z.literal("-U"),
          z.string(),
        ]),
      }),
    }),
  }),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});
const alone = z.object({ services: z.object({ parley: z.object({ cap_add: z.array(z.string()) }) }) });

const probe = (path: string) =>
  z.object({
    httpGet: z.object({ path: z.literal(path), port: z.literal("console") }),
    periodSeconds: z.number(),
    failureThreshold: z.number().default(3),
  });
const mount = z.object({ name: z.string(), mountPath: z.string() });
const claim = z.object({ metadata: z.object({ name: z.string() }) });
const workload = z.object({
  kind: z.literal("StatefulSet"),
  spec: z.object({
    replicas: z.literal(3),
    podManagementPolicy: z.literal("Parallel"),
    updateStrategy: z.object({ type: z.literal("OnDelete") }),
    serviceName: z.string(),
    selector: z.object({ matchLabels: z.object({ app: z.string() }) }),
    volumeClaimTemplates: z.tuple([claim]),
    template: z.object({
      metadata: z.object({ labels: z.object({ app: z.string() }) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        volumes: z.array(
          z.object({ name: z.string(), persistentVolumeClaim: z.object({ claimName: z.string() }) }),
        ),
        containers: z.tuple([
          z.object({
            volumeMounts: z.array(mount),
            ports: z.tuple([z.object({ name: z.literal("console"), containerPort: z.number() })]),
            startupProbe: probe("/healthz"),
            env: z.array(z.object({ name: z.string(), value: z.string().optional() })),
            livenessProbe: probe("/healthz"),
            readinessProbe: probe("/readyz"),
            securityContext: z.object({ capabilities: z.object({ add: z.array(z.string()) }) }),
          }),
        ]),
      }),
    }),
  }),
});

const HELD = alone.parse(parse(read("compose.yaml"))).services.parley.cap_add;

const entry = z.looseObject({ kind: z.string(), metadata: z.object({ name: z.string() }) });
const budget = z.object({
  spec: z.strictObject({
    maxUnavailable: z.literal(1),
    // Else a machine with a pod that waits for older ones could never be drained.
    unhealthyPodEvictionPolicy: z.literal("AlwaysAllow"),
    selector: z.object({ matchLabels: z.object({ app: z.string() }) }),
  }),
});
const balancer = z.object({
  spec: z.object({
    selector: z.object({ app: z.string() }),
    ports: z.tuple([z.object({ port: z.number(), targetPort: z.literal("console") })]),
  }),
});

it("three containers share a database and a directory, and each has a name, a door and data of its own", () => {
  const { services, volumes, secrets } = compose.parse(parse(read("fleet/compose.yaml"), { merge: true }));
  const { one, two, three, database } = services;
  const doors = new Set<string>();
  for (const [name, host] of Object.entries({ one, two, three })) {
    const { PARLEY_PORT = "" } = host.environment;
    expect(host.environment).toEqual({ ...one.environment, PARLEY_HOST_NAME: name, PARLEY_PORT });
    expect(unknownIn(host.environment)).toEqual([]);
    expect(host.volumes[0]).toBe(`${name}:/data`);
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining([name, "shared"]));
    expect(host.cap_add).toEqual(HELD);
    expect(Number.parseInt(host.stop_grace_period, 10)).toBeGreaterThan(ENDS);
    // The links that it prints are opened outside of it.
    expect(host.ports).toEqual([`127.0.0.1:${PARLEY_PORT}:${PARLEY_PORT}`]);
    doors.add(PARLEY_PORT);
    const read = readConfig(host.environment, scratch("fleet"));
    if (read.kind === "invalid") throw new Error(read.problems.join());
    const { PARLEY_DATABASE, PARLEY_DATABASE_PASSWORD_FILE, PARLEY_SHARED_STORAGE } = clusterSettings.parse(
      host.environment,
    );
    const { PARLEY_DATA } = read.config;
    expect(Object.keys(services)).toContain(new URL(PARLEY_DATABASE ?? "").hostname);
    expect(new URL(PARLEY_DATABASE ?? "").username).toBe(database.environment.POSTGRES_USER);
    expect([PARLEY_DATABASE_PASSWORD_FILE, PARLEY_SHARED_STORAGE, PARLEY_DATA]).toEqual([
      `/run/secrets/${host.secrets[0]}`,
      "/shared",
      "/data",
    ]);
  }
  expect(doors.size).toBe(3);
  expect(Object.keys(secrets)).toEqual([...one.secrets]);
  expect(database.environment.POSTGRES_PASSWORD_FILE).toBe(`/run/secrets/${one.secrets[0]}`);
  expect(database.healthcheck.test[5]).toBe(database.environment.POSTGRES_USER);
  expect(Number(database.image.split(":")[1])).toBeGreaterThanOrEqual(15);
  const secret = join("deploy/fleet", secrets["database-password"]?.file ?? "");
  expect(read("Dockerfile.dockerignore").split("\n")).toContain(secret);
});

it("pods find their services, claims and settings, are ready once they work, wait for none, and have time to end", () => {
  const documents = parseAllDocuments(read("fleet/kubernetes.yaml"));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const entries = documents.map((one) => entry.parse(one.toJS()));
  const named = (kind: string): readonly string[] =>
    entries.flatMap((one) => (one.kind === kind ? [one.metadata.name] : []));
  const { spec } = workload.parse(documents.at(-1)?.toJS());
  const { labels } = spec.template.metadata;
  const pod = spec.template.spec;
  const [container] = pod.containers;
  expect(container.securityContext.capabilities.add).toEqual(HELD);
  expect(spec.selector.matchLabels).toEqual(labels);
  expect(named("Service")).toContain(spec.serviceName);
  for (const one of entries.filter(({ kind }) => kind === "Service")) {
    const { selector, ports } = balancer.parse(one).spec;
    expect([selector, ports[0].port]).toEqual([labels, container.ports[0].containerPort]);
  }
  const drained = budget.parse(entries.find(({ kind }) => kind === "PodDisruptionBudget"));
  expect(drained.spec.selector.matchLabels).toEqual(labels);
  const [shared] = pod.volumes;
  expect(named("PersistentVolumeClaim")).toEqual([shared?.persistentVolumeClaim.claimName]);
  expect(container.volumeMounts).toEqual([
    { name: spec.volumeClaimTemplates[0].metadata.name, mountPath: "/data" },
    { name: shared?.name, mountPath: "/shared" },
  ]);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(ENDS);
  const { periodSeconds, failureThreshold } = container.startupProbe;
  expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(60);

  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value ?? "parley-0"]));
  expect(unknownIn(env)).toEqual([]);
  expect(env["PARLEY_PORT"]).toBe(String(container.ports[0].containerPort));
  const database = { PARLEY_DATABASE: "postgres://parley@db.example.org/parley" };
  expect(readConfig({ ...env, ...database }, scratch("fleet"))).toMatchObject({
    kind: "config",
    config: { PARLEY_DATA: "/data" },
  });
  expect(clusterSettings.parse(env)).toMatchObject({ PARLEY_SHARED_STORAGE: "/shared" });
});
