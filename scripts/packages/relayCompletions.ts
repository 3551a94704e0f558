import { shellWord } from '../../helper/src/cli/shellWord.ts';
import { COMMANDS, MEANINGS, OPTION_MEANINGS } from '../../relay/src/cli/options.ts';
import { fishQuoted } from './completions.ts';

/** Completion of the relay's command line in three shells, made of the table that its help is made of. */
const PROGRAM = 'firstscreen-relay';

/** By the first word of each form; `init` and `proxy` have an option in their forms. */
const meaningOf = (command: string): string => MEANINGS.find(([form]) => form.split(' ')[0] === command)?.[1] ?? '';
const OPTION_NAMES = [...OPTION_MEANINGS.map(([name]) => name), 'listen', 'address'];

export function relayBashCompletion(): string {
  return `# Completion of ${PROGRAM} for bash.
_firstscreen_relay() {
    local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
    case $previous in
        --directory) COMPREPLY=($(compgen -d -- "$cur")); return ;;
        --certificate | --key) COMPREPLY=($(compgen -f -- "$cur")); return ;;
        --listen | --address) COMPREPLY=(); return ;;
    esac
    COMPREPLY=($(compgen -W ${shellWord([...COMMANDS, ...OPTION_NAMES.map((name) => `--${name}`)].join(' '))} -- "$cur"))
}
complete -F _firstscreen_relay ${PROGRAM}
`;
}

export function relayZshCompletion(): string {
  const meaning = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&');
  return `#compdef ${PROGRAM}
# Completion of ${PROGRAM} for zsh.

local -a commands=(
${COMMANDS.map((command) => `  ${shellWord(`${command}:${meaning(meaningOf(command))}`)}`).join('\n')}
)

_arguments \\
${OPTION_MEANINGS.map(([name, value, text]) => `  ${shellWord(`--${name}[${meaning(text)}]${value === null ? '' : `:${value}:_files${value === 'DIR' ? ' -/' : ''}`}`)} \\`).join('\n')}
  ${shellWord('--listen[init, proxy: where to listen]:HOST\\:PORT: ')} \\
  ${shellWord('--address[proxy: where browsers find it]:HOST\\:PORT: ')} \\
  ${shellWord('1:command:{_describe command commands}')}
`;
}

export function relayFishCompletion(): string {
  const complete = (...words: readonly string[]): string => `complete -c ${PROGRAM} ${words.join(' ')}`;
  return [
    `# Completion of ${PROGRAM} for fish.`,
    complete('-f'),
    ...COMMANDS.map((command) => complete('-n', '__fish_use_subcommand', '-a', command, '-d', fishQuoted(meaningOf(command)))),
    ...OPTION_MEANINGS.map(([name, value, text]) => complete('-l', name, ...(value === null ? [] : value === 'DIR' ? ['-x', '-a', shellWord('(__fish_complete_directories)')] : ['-r', '-F']), '-d', fishQuoted(text))),
    complete('-n', shellWord('__fish_seen_subcommand_from init proxy'), '-l', 'listen', '-x', '-d', fishQuoted('HOST:PORT')),
    complete('-n', shellWord('__fish_seen_subcommand_from proxy'), '-l', 'address', '-x', '-d', fishQuoted('HOST:PORT')),
    '',
  ].join('\n');
}
