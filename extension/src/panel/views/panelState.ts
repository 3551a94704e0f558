import type { Lane } from '../../../../shared/src/waterfall/bars.ts';
import type { HelpState } from '../../messages/panel.ts';
import type { LoadModel } from '../model/loadModel.ts';
import type { LoadRecord, Twin } from '../model/loadRecord.ts';
import type { PanelRequest } from '../model/panelRequest.ts';

/** All that views show; made anew at each update. */
export interface PanelState {
  readonly record: LoadRecord;
  readonly model: LoadModel;
  /** What the filter lets pass, in the order of their beginning. */
  readonly shown: readonly PanelRequest[];
  /** Of these. */
  readonly lanes: readonly Lane<PanelRequest>[];
  readonly selected: PanelRequest | null;
  /** Null in a recording from a file, too. */
  readonly twin: Twin | null;
  /** Null in a recording from a file. */
  readonly help: HelpState | null;
  readonly isCut: boolean;
}

export interface View {
  /** Something is another now. Called at most once a frame, and only while the view is seen. */
  update(state: PanelState): void;
}

/** What a person does in one view, for all of them. */
export interface Chooser {
  select(key: string | null): void;
}
