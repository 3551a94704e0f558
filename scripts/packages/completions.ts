import { shellWord } from '../../helper/src/cli/shellWord.ts';

/** What is known of an option, beside its name. */
export interface OptionRow {
  readonly multiple?: true;
  readonly short?: string;
  /** What the help calls its value; none for a switch. */
  readonly value?: string;
  readonly completesTo?: readonly string[] | 'directory' | 'file';
  /** The commands that take it; all of them when absent. */
  readonly onlyFor?: readonly string[];
  readonly meaning: string;
}

type Row = readonly [name: string, row: OptionRow];

/** A program's command line, by the table by which it is parsed: so a shell offers what the program takes, for each command its own options. */
export interface CommandLine {
  readonly program: string;
  /** The commands, and what they do. */
  readonly commands: Readonly<Record<string, string>>;
  /** What stands behind the name of a command that does several things. */
  readonly actionsOf: (command: string) => readonly (readonly [name: string, row: { readonly meaning: string }])[];
  readonly options: readonly Row[];
}

/** Options that stand without a command. */
const WITHOUT_COMMAND = ['help', 'version'];

const optionsOf = ({ options }: CommandLine, command: string): Row[] => options.filter(([name, { onlyFor }]) => !WITHOUT_COMMAND.includes(name) && onlyFor?.includes(command) !== false);
const loneOptionsOf = ({ options }: CommandLine): Row[] => options.filter(([name]) => WITHOUT_COMMAND.includes(name));
const namesOfActions = ({ actionsOf }: CommandLine, command: string): string[] => actionsOf(command).map(([name]) => name);
const longNames = (rows: readonly Row[]): string[] => rows.map(([name]) => `--${name}`);

export function bashCompletion(line: CommandLine): string {
  const { program, options } = line;
  const [commands, name] = [Object.keys(line.commands), `_${program.replaceAll('-', '_')}`];
  const reply = (words: readonly string[]): string => `COMPREPLY=($(compgen -W ${shellWord(words.join(' '))} -- "$cur"))`;
  const ofValue = ({ completesTo = [] }: OptionRow): string => (typeof completesTo === 'string' ? `COMPREPLY=($(compgen -${completesTo === 'directory' ? 'd' : 'f'} -- "$cur"))` : reply(completesTo));
  const ofCommand = (command: string): string => {
    const [actions, own] = [namesOfActions(line, command), longNames(optionsOf(line, command))];
    return actions.length === 0 ? reply(own) : `if [[ -z $action ]]; then ${reply([...actions, ...own])}; else ${reply(own)}; fi`;
  };
  return `# Completion of ${program} for bash.
${name}() {
    local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command='' action='' word
    for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
        if [[ -n $command ]]; then
            [[ $word == -* ]] || action=\${action:-$word}
        else
            case $word in ${commands.join(' | ')}) command=$word ;; esac
        fi
    done
    case $previous in
${options.filter(([, { value }]) => value !== undefined).map(([option, row]) => `        --${option}) ${ofValue(row)}; return ;;`).join('\n')}
    esac
    case $command in
        '') ${reply([...commands, ...longNames(loneOptionsOf(line))])} ;;
${commands.map((command) => `        ${command}) ${ofCommand(command)} ;;`).join('\n')}
    esac
}
complete -F ${name} ${program}
`;
}

export function zshCompletion(line: CommandLine): string {
  const { program, commands, actionsOf } = line;
  // in a specification of _arguments these end what stands before them
  const meaning = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&');
  const files = { directory: '_files -/', file: '_files' } as const;
  const action = ({ completesTo = [] }: OptionRow): string => (typeof completesTo === 'string' ? files[completesTo] : completesTo.length === 0 ? ' ' : `(${completesTo.join(' ')})`);
  const specification = ([name, row]: Row): string => shellWord(`${row.multiple === true ? '*' : ''}--${name}[${meaning(row.meaning)}]${row.value === undefined ? '' : `:${meaning(row.value)}:${action(row)}`}`);
  const ofActions = (command: string): string[] => {
    const actions = actionsOf(command).map(([name, row]) => `${name}\\:${quotedInList(row.meaning)}`);
    return actions.length === 0 ? [] : [shellWord(`1:action:((${actions.join(' ')}))`)];
  };
  return `#compdef ${program}
# Completion of ${program} for zsh.

local curcontext=$curcontext state line
typeset -A opt_args

_arguments -C ${loneOptionsOf(line).map(specification).join(' ')} '1:command:->command' '*::option:->option'

case $state in
command)
  local -a commands=(
${Object.entries(commands).map(([command, does]) => `    ${shellWord(`${command}:${meaning(does)}`)}`).join('\n')}
  )
  _describe command commands
  ;;
option)
  case $line[1] in
${Object.keys(commands).map((command) => `  ${command}) _arguments ${[...optionsOf(line, command).map(specification), ...ofActions(command)].join(' ')} ;;`).join('\n')}
  esac
  ;;
esac
`;
}

export function fishCompletion(line: CommandLine): string {
  const { program, commands, actionsOf, options } = line;
  const complete = (...words: readonly string[]): string => `complete -c ${program} ${words.join(' ')}`;
  const values = ({ value, completesTo }: OptionRow): string[] => {
    if (value === undefined) return [];
    if (completesTo === 'file') return ['-r', '-F'];
    if (completesTo === 'directory') return ['-x', '-a', shellWord('(__fish_complete_directories)')];
    return completesTo === undefined ? ['-x'] : ['-x', '-a', shellWord(completesTo.join(' '))];
  };
  return [
    `# Completion of ${program} for fish.`,
    complete('-f'),
    ...Object.entries(commands).map(([command, does]) => complete('-n', '__fish_use_subcommand', '-a', command, '-d', fishQuoted(does))),
    ...Object.keys(commands).flatMap((command) => actionsOf(command).map(([name, { meaning }]) => complete('-n', shellWord(`__fish_seen_subcommand_from ${command}; and not __fish_seen_subcommand_from ${namesOfActions(line, command).join(' ')}`), '-a', name, '-d', fishQuoted(meaning)))),
    ...options.map(([name, row]) => complete('-n', shellWord(fishCondition(line, name, row)), ...(row.short === undefined ? [] : ['-s', row.short]), '-l', name, ...values(row), '-d', fishQuoted(row.meaning))),
    '',
  ].join('\n');
}

function fishCondition(line: CommandLine, name: string, { onlyFor }: OptionRow): string {
  if (WITHOUT_COMMAND.includes(name)) return '__fish_use_subcommand';
  const all = Object.keys(line.commands);
  const commands = onlyFor ?? all;
  // what an action is called may be a command, too
  const others = all.filter((command) => !commands.includes(command) && namesOfActions(line, command).some((action) => commands.includes(action)));
  return `__fish_seen_subcommand_from ${commands.join(' ')}${others.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${others.join(' ')}`}`;
}

/** In a list of values with their meanings. */
function quotedInList(text: string): string {
  return text.replaceAll(/[\s"'\\:()[\]]/g, '\\$&');
}

/** Fish has an escape inside its quotes, other than the POSIX shells. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
