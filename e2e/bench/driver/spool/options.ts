import { choices, commandOptions, congestion, LINK, losses, option, parallel, profile, rounds, seed, whole, type OptionsOf } from '../../commandOptions.ts';
import { receiveBuffers } from '../../optionValues.ts';
import { PATTERNS } from './plan.ts';

const TABLE = {
  profile: profile('sat'),
  link: LINK,
  losses: losses('0.03,0'),
  congestion: congestion('bbr,cubic'),
  patterns: choices('patterns A,B,C', 'steady; halts: reads for 6 s, stops for 20 s, then takes all; on-off: reads for 2 s, stops for 6 s, in turns', PATTERNS),
  receiveBuffers: option('receive-buffers A,B', 'what the program asks for (SO_RCVBUF), in bytes; default: nothing, TCP tunes it', 'default,65536', (text, name) => receiveBuffers(name, text)),
  bytes: whole('bytes N', 'that it reads', 2_000_000, 1, 1_000_000_000),
  rounds: rounds(5),
  parallel: parallel(4),
  seed: seed('losses of the link, order, bootstrap'),
};

export type SpoolOptions = OptionsOf<typeof TABLE>;

export const OPTIONS = commandOptions('bench:driver -- spool', "As root. IB for any program (A3, section 3.4): a program that does not read all the time, stock and led into the helper's spool.", TABLE);
