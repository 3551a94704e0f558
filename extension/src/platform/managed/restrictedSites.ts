export { isWithoutContentScripts } from '../chromium/restrictedSites.ts';
