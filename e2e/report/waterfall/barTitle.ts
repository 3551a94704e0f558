import type { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { NamedBy, WaitReason } from '../../../shared/src/requests/requestEvent.ts';
import type { RequestWay } from '../../../shared/src/requests/requestWays.ts';
import { formatBytes, formatMs } from '../format.ts';
import type { Bar, ObjectRole } from './lanes.ts';

const ROLES: Readonly<Record<ObjectRole, string>> = { layout: 'layout file', inView: 'in view', other: 'not in the first screen' };
const CLASSES: Readonly<Record<FetchClass, string>> = { 0: 'layout file', 1: 'in view', 2: 'place unknown', 3: 'off screen', 4: 'not displayed' };
const NAMERS: Readonly<Record<NamedBy, string>> = { document: 'the document', styleSheet: 'a style sheet', memory: 'the memory', browser: 'the browser, before it asked' };
const WAITS: Readonly<Record<WaitReason, string>> = { connection: 'a connection', slot: 'its server\'s connections', collecting: 'others to be dealt with', order: 'what is more urgent' };
/** Paths of some objects are as long as a document. */
const MAX_URL = 120;

/** What the pointer is told of a request. Queries of recorded pages identify their visitors, and stay out. */
export function barTitle({ served, way, role, startMs, firstByteMs, endMs, stops }: Bar): string {
  const [url = ''] = served.url.split('?', 1);
  const head = `${url.length > MAX_URL ? `${url.slice(0, MAX_URL)}…` : url}\n${served.status}, ${formatBytes(served.bodyBytes)}, ${ROLES[role]}`;
  const steps = way === null ? [`server got it ${formatMs(startMs)}`] : beforeSent(way);
  const after = [
    ...(firstByteMs === null ? [] : [`first byte ${formatMs(firstByteMs)}`]),
    ...stops.map(({ fromMs, toMs }) => `stopped ${formatMs(fromMs)} to ${formatMs(toMs)}`),
    `delivered ${formatMs(served.arrivalMs === null ? null : endMs)}`,
    ...ending(way),
  ];
  return [head, ...steps, after.join(', ')].join('\n');
}

function ending(way: RequestWay | null): string[] {
  if (way === null || way.ending === null || way.endClass === null) return [];
  return [`${way.ending} as ${CLASSES[way.endClass]}`];
}

function beforeSent({ namedBy, namedMs, wasDeferred, foreseenMs, askedMs, ranks, waits, sentMs, sentClass, headMs }: RequestWay): string[] {
  const known = [
    ...(namedBy === null ? [] : [`named by ${NAMERS[namedBy]} ${formatMs(namedMs)}`]),
    ...(wasDeferred ? ['waited for the browser to ask its origin'] : []),
    ...(foreseenMs === null ? [] : [`asked ahead ${formatMs(foreseenMs)}`]),
    askedMs === null ? 'never asked for by the browser' : `browser asked ${formatMs(askedMs)}`,
  ];
  const sent = [...waits.map(({ fromMs, reason }) => `waited for ${WAITS[reason]} ${formatMs(fromMs)}`), `sent ${formatMs(sentMs)}${sentClass === null ? '' : ` as ${CLASSES[sentClass]}`}`, `answer began ${formatMs(headMs)}`];
  const places = ranks.map(({ atMs, fetchClass }) => `${CLASSES[fetchClass]} ${formatMs(atMs)}`);
  return [known.join(', '), ...(places.length === 0 ? [] : [places.join(', ')]), sent.join(', ')];
}
