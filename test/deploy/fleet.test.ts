/** deploy/fleet: three hosts that differ in their name and data alone, held as a single one is. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { readConfig } from "../../src/host/settings/config.ts";
import { root } from "../cli/host.ts";
import { scratch } from "../scratch.ts";

const read = (name: string): string => readFileSync(join(root, "deploy", name), "utf8");

const service = z.object({
  environment: z.record(z.string(), z.string()),
  volumes: z.tuple([z.string(), z.literal("shared:/shared")]),
  cap_add: z.array(z.string()),
  restart: z.literal("unless-stopped"),
});
const compose = z.object({ services: z.object({ one: service, two: service, three: service }) });
const alone = z.object({ services: z.object({ parley: z.object({ cap_add: z.array(z.string()) }) }) });

const probe = (path: string) =>
  z.object({ httpGet: z.object({ path: z.literal(path), port: z.literal("console") }) });
const workload = z.object({
  kind: z.literal("StatefulSet"),
  spec: z.object({
    replicas: z.literal(3),
    podManagementPolicy: z.literal("Parallel"),
    updateStrategy: z.object({ type: z.literal("OnDelete") }),
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({
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

it("three containers share a database and a directory, and each has a name and data of its own", () => {
  const { one, two, three } = compose.parse(parse(read("fleet/compose.yaml"), { merge: true })).services;
  for (const [name, host] of Object.entries({ one, two, three })) {
    expect(host.environment).toEqual({ ...one.environment, PARLEY_HOST_NAME: name });
    expect(host.volumes[0]).toBe(`${name}:/data`);
    expect(host.cap_add).toEqual(HELD);
    expect(readConfig(host.environment, scratch("fleet")).kind).toBe("config");
  }
});

it("of three pods only the active one is ready, and none waits for another to be", () => {
  const documents = parseAllDocuments(read("fleet/kubernetes.yaml"));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const [container] = workload.parse(documents.at(-1)?.toJS()).spec.template.spec.containers;
  expect(container.securityContext.capabilities.add).toEqual(HELD);
  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value ?? "parley-0"]));
  const database = { PARLEY_DATABASE: "postgres://parley@db.example.org/parley" };
  expect(readConfig({ ...env, ...database }, scratch("fleet")).kind).toBe("config");
});
