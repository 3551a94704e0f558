import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { ObjectRanks } from './objectRanks.ts';

const IMAGE = ['Accept', 'image/avif,image/webp,*/*;q=0.8'];

describe('ObjectRanks', () => {
  it('an image is where its page has it, until the page says otherwise', () => {
    const ranks = new ObjectRanks();
    expect(ranks.describe('http://a.test/x.jpg', IMAGE)).toMatchObject({ fetchClass: FetchClass.unplaced });
    ranks.ranked([{ url: 'http://a.test/x.jpg', rankClass: 2, order: 3, pixels: null }]);
    expect(ranks.describe('http://a.test/x.jpg', IMAGE)).toMatchObject({ fetchClass: FetchClass.offScreen, index: 3 });
    ranks.ranked([{ url: 'http://a.test/x.jpg', rankClass: 0, order: 0, pixels: 400 }]);
    expect(ranks.describe('http://a.test/x.jpg', IMAGE)).toMatchObject({ fetchClass: FetchClass.inView });
  });

  it.each([[['Accept', 'text/css,*/*;q=0.1']], [['Accept', '*/*']], [[]]])('what asks with %j is a layout file', (headers) => {
    expect(new ObjectRanks().describe('http://a.test/x', headers)).toMatchObject({ fetchClass: FetchClass.layout });
  });

  it.each([['Sec-Purpose', 'prefetch'], ['Sec-Purpose', 'prefetch;anonymous-client-ip'], ['Purpose', 'prefetch']])('what is fetched for another page comes last: %s: %s', (name, value) => {
    expect(new ObjectRanks().describe('https://a.test/x.js', ['Accept', '*/*', name, value])).toMatchObject({ fetchClass: FetchClass.undisplayed });
  });

  it('a destination counts more than what is accepted', () => {
    expect(new ObjectRanks().describe('http://a.test/x', ['Accept', '*/*', 'Sec-Fetch-Dest', 'image'])).toMatchObject({ fetchClass: FetchClass.unplaced });
  });

  it('what a style sheet names is in view: a browser asks for it when a box is drawn with it', () => {
    const ranks = new ObjectRanks();
    ranks.describe('https://a.test/x.css', ['Sec-Fetch-Dest', 'style']);
    expect(ranks.describe('https://a.test/sprite.png', [...IMAGE, 'Referer', 'https://a.test/x.css'])).toMatchObject({ fetchClass: FetchClass.inView });
    expect(ranks.describe('https://a.test/photo.jpg', [...IMAGE, 'Referer', 'https://a.test/'])).toMatchObject({ fetchClass: FetchClass.unplaced });
  });

  it('expects what it has learnt', () => {
    const ranks = new ObjectRanks();
    const before = ranks.describe('http://a.test/x.jpg', IMAGE).bytes;
    for (let i = 0; i < 10; i += 1) ranks.answered('http://a.test/y.jpg', IMAGE, ['Content-Length', '80000']);
    expect(ranks.describe('http://a.test/x.jpg', IMAGE).bytes).toBeGreaterThan(before * 3);
  });

  it('expects of a ranked image what it has learnt since its rank was told', () => {
    const ranks = new ObjectRanks();
    ranks.ranked([{ url: 'http://a.test/x.jpg', rankClass: 0, order: 0, pixels: 40_000 }]);
    const before = ranks.describe('http://a.test/x.jpg', IMAGE).bytes;
    for (let i = 0; i < 10; i += 1) ranks.answered('http://a.test/y.jpg', IMAGE, ['Content-Length', '80000']);
    expect(ranks.describe('http://a.test/x.jpg', IMAGE).bytes).toBeGreaterThan(before * 1.5);
  });

  it('requests of one kind go in the order of asking', () => {
    const ranks = new ObjectRanks();
    const [first, second] = [ranks.describe('http://a.test/1.css', []), ranks.describe('http://a.test/2.css', [])];
    expect(second.index).toBeGreaterThan(first.index);
  });
});
