import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const DEPLOY = path.join(import.meta.dirname, '../../relay/deploy');
/** Where files lie that are copied together. */
const OTHERS = path.join(import.meta.dirname, '../../scripts/packages/relay');
const HAPROXY = '/usr/sbin/haproxy';
const read = (name: string): string => readFileSync(path.join(DEPLOY, name), 'utf8');

const Hardened = v.object({ read_only: v.literal(true), cap_drop: v.tuple([v.literal('ALL')]), security_opt: v.tuple([v.literal('no-new-privileges:true')]) });
const Service = v.object({ ...Hardened.entries, build: v.object({ dockerfile: v.string() }), volumes: v.optional(v.array(v.string()), []), ports: v.optional(v.array(v.string()), []), environment: v.optional(v.record(v.string(), v.string()), {}), command: v.array(v.string()) });
const Compose = v.object({ services: v.record(v.string(), Service), volumes: v.record(v.string(), v.unknown()) });

const Labels = v.record(v.string(), v.string());
const Port = v.object({ name: v.string() });
const Probe = v.object({ tcpSocket: v.object({ port: v.string() }) });
const Closed = v.object({ allowPrivilegeEscalation: v.literal(false), readOnlyRootFilesystem: v.literal(true), capabilities: v.object({ drop: v.tuple([v.literal('ALL')]) }) });
const Mounts = v.array(v.object({ name: v.string() }));
const Container = v.object({ ports: v.array(Port), readinessProbe: Probe, livenessProbe: v.optional(Probe), securityContext: Closed, volumeMounts: Mounts, env: v.optional(v.array(v.object({ name: v.string(), value: v.string() })), []) });
const Pods = v.object({
  kind: v.picklist(['StatefulSet', 'Deployment']),
  metadata: v.object({ name: v.string(), namespace: v.literal('firstscreen') }),
  spec: v.object({
    serviceName: v.optional(v.string()),
    replicas: v.optional(v.number(), 1),
    selector: v.object({ matchLabels: Labels }),
    template: v.object({
      metadata: v.object({ labels: Labels }),
      spec: v.object({
        securityContext: v.object({ runAsNonRoot: v.literal(true) }),
        containers: v.array(Container),
        volumes: v.optional(v.array(v.object({ name: v.string(), secret: v.optional(v.object({ secretName: v.string() })), configMap: v.optional(v.object({ name: v.string() })) })), []),
      }),
    }),
    volumeClaimTemplates: v.optional(v.array(v.object({ metadata: v.object({ name: v.string() }) })), []),
  }),
});
const Selecting = v.object({ kind: v.literal('Service'), metadata: v.object({ name: v.string(), namespace: v.literal('firstscreen') }), spec: v.object({ selector: Labels }) });

const manifests = (): unknown[] => parseAllDocuments(read('kubernetes.yaml')).map((document) => {
  expect(document.errors).toEqual([]);
  return document.toJS() as unknown;
});
const podsOf = (all: readonly unknown[]) => all.filter((each) => v.is(v.looseObject({ kind: v.picklist(['StatefulSet', 'Deployment']) }), each)).map((each) => v.parse(Pods, each));

describe('haproxy.cfg', () => {
  it('is what HAProxy takes', (context) => {
    if (!existsSync(HAPROXY)) context.skip("needs Debian's haproxy");
    const env = { HAPROXY_BIND: '127.0.0.1:4433', RELAY_A: '127.0.0.2:4433', RELAY_B: '127.0.0.3:4433' };
    expect(() => execFileSync(HAPROXY, ['-c', '-f', path.join(DEPLOY, 'haproxy.cfg')], { env, stdio: 'pipe' })).not.toThrow();
  });
});

describe('compose.yaml', () => {
  const { services, volumes } = v.parse(Compose, parse(read('compose.yaml')));

  it('is built from files that there are, and uses volumes that it names', () => {
    for (const { build, volumes: used } of Object.values(services)) {
      expect([DEPLOY, OTHERS].some((folder) => existsSync(path.join(folder, build.dockerfile)))).toBe(true);
      for (const volume of used) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
    }
  });

  it('lets helpers in by HAProxy alone, which knows its relays', () => {
    expect(Object.entries(services).filter(([, { ports }]) => ports.length > 0).map(([name]) => name)).toEqual(['haproxy']);
    const { RELAY_A = '', RELAY_B = '' } = services['haproxy']?.environment ?? {};
    for (const relay of [RELAY_A, RELAY_B]) expect(services[relay.split(':')[0] ?? '']?.command.join(' ')).toContain('firstscreen-relay serve');
    expect(RELAY_A).not.toBe(RELAY_B);
  });
});

describe('kubernetes.yaml', () => {
  const all = manifests();

  it('has pods that are closed, found by their services, and asked where they answer', () => {
    const pods = podsOf(all);
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(['relay', 'haproxy', 'redis']);
    for (const { metadata, spec } of pods) {
      const { labels } = spec.template.metadata;
      expect(spec.selector.matchLabels).toEqual(labels);
      expect(all.some((each) => v.is(Selecting, each) && each.metadata.name === (spec.serviceName ?? metadata.name) && each.spec.selector['app'] === labels['app'])).toBe(true);
      for (const { ports, readinessProbe, livenessProbe } of spec.template.spec.containers) for (const probe of [readinessProbe, livenessProbe ?? readinessProbe]) expect(ports.map(({ name }) => name)).toContain(probe.tcpSocket.port);
    }
  });

  it('mounts what is there, or what its first lines say to create', () => {
    const created = read('kubernetes.yaml').split('\n').flatMap((line) => /^# +kubectl .*create (?:secret generic|configmap) (\S+)/.exec(line)?.[1] ?? []);
    for (const { spec } of podsOf(all)) {
      const names = [...spec.template.spec.volumes.map(({ name }) => name), ...spec.volumeClaimTemplates.map(({ metadata }) => metadata.name)];
      for (const { volumeMounts } of spec.template.spec.containers) for (const { name } of volumeMounts) expect(names).toContain(name);
      for (const { secret, configMap } of spec.template.spec.volumes) for (const name of [secret?.secretName, configMap?.name]) if (name !== undefined) expect(created).toContain(name);
    }
  });

  it('names to HAProxy the relays that there are, by all that haproxy.cfg asks for', () => {
    const [relay, haproxy] = podsOf(all);
    const env = Object.fromEntries(haproxy?.spec.template.spec.containers[0]?.env.map(({ name, value }) => [name, value]) ?? []);
    expect(Object.keys(env).toSorted()).toEqual([...new Set([...read('haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))].toSorted());
    // HAProxy asks for no name with the search domains of a pod: of one that is not whole it hears that there is none, and takes the relay away after half a minute
    const places = Array.from({ length: relay?.spec.replicas ?? 0 }, (_, n) => `relay-${n}.${relay?.spec.serviceName}.${relay?.metadata.namespace}.svc.cluster.local:4433`);
    expect([env['RELAY_A'], env['RELAY_B']]).toEqual(places);
  });
});

describe('a relay by itself', () => {
  const dist = (name: string): string => readFileSync(path.join(import.meta.dirname, '../../dist', name), 'utf8');

  it('has nothing of the libraries of stores in its program, but beside it', () => {
    const libraries = ['S3Client', 'ioredis'];
    expect(libraries.filter((name) => dist('relay/firstscreen-relay.mjs').includes(name))).toEqual([]);
    expect(libraries.filter((name) => dist('node_modules/firstscreen-relay-store/index.js').includes(name))).toEqual(libraries);
  });
});
