import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkNow } from '../messages/status.ts';
import { STATUS } from '../messages/testing.ts';
import { Sites } from '../settings/sites.ts';
import { shippedTexts } from '../ui/testing.ts';
import { describePage, linkText, type Description, type Tone } from './describe.ts';
import { factsOf, situationOf, type PageNow } from './situation.ts';
import { gateless, PAGE, SITUATIONS, withStatus } from './testing.ts';

/** What the popup says is read as people read it. */
beforeEach(() => vi.stubGlobal('chrome', { i18n: shippedTexts('en') }));

/** What comes after the headline; none of it where a row says nothing. */
type Next = Partial<Pick<Description, 'command' | 'offer' | 'canGoWithout'>>;

/** Firefox, and Chromium by policy, have a gate. */
const ROWS: readonly (readonly [situation: string, now: PageNow, tone: Tone, headline: string, detail: RegExp, next?: Next])[] = [
  ['switched off', { ...PAGE, enabled: false }, 'off', 'Off', /as they do without/],
  ['switched off, whatever else', { ...PAGE, enabled: false, hasAccess: false, isClosed: true, status: null }, 'off', 'Off', /as they do without/],
  ['no access to sites, and so no word of the page', { ...PAGE, hasAccess: false, isClosed: true }, 'fault', 'No access to websites', /Until you allow it/, { offer: 'access' }],
  ['a page of the browser', { ...PAGE, isClosed: true }, 'aside', 'Not on this page', /no extension/],
  ['off for the site', { ...PAGE, isOffHere: true }, 'off', 'Off for this site', /from the next load/],
  ['loaded once without', withStatus({ isWithout: true, held: 3 }), 'off', 'Loaded without Firstscreen, this once', /look right\?.*another one/, { offer: 'offHere' }],
  ['loaded without, to compare', withStatus({ isComparing: true, held: 3 }), 'aside', 'Without Firstscreen for a moment', /one in ten.*again/],
  ['no gate, loaded without, to compare', gateless({ isComparing: true, connections: 'paused' }), 'aside', 'Without Firstscreen for a moment', /one in ten.*again/],
  ['the background script does not answer yet', { ...PAGE, status: null }, 'aside', 'Starting', /^$/],
  ['a fast link', withStatus({ isLinkFast: true }), 'aside', 'Not needed now', /Your connection is fast/, { canGoWithout: true }],
  ['a fast link, after images were held', withStatus({ isLinkFast: true, held: 3 }), 'aside', 'Not needed now', /Your connection is fast/, { canGoWithout: true }],
  ['images are held', withStatus({ held: 48, released: 20, inView: 12 }), 'working', 'Working on this page', /^Images held: 48\. Let go in view: 12, elsewhere: 8\. Waiting: 28\.$/, { canGoWithout: true }],
  ['images are held in a private window', withStatus({ held: 1, released: 1, inView: 1 }, { isPrivate: true }), 'working', 'Working on this page', /Waiting: 0\. The helper has no part/, { canGoWithout: true }],
  ['images are held, and the helper carries requests', withStatus({ held: 2, connections: 'intercepted' }, { connections: true }), 'working', 'Working on this page', /Images held: 2/, { canGoWithout: true }],
  ['nothing had to wait', PAGE, 'working', 'Ready', /Nothing on this page has to wait/, { canGoWithout: true }],
  ['nothing had to wait, and there is no helper, which is optional', withStatus({ helper: 'absent', connections: 'noHelper', memory: 'noHelper', nextPage: 'noHelper' }), 'working', 'Ready', /Nothing on this page has to wait/, { canGoWithout: true }],
  ['nothing had to wait, on a device without helpers', withStatus({ helper: 'notHere', connections: 'notHere', memory: 'notHere', nextPage: 'notHere' }), 'working', 'Ready', /Nothing on this page has to wait/, { canGoWithout: true }],
  ['nothing had to wait, while another proxy is set', withStatus({ connections: 'otherProxy' }, { connections: true }), 'working', 'Ready', /Nothing on this page has to wait/, { canGoWithout: true }],
  ['a service worker of the page answers', withStatus({ isAnsweredByWorker: true }), 'aside', 'Stands aside on this page', /service worker/, { canGoWithout: true }],
  ['the helper opens encrypted connections', withStatus({ connections: 'intercepted' }, { connections: true }), 'working', 'The helper puts requests in order', /in view goes first/, { canGoWithout: true }],
  ['the same, for a private window', withStatus({ connections: 'intercepted' }, { connections: true, isPrivate: true }), 'working', 'Ready', /The helper has no part/, { canGoWithout: true }],
  ['no gate, the helper opens encrypted connections', gateless({ connections: 'intercepted' }), 'working', 'The helper puts requests in order', /in view goes first/, { canGoWithout: true }],
  ['no gate, encrypted connections closed to the helper', gateless({ connections: 'tunnel' }), 'working', 'The helper puts plain requests in order', /stay closed/, { canGoWithout: true }],
  ['no gate, private window', gateless({ connections: 'intercepted' }, { isPrivate: true }), 'aside', 'Stands aside on this page', /private windows/],
  ['no gate, connections not switched on', gateless({}, { connections: false }), 'aside', 'Nothing is put in order', /switch them on/],
  ['no gate, the helper is being looked for', gateless({ helper: 'connecting', connections: 'noHelper' }), 'aside', 'Looking for the helper', /^$/],
  ['no gate, no helper', gateless({ helper: 'absent', connections: 'noHelper' }, { connections: false }), 'fault', 'In this browser Firstscreen needs its helper', /Without it/, { offer: 'setUp' }],
  ['no gate, no helper, connections switched on', gateless({ helper: 'absent', connections: 'noHelper' }), 'fault', 'In this browser Firstscreen needs its helper', /Without it/, { offer: 'setUp' }],
  ['no gate, no helper for this device', gateless({ helper: 'notHere', connections: 'notHere' }), 'aside', 'Nothing is put in order', /no helper for this device.*relay/],
  ['no gate, too old a helper', gateless({ connections: 'oldHelper' }), 'fault', 'The helper is too old', /same release/],
  ['no gate, another proxy or a policy', gateless({ connections: 'otherProxy' }), 'aside', 'Stands aside on this page', /a policy or another extension has set a proxy/],
  ['no gate, the helper did not take the requests', gateless({ connections: 'helperRefused' }), 'fault', 'The helper did not take the requests', /proxy on this machine/, { command: 'firstscreen-helper doctor' }],
  ['no gate, the browser refused', gateless({ connections: 'browserRefused' }), 'fault', 'The browser did not let Firstscreen work', /Start the browser anew/],
  ['no gate, connections being set up', gateless({ connections: 'browser' }), 'aside', 'Starting', /^$/],
  ['no gate, a link that has become fast', gateless({ connections: 'notNeeded' }), 'aside', 'Not needed now', /Your connection is fast/, { canGoWithout: true }],
  ['no gate, no helper, another page is loaded without the relay', gateless({ helper: 'absent', connections: 'noHelper', relay: 'paused' }, { connections: false }), 'aside', 'Paused', /two minutes at most/],
  ['no gate, another page is loaded without', gateless({ connections: 'paused' }), 'aside', 'Paused', /two minutes at most/],
];

describe('what is said of a page', () => {
  it.each(ROWS.map(([situation, now, tone, headline, detail, next = {}]) => [situation, now, tone, headline, detail, next] as const))('%s', (_, now, tone, headline, detail, { command = null, offer = null, canGoWithout = false }) => {
    expect(describePage(now)).toEqual({ tone, headline, detail: expect.stringMatching(detail) as string, command, offer, canGoWithout });
  });

  it.each(Object.entries(SITUATIONS))('the page that stands for %s is in that situation', (situation, now) => expect(situationOf(now)).toBe(situation));

  it('names a next step wherever something is at fault', () => {
    const faults = ROWS.map(([, now]) => describePage(now)).filter(({ tone }) => tone === 'fault');
    expect(faults.length).toBeGreaterThan(0);
    for (const { headline, detail, command, offer } of faults) expect([headline, command ?? offer ?? detail]).not.toEqual([headline, '']);
  });
});

it.each([
  ['a page of the web', 'https://a.test/', { isClosed: false, isOffHere: false }],
  ['a page of a site that is off', 'https://www.off.test/news', { isClosed: false, isOffHere: true }],
  ['a page of the browser', 'chrome://settings/', { isClosed: true, isOffHere: false }],
  ['a file', 'file:///tmp/a.html', { isClosed: true, isOffHere: false }],
  ['a page that the browser does not tell of', undefined, { isClosed: true, isOffHere: false }],
  ['a store for extensions', 'https://store.test/', { isClosed: true, isOffHere: false }],
])('the address of %s tells so', (_, url, facts) => {
  expect(factsOf(url, Sites.NONE.switched('off.test', true), (each) => each.startsWith('https://store.test'))).toEqual(facts);
});

it.each([
  ['measured', { isRateMeasured: true, isRttMeasured: true }, 'Link: 1.6 Mb/s, round trip 150 ms'],
  ['assumed', { isRateMeasured: false, isRttMeasured: false }, 'Link: 1.6 Mb/s (assumed), round trip 150 ms (assumed)'],
  ['known by its round trip alone', { isRateMeasured: false, isRttMeasured: true }, 'Link: 1.6 Mb/s (assumed), round trip 150 ms'],
  ['so fast that pages do not fill it', { isRateMeasured: true, isRttMeasured: true, isFast: true }, 'Link: 1.6 Mb/s or more, round trip 150 ms'],
  ['taken to be fast', { isRateMeasured: false, isRttMeasured: true, isFast: true }, 'Link: 1.6 Mb/s (assumed), round trip 150 ms'],
])('the link is said to be %s', (_, { isFast = false, ...change }: Partial<LinkNow> & { readonly isFast?: boolean }, text) => {
  expect(linkText({ link: { ...STATUS.link, ...change }, isLinkFast: isFast })).toBe(text);
});

it('what the data saver has left is not said to wait, and is said on a fast link, too', () => {
  const now = withStatus({ held: 48, released: 20, inView: 12, left: 20, isLinkFast: true });
  expect(describePage(now).detail).toBe('Images held: 48. Let go in view: 12, elsewhere: 8. Waiting: 8. Left until you scroll to them: 20.');
});
