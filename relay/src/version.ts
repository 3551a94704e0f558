/** The relay's release; the same as the package's (version.test.ts). A constant, because the bundle has no package.json beside it. */
export const RELAY_RELEASE = '0.1.0';
