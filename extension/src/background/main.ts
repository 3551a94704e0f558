/** The background script as it ships. */
import { startBackground } from './start.ts';

startBackground(() => Promise.resolve({ fixedLink: null, holdsAll: false }));
