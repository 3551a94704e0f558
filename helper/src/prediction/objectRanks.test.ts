import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { PageObject } from '../../../shared/src/page/objects.ts';
import { ObjectRanks } from './objectRanks.ts';

const IMAGE = ['Accept', 'image/avif,image/webp,*/*;q=0.8'];

const object = (url: string): PageObject => ({ id: 0, url, index: 0, placement: { state: 'unplaced' } });

describe('ObjectRanks', () => {
  it('an image is what its plan says, until another plan says otherwise', () => {
    const ranks = new ObjectRanks();
    expect(ranks.describe('http://a.test/x.jpg', IMAGE)).toMatchObject({ fetchClass: FetchClass.unplaced });
    ranks.planned([{ id: 7, rankClass: 2 }, { id: 8, rankClass: 0 }], (id) => (id === 7 ? object('http://a.test/x.jpg') : undefined));
    expect(ranks.describe('http://a.test/x.jpg', IMAGE)).toMatchObject({ fetchClass: FetchClass.offScreen, index: 0 });
    ranks.planned([{ id: 7, rankClass: 0 }], () => object('http://a.test/x.jpg'));
    expect(ranks.describe('http://a.test/x.jpg', IMAGE)).toMatchObject({ fetchClass: FetchClass.inView });
  });

  it.each([[['Accept', 'text/css,*/*;q=0.1']], [['Accept', '*/*']], [[]]])('what asks with %j is a layout file', (headers) => {
    expect(new ObjectRanks().describe('http://a.test/x', headers)).toMatchObject({ fetchClass: FetchClass.layout });
  });

  it('a destination counts more than what is accepted', () => {
    expect(new ObjectRanks().describe('http://a.test/x', ['Accept', '*/*', 'Sec-Fetch-Dest', 'image'])).toMatchObject({ fetchClass: FetchClass.unplaced });
  });

  it('expects what it has learnt', () => {
    const ranks = new ObjectRanks();
    const before = ranks.describe('http://a.test/x.jpg', IMAGE).bytes;
    for (let i = 0; i < 10; i += 1) ranks.answered('http://a.test/y.jpg', IMAGE, ['Content-Length', '80000']);
    expect(ranks.describe('http://a.test/x.jpg', IMAGE).bytes).toBeGreaterThan(before * 3);
  });

  it('requests of one kind go in the order of asking', () => {
    const ranks = new ObjectRanks();
    const [first, second] = [ranks.describe('http://a.test/1.css', []), ranks.describe('http://a.test/2.css', [])];
    expect(second.index).toBeGreaterThan(first.index);
  });
});
