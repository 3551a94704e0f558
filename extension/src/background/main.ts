/** The background script as it ships. */
import { greetOnce } from './greeting.ts';
import { startBackground } from './start.ts';

// at the top level: the browser tells of the installation once, and only listeners of the first moment hear it
greetOnce();
startBackground(() => Promise.resolve({ fixedLink: null, holdsAll: false }));
