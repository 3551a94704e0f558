/** The browsers that are started: those of the distribution, unless the environment names others. */
export const CHROMIUM = process.env['FIRSTSCREEN_CHROMIUM'] ?? '/usr/bin/chromium';
export const FIREFOX = process.env['FIRSTSCREEN_FIREFOX'] ?? '/usr/bin/firefox-esr';
