/** What a browser of the bench is started with. Every scheme gets the same; only the extension differs. */
export interface BrowserSetup {
  readonly userDataDir: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Base64 SHA-256 of the public key of the test authority; trusted instead of a certificate store. */
  readonly caSpki: string;
  /** Chromium's sandbox refuses to start as root. By default as this process is. */
  readonly asRoot?: boolean;
  /** Whether what a policy installs is there; a stock browser has no extension. */
  readonly hasExtension: boolean;
  /** Installing by policy is background networking to Chromium, also from a file. */
  readonly backgroundNetworking?: boolean;
  /** Beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Features off, in one switch because the last one wins.
 * Upgrades to HTTPS would change how a page was recorded; the others call home over the measured link at start.
 */
const DISABLED_FEATURES = [
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'DestroyProfileOnBrowserClose',
  'MediaRouter',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'Translate',
  // Holds the old page's picture back after a navigation, which would blur when the first paint was.
  'PaintHolding',
];

/** Chromium's command line for one load. */
export function chromiumSwitches(setup: BrowserSetup): string[] {
  const { width, height } = setup.viewport;
  return [
    '--remote-debugging-pipe',
    `--user-data-dir=${setup.userDataDir}`,
    `--window-size=${width},${height}`,
    `--ignore-certificate-errors-spki-list=${setup.caSpki}`,
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    '--enable-features=SkipListAccountsWithoutGaiaCookies',
    '--disable-field-trial-config',
    '--disable-gpu',
    '--disable-quic',
    ...(setup.backgroundNetworking ? [] : ['--disable-background-networking']),
    '--disable-component-update',
    '--disable-component-extensions-with-background-pages',
    '--disable-default-apps',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-dev-shm-usage',
    '--disable-hang-monitor',
    '--disable-infobars',
    '--disable-prompt-on-repost',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
    '--disable-background-timer-throttling',
    '--disable-search-engine-choice-screen',
    '--force-color-profile=srgb',
    '--hide-scrollbars',
    '--metrics-recording-only',
    '--mute-audio',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-service-autorun',
    '--password-store=basic',
    '--use-mock-keychain',
    '--headless=new',
    ...((setup.asRoot ?? process.getuid?.() === 0) ? ['--no-sandbox'] : []),
    ...(setup.hasExtension ? [] : ['--disable-extensions']),
    'about:blank',
  ];
}
