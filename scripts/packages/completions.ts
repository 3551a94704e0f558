import { COMMAND_MEANINGS, COMMANDS, OPTION_ROWS, actionsOf, type Command, type OptionRow } from '../../helper/src/cli/commandTable.ts';
import { shellWord } from '../../helper/src/cli/shellWord.ts';

/**
 * Completion of the helper's command line in three shells, made of the table by which it is parsed: so a shell offers
 * what the program takes, for each command its own options.
 */
const PROGRAM = 'firstscreen-helper';

type Row = (typeof OPTION_ROWS)[number];

/** Options that stand without a command. */
const WITHOUT_COMMAND = ['help', 'version'];

const optionsOf = (command: Command): Row[] => OPTION_ROWS.filter(([name, { onlyFor }]) => !WITHOUT_COMMAND.includes(name) && onlyFor?.includes(command) !== false);
const namesOfActions = (command: Command): string[] => actionsOf(command).map(([name]) => name);
const longNames = (rows: readonly Row[]): string[] => rows.map(([name]) => `--${name}`);
const loneRows = OPTION_ROWS.filter(([name]) => WITHOUT_COMMAND.includes(name));
const valueRows = OPTION_ROWS.filter(([, { value }]) => value !== undefined);

export function bashCompletion(): string {
  const reply = (words: readonly string[]): string => `COMPREPLY=($(compgen -W ${shellWord(words.join(' '))} -- "$cur"))`;
  const ofValue = ({ completesTo }: OptionRow): string => (completesTo === 'directory' ? 'COMPREPLY=($(compgen -d -- "$cur"))' : reply(completesTo ?? []));
  const ofCommand = (command: Command): string => {
    const [actions, options] = [namesOfActions(command), longNames(optionsOf(command))];
    return actions.length === 0 ? reply(options) : `if [[ -z $action ]]; then ${reply([...actions, ...options])}; else ${reply(options)}; fi`;
  };
  return `# Completion of ${PROGRAM} for bash.
_firstscreen_helper() {
    local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command='' action='' word
    for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
        if [[ -n $command ]]; then
            [[ $word == -* ]] || action=\${action:-$word}
        else
            case $word in ${COMMANDS.join(' | ')}) command=$word ;; esac
        fi
    done
    case $previous in
${valueRows.map(([name, row]) => `        --${name}) ${ofValue(row)}; return ;;`).join('\n')}
    esac
    case $command in
        '') ${reply([...COMMANDS, ...longNames(loneRows)])} ;;
${COMMANDS.map((command) => `        ${command}) ${ofCommand(command)} ;;`).join('\n')}
    esac
}
complete -F _firstscreen_helper ${PROGRAM}
`;
}

export function zshCompletion(): string {
  // in a specification of _arguments these end what stands before them
  const meaning = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&');
  const action = ({ completesTo }: OptionRow): string => (completesTo === 'directory' ? '_files -/' : completesTo === undefined ? ' ' : `(${completesTo.join(' ')})`);
  const specification = ([name, row]: Row): string => shellWord(`${row.multiple === true ? '*' : ''}--${name}[${meaning(row.meaning)}]${row.value === undefined ? '' : `:${row.value}:${action(row)}`}`);
  const ofActions = (command: Command): string[] => {
    const actions = actionsOf(command).map(([name, row]) => `${name}\\:${quotedInList(row.meaning)}`);
    return actions.length === 0 ? [] : [shellWord(`1:action:((${actions.join(' ')}))`)];
  };
  return `#compdef ${PROGRAM}
# Completion of ${PROGRAM} for zsh.

local curcontext=$curcontext state line
typeset -A opt_args

_arguments -C ${loneRows.map(specification).join(' ')} '1:command:->command' '*::option:->option'

case $state in
command)
  local -a commands=(
${COMMANDS.map((command) => `    ${shellWord(`${command}:${meaning(COMMAND_MEANINGS[command])}`)}`).join('\n')}
  )
  _describe command commands
  ;;
option)
  case $line[1] in
${COMMANDS.map((command) => `  ${command}) _arguments ${[...optionsOf(command).map(specification), ...ofActions(command)].join(' ')} ;;`).join('\n')}
  esac
  ;;
esac
`;
}

export function fishCompletion(): string {
  const complete = (...words: readonly string[]): string => `complete -c ${PROGRAM} ${words.join(' ')}`;
  const values = ({ value, completesTo }: OptionRow): string[] => {
    if (value === undefined) return [];
    if (completesTo === 'directory') return ['-x', '-a', shellWord('(__fish_complete_directories)')];
    return completesTo === undefined ? ['-x'] : ['-x', '-a', shellWord(completesTo.join(' '))];
  };
  return [
    `# Completion of ${PROGRAM} for fish.`,
    complete('-f'),
    ...COMMANDS.map((command) => complete('-n', '__fish_use_subcommand', '-a', command, '-d', fishQuoted(COMMAND_MEANINGS[command]))),
    ...COMMANDS.flatMap((command) => actionsOf(command).map(([name, { meaning }]) => complete('-n', shellWord(`__fish_seen_subcommand_from ${command}; and not __fish_seen_subcommand_from ${namesOfActions(command).join(' ')}`), '-a', name, '-d', fishQuoted(meaning)))),
    ...OPTION_ROWS.map(([name, row]) => complete('-n', shellWord(fishCondition(name, row)), ...(row.short === undefined ? [] : ['-s', row.short]), '-l', name, ...values(row), '-d', fishQuoted(row.meaning))),
    '',
  ].join('\n');
}

function fishCondition(name: string, { onlyFor }: OptionRow): string {
  if (WITHOUT_COMMAND.includes(name)) return '__fish_use_subcommand';
  const commands = onlyFor ?? COMMANDS;
  // what an action is called may be a command, too
  const others = COMMANDS.filter((command) => !commands.includes(command) && namesOfActions(command).some((name) => commands.some((known) => known === name)));
  return `__fish_seen_subcommand_from ${commands.join(' ')}${others.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${others.join(' ')}`}`;
}

/** In a list of values with their meanings. */
function quotedInList(text: string): string {
  return text.replaceAll(/[\s"'\\:()[\]]/g, '\\$&');
}

/** Fish has an escape inside its quotes, other than the POSIX shells. */
export function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
