import { COMMAND_ROWS, OPTION_ROWS } from '../../helper/src/cli/commandTable.ts';
import { commandItems, optionItems, roff } from './roff.ts';

/**
 * The manual page of the helper, made of the table by which its command line is parsed.
 *
 * @param date of the release, as in 2026-11-26
 */
export function manPage(version: string, date: string): string {
  return `.TH FIRSTSCREEN\\-HELPER 1 "${date}" "Firstscreen ${roff(version)}" "User commands"
.SH NAME
firstscreen\\-helper \\- the local part of the Firstscreen browser extension
.SH SYNOPSIS
.B firstscreen\\-helper
.I command
.RI [ options ]
.SH DESCRIPTION
Firstscreen makes the first screen of web pages appear sooner on slow, lossy links: it orders requests by where their
objects stand in the page. Browsers start the helper by themselves, once for each profile, where its extension is
installed. What is here for people are the commands that tell browsers of it and look after it.
.SH COMMANDS
${commandItems(COMMAND_ROWS)}
.SH OPTIONS
${optionItems(OPTION_ROWS)}
.SH FILES
.TP
.I ~/.local/state/firstscreen/memory.json
What was learnt of pages, where the switch for that is on.
.TP
.I ~/.local/share/firstscreen/
What install has made for one user, and in trust/ what trust has made.
.TP
.I ~/.config/firstscreen/never\\-intercept.txt
Hosts that are never intercepted, one a line.
.TP
.I ~/.config/firstscreen/relay.json
The relay, and the key by which it knows this helper.
.SH EXIT STATUS
0 when it is done; 1 when it has failed, or doctor has found a failure; 2 when the command line is wrong. Failures end
with a stable code (E_...).
.SH EXAMPLES
.TP
What is installed, and whether it works:
.B firstscreen\\-helper doctor
.TP
Erase what was learnt of one site:
.B firstscreen\\-helper forget \\-\\-site www.example.com
.SH SEE ALSO
.BR firstscreen\\-driverd (8)
`;
}
