/** The helper's release; the same as the package's (version.test.ts). A constant, because the installed bundle has no package.json beside it. */
export const HELPER_VERSION = '0.1.0';
