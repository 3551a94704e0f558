/** The DevTools protocol commands that the bench uses, with what goes in and comes out. https://chromedevtools.github.io/devtools-protocol/ */
export interface Commands {
  'Browser.close': { in: object; out: object };
  'Browser.getVersion': { in: object; out: { product: string; revision: string; userAgent: string } };
  'Target.getTargets': { in: object; out: { targetInfos: readonly TargetInfo[] } };
  'Target.createTarget': { in: { url: string; background?: boolean }; out: { targetId: string } };
  'Target.closeTarget': { in: { targetId: string }; out: object };
  'Target.attachToTarget': { in: { targetId: string; flatten: true }; out: { sessionId: string } };
  'Target.detachFromTarget': { in: { sessionId: string }; out: object };
  'Target.setAutoAttach': {
    in: { autoAttach: boolean; waitForDebuggerOnStart: boolean; flatten: true; filter: readonly { type?: string; exclude: boolean }[] };
    out: object;
  };
  'Runtime.runIfWaitingForDebugger': { in: object; out: object };
  'Runtime.evaluate': {
    in: { expression: string; contextId?: number; returnByValue: true; awaitPromise?: boolean };
    out: EvaluationResult;
  };
  'Runtime.callFunctionOn': {
    in: { functionDeclaration: string; objectId: string; returnByValue: true; arguments?: readonly { value: unknown }[] };
    out: EvaluationResult;
  };
  'DOM.getFrameOwner': { in: { frameId: string }; out: { backendNodeId: number } };
  'DOM.resolveNode': { in: { backendNodeId: number; executionContextId: number }; out: { object: { objectId: string } } };
  'Network.enable': { in: object; out: object };
  'Page.enable': { in: object; out: object };
  'Page.navigate': { in: { url: string }; out: { frameId: string; errorText?: string } };
  'Page.getFrameTree': { in: object; out: { frameTree: FrameTree } };
  'Page.createIsolatedWorld': { in: { frameId: string; worldName: string }; out: { executionContextId: number } };
  'Page.startScreencast': { in: { format: 'jpeg'; quality: number; maxWidth: number; maxHeight: number; everyNthFrame: number }; out: object };
  'Page.stopScreencast': { in: object; out: object };
  'Page.screencastFrameAck': { in: { sessionId: number }; out: object };
  'Page.captureScreenshot': { in: { format: 'png'; optimizeForSpeed: boolean }; out: { data: string } };
  'Page.handleJavaScriptDialog': { in: { accept: boolean }; out: object };
  'Emulation.setDeviceMetricsOverride': { in: { width: number; height: number; deviceScaleFactor: number; mobile: boolean }; out: object };
}

export interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

export interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string };
  readonly childFrames?: readonly FrameTree[];
}

interface EvaluationResult {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/** The events that the bench listens to. */
export interface Events {
  'Target.attachedToTarget': { sessionId: string; targetInfo: TargetInfo };
  'Target.detachedFromTarget': { sessionId: string };
  'Inspector.targetCrashed': object;
  'Network.requestWillBeSent': RequestWillBeSent;
  'Page.screencastFrame': { data: string; metadata: { timestamp?: number }; sessionId: number };
  'Page.javascriptDialogOpening': { message: string };
}

/** Only what tells the kind of a URL and who asked for it: times are never taken from the browser's network events. */
export interface RequestWillBeSent {
  readonly requestId: string;
  readonly frameId?: string;
  readonly type?: string;
  readonly documentURL: string;
  readonly request: { readonly url: string };
  readonly redirectResponse?: { readonly url: string };
  readonly initiator: { readonly type: string; readonly url?: string; readonly stack?: StackTrace };
}

export interface StackTrace {
  readonly callFrames: readonly { readonly url: string }[];
  readonly parent?: StackTrace;
}
