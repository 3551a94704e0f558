import { option, QUICK, seed, whole, withQuick, type OptionsOf } from '../../commandOptions.ts';
import { wholeNumber } from '../../optionValues.ts';

const FULL = { users: '25,50,100,200,400', seconds: 60, think: 20 };
const LESS: typeof FULL = { users: '2,5', seconds: 3, think: 1 };

const table = (usual: typeof FULL) => ({
  users: option('users A,B,...', 'users at once, one step each', usual.users, (text, name) => text.split(',').map((users) => wholeNumber(name, users.trim(), 1, 10_000))),
  seconds: whole('seconds N', 'of each step', usual.seconds, 1, 3_600),
  thinkSeconds: whole('think N', 'seconds from one page of a user to the next, in the mean', usual.think, 1, 3_600),
  relays: whole('relays N', '1, or 2 of one key behind HAProxy', 1, 1, 2),
  seed: seed('sizes of objects, and when pages come'),
  quick: QUICK,
});

export type LoadOptions = OptionsOf<ReturnType<typeof table>>;

export const OPTIONS = withQuick('bench:relay', 'How many users a relay serves, what it adds, its memory a user.', FULL, LESS, table);
