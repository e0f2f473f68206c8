/** deploy/kubernetes.yaml gives what the compose file gives, and nothing of the cluster's stands in for a setting. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { readConfig } from "../../src/app/settings/config.ts";
import { root } from "../app/cli/host.ts";
import { scratch } from "../scratch.ts";

const probe = z.object({ httpGet: z.object({ path: z.literal("/healthz"), port: z.literal("console") }) });

const deployment = z.object({
  kind: z.literal("Deployment"),
  spec: z.object({
    replicas: z.literal(1),
    strategy: z.object({ type: z.literal("Recreate") }),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        enableServiceLinks: z.literal(false),
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            envFrom: z.tuple([z.object({ secretRef: z.object({ name: z.literal("parley") }) })]),
            env: z.array(z.object({ name: z.string(), value: z.string() })),
            ports: z.tuple([z.object({ name: z.literal("console"), containerPort: z.number() })]),
            startupProbe: probe,
            livenessProbe: probe,
            securityContext: z.object({
              runAsUser: z.literal(0),
              capabilities: z.object({ drop: z.tuple([z.literal("ALL")]), add: z.array(z.string()) }),
            }),
            volumeMounts: z.tuple([z.object({ name: z.literal("data"), mountPath: z.literal("/data") })]),
          }),
        ]),
        volumes: z.tuple([
          z.object({
            name: z.literal("data"),
            persistentVolumeClaim: z.object({ claimName: z.literal("parley") }),
          }),
        ]),
      }),
    }),
  }),
});

const claim = z.object({
  kind: z.literal("PersistentVolumeClaim"),
  metadata: z.object({ name: z.literal("parley") }),
});

const compose = z.object({
  services: z.object({
    parley: z.object({ environment: z.record(z.string(), z.string()), cap_add: z.array(z.string()) }),
  }),
});

const textOf = (name: string): string => readFileSync(join(root, "deploy", name), "utf8");

it("the manifest has the environment, the capabilities and the probes of the container", () => {
  const [volume, workload, ...more] = parseAllDocuments(textOf("kubernetes.yaml")).map((one) => {
    expect(one.errors).toEqual([]);
    return one.toJS();
  });
  expect(more).toEqual([]);
  claim.parse(volume);
  const { template, selector } = deployment.parse(workload).spec;
  expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  const [container] = template.spec.containers;
  const { environment, cap_add } = compose.parse(parse(textOf("compose.yaml"))).services.parley;
  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  expect(env).toEqual(environment);
  expect(container.ports[0].containerPort).toBe(Number(env["PARLEY_PORT"]));
  expect(container.securityContext.capabilities.add).toEqual(cap_add);
  // A Service called parley would set this one, hence enableServiceLinks: false.
  expect(readConfig({ ...env, PARLEY_PORT: "tcp://10.0.0.1:8787" }, scratch("kubernetes")).kind).toBe(
    "invalid",
  );
});
