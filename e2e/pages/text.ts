import { type Random } from './random.ts';

/** Everything here is invented: places, people, papers and shops. */

export interface Story {
  readonly desk: string;
  readonly headline: string;
  readonly summary: string;
}

export const DESKS = ['Region', 'Business', 'Science', 'Culture', 'Sport', 'Travel', 'Food', 'Opinion'] as const;

const PLACES = ['Marnholm', 'Eastferry', 'the Skarn valley', 'Little Orvik', 'Tessel Bay', 'Upper Lindow', 'Port Ansel', 'the outer islands'];

const LEADS: readonly (readonly [headline: string, summary: string])[] = [
  ['Night ferries return to the islands after eleven winters', 'The first boat left with four hundred passengers, a brass band and a hold full of seed potatoes.'],
  ['The valley that decided to keep its river wild', 'Three villages gave up a dam, and found what a moving river is worth.'],
  ['A harbour learns to live with the tide again', 'Engineers opened the old sluice at dawn. By noon the herons were back.'],
  ['How a small press printed the dictionary nobody had asked for', 'Nine editors, forty thousand words, and a dialect that was said to be gone.'],
  ['The last lighthouse keeper hands over the keys', 'After thirty-one years on the rock, her log book runs to ninety volumes.'],
  ['Snow came early, and with it the slow trains', 'Passengers share tea and timetables as the mountain line runs at half speed.'],
];

const SUBJECTS: readonly string[] = ['Council', 'Fishing fleet', 'University team', 'Orchestra', 'Farmers’ market', 'Night bus', 'Old mill', 'School kitchen', 'Botanical garden', 'Bicycle workshop', 'Choir festival', 'Mountain rescue', 'Public library', 'Glass factory', 'Football club', 'Tram line'];
const PREDICATES: readonly string[] = ['opens its doors in', 'finds a second life in', 'wins over', 'returns to', 'looks for volunteers in', 'divides opinion in', 'celebrates a hundred years in', 'plans a bridge to', 'settles a long dispute in', 'moves into the old station at'];
const SUMMARIES: readonly string[] = [
  'Work begins in spring, and half of the money is already there.',
  'Residents spoke for three hours and agreed on one thing: the lindens stay.',
  'What began as a bet between neighbours now feeds six hundred.',
  'A survey of the coast shows more seals than at any time since records began.',
  'The plans are smaller than promised, and better for it.',
  'Tickets were gone in an hour; a second evening has been added.',
  'Experts call it modest. The people who live there call it overdue.',
  'A quiet season ends with an unexpected guest.',
];

/** Stories without repetition, the most important first. */
export function writeStories(random: Random, count: number): Story[] {
  const composed = random.shuffled(SUBJECTS.flatMap((subject) => PREDICATES.map((predicate) => `${subject} ${predicate}`)));
  const leads = random.shuffled(LEADS);
  return Array.from({ length: count }, (_, index) => {
    const desk = DESKS[index % DESKS.length] ?? DESKS[0];
    const lead = leads[index];
    if (lead !== undefined) return { desk, headline: lead[0], summary: lead[1] };
    const start = composed[index % composed.length] ?? '';
    return { desk, headline: `${start} ${random.pick(PLACES)}`, summary: random.pick(SUMMARIES) };
  });
}

export const PEOPLE = ['Ada Lindqvist', 'Jonas Hale', 'Mirela Dobre', 'Tom Okafor', 'Sanna Virtanen', 'Idris Vale', 'Clara Benoit', 'Peder Moe'] as const;

const LIGHTS = ['First light', 'Blue hour', 'Low sun', 'After rain', 'Still morning', 'Winter noon', 'Long dusk', 'Before the storm'];

export function nameOfPicture(random: Random): string {
  return `${random.pick(LIGHTS)}, ${random.pick(PLACES)}`;
}

const MATERIALS = ['Stoneware', 'Oak', 'Linen', 'Hand-thrown', 'Brushed', 'Weathered', 'Speckled', 'Tall', 'Small', 'Everyday'];

export function nameOfProduct(random: Random, form: string): string {
  return `${random.pick(MATERIALS)} ${form}`;
}
