const KINDS = [
  { type: 'stylesheet', mimeType: 'text/css', ending: 'css' },
  { type: 'script', mimeType: 'text/javascript', ending: 'js' },
  { type: 'image', mimeType: 'image/jpeg', ending: 'jpg' },
  { type: 'image', mimeType: 'image/webp', ending: 'webp' },
] as const;
const SERVERS = 12;
const CONNECTIONS = 6;
const STEP_MS = 6;

/** An entry of HAR 1.2 as Chromium's developer tools tell it. */
export interface TestEntry {
  readonly startedDateTime: string;
  readonly request: { readonly url: string };
}

/** The requests of a large page: a document, and objects of several kinds from several servers on several connections, the n-th some milliseconds after the one before. */
export function harEntries(count: number, startMs: number): TestEntry[] {
  return Array.from({ length: count }, (_, place) => harEntry(place, startMs));
}

export function harEntry(place: number, startMs: number): TestEntry {
  const kind = KINDS[place % KINDS.length] ?? KINDS[0];
  const server = place % SERVERS;
  const timings = { blocked: place % 40, dns: -1, connect: place < SERVERS * CONNECTIONS ? 60 : -1, ssl: place < SERVERS * CONNECTIONS ? 30 : -1, send: 1, wait: 40 + (place % 100), receive: 10 + ((place * 7) % 300) };
  const time = Object.entries(timings).reduce((sum, [name, ms]) => sum + (name === 'ssl' ? 0 : Math.max(0, ms)), 0);
  const isDocument = place === 0;
  const entry = {
    startedDateTime: new Date(startMs + place * STEP_MS).toISOString(),
    time,
    request: { method: 'GET', url: isDocument ? 'https://s0.test/' : `https://s${server}.test/objects/${place}.${kind.ending}?size=${place}`, httpVersion: 'h2', cookies: [], headers: [], queryString: [], headersSize: -1, bodySize: 0 },
    response: {
      status: 200, statusText: '', httpVersion: 'h2', cookies: [], headers: [], redirectURL: '', headersSize: -1, bodySize: -1, _transferSize: 2_000 + ((place * 137) % 60_000),
      content: { size: 2_000 + ((place * 137) % 60_000), mimeType: isDocument ? 'text/html' : kind.mimeType },
    },
    cache: {},
    timings,
    connection: String(1 + server * CONNECTIONS + (Math.floor(place / SERVERS) % CONNECTIONS)),
    _resourceType: isDocument ? 'document' : kind.type,
  };
  return entry;
}
