import { create, setText } from '../ui/elements.ts';
import { KeyedList } from '../ui/keyedList.ts';
import { t } from '../ui/texts.ts';
import { commandRow } from './commandRow.ts';
import type { Command } from './commands.ts';
import type { Step, StepName, StepState } from './steps.ts';
import type { StepTexts } from './stepTexts.ts';

/** Colour alone says nothing to many. */
const STATE_WORDS: Readonly<Record<StepState, () => string>> = {
  done: () => t('welcomeStateDone'),
  needed: () => t('welcomeStateNeeded'),
  open: () => t('welcomeStateOpen'),
  waits: () => t('welcomeStateOpen'),
  unavailable: () => t('welcomeStateUnavailable'),
  unknown: () => t('welcomeStateUnknown'),
};

/** A step on the page. */
export class StepView {
  readonly element: HTMLElement;
  /** Takes the focus when what had it is gone because the step is done. */
  readonly heading: HTMLElement;
  private readonly name: StepName;
  private readonly commands: KeyedList<Command>;

  /**
   * @param controls what the step is done with on the page itself
   * @param said what a screen reader is to be told
   */
  constructor(name: StepName, { title, gives, effects, privacy }: StepTexts, controls: readonly HTMLElement[], said: (text: string) => void) {
    const commands = create('ul', { className: 'commands' });
    this.name = name;
    this.heading = create('h2', { id: `${name}-title`, tabIndex: -1, textContent: title });
    this.commands = new KeyedList(commands, ({ text }) => text, (command) => commandRow(command, said));
    const article = create('article', { id: `step-${name}` },
      this.heading,
      create('p', { id: `${name}-state`, className: 'state' }),
      create('p', { id: `${name}-text`, className: 'text' }),
      ...controls,
      commands,
      create('p', { id: `${name}-next`, className: 'next' }),
      create('dl', {},
        create('dt', { textContent: t('welcomeGives') }), create('dd', { textContent: gives }),
        create('dt', { textContent: t('effectTitle') }), ...effects.map((effect) => create('dd', { textContent: effect })),
        create('dt', { textContent: t('welcomePrivacy') }), create('dd', { textContent: privacy })),
    );
    article.setAttribute('aria-labelledby', `${name}-title`);
    this.element = create('li', {}, article);
  }

  /** To be called once it is on the page. */
  show({ state, text, commands, next }: Step): void {
    this.element.dataset['state'] = state;
    setText(`${this.name}-state`, STATE_WORDS[state]());
    setText(`${this.name}-text`, text);
    this.commands.show(commands, this.heading);
    setText(`${this.name}-next`, next);
  }
}
