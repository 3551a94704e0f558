/** What the background script answers to `status`: of a helper that is there, with all its switches off (extension/src/messages/status.ts). */
export const STATUS = {
  held: 0, released: 0, inView: 0, left: 0, isWithout: false, isComparing: false, isAnsweredByWorker: false, hasGate: false, isLinkFast: false,
  link: { rateBitsPerSecond: 1_480_000, isRateMeasured: true, rttMs: 152, isRttMeasured: true },
  helper: 'connected', misfit: null, memory: 'available', nextPage: 'available', connections: 'browser', trust: 'unknown', driver: null,
};

/** The same without a helper. */
export const NO_HELPER = { ...STATUS, helper: 'absent', memory: 'noHelper', nextPage: 'noHelper', connections: 'noHelper' };

/** In Firefox for Android. */
export const NOT_HERE = { ...STATUS, hasGate: true, helper: 'notHere', memory: 'notHere', nextPage: 'notHere', connections: 'notHere' };

/** As `driverReport.ts` of the helper words them. */
export const GOOD_DRIVER = { state: 'good', text: 'Driver protects small messages on wlan0', detail: '128 messages, 256 copies (31 kB)', nextStep: null, limits: [] };
export const NO_DRIVER = { state: 'absent', text: 'Driver not running', detail: 'Optional, for lossy links. Where it is installed, run:', nextStep: 'sudo systemctl start firstscreen-driver', limits: [] };
export const SILENT_DRIVER = { state: 'fault', text: 'Driver does not answer', detail: 'To see why, run:', nextStep: 'firstscreen-helper doctor', limits: ['Not supported: IB, spool (cgroup2 is not mounted)'] };
