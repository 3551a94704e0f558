import { COMMAND_MEANINGS, OPTION_ROWS, actionsOf, type Command } from '../../helper/src/cli/commandTable.ts';
import { COMMANDS, OPTION_ROWS as RELAY_OPTION_ROWS } from '../../relay/src/cli/commandTable.ts';
import type { CommandLine } from './completions.ts';

export const HELPER_LINE: CommandLine = { program: 'firstscreen-helper', commands: COMMAND_MEANINGS, actionsOf: (command) => actionsOf(command as Command), options: OPTION_ROWS };

const RELAY_COMMANDS = Object.fromEntries(Object.entries(COMMANDS).map(([command, { meaning }]) => [command, meaning]));
export const RELAY_LINE: CommandLine = { program: 'firstscreen-relay', commands: RELAY_COMMANDS, actionsOf: () => [], options: RELAY_OPTION_ROWS };
