/** Makes the systems that tests of packages copy, before these tests: most of it is waiting and unpacking, beside which other tests run. */
import process from 'node:process';
import { SERVER, SUITES, makeDebian } from './debians.ts';

if (process.getuid?.() === 0) await Promise.all([...SUITES.map((suite) => makeDebian(suite)), makeDebian('bookworm', SERVER)]);
