import { COMMAND_ROWS, OPTION_ROWS } from '../../relay/src/cli/commandTable.ts';
import { commandItems, optionItems, roff } from './roff.ts';

/**
 * The manual page of the relay, made of the table by which its command line is parsed.
 *
 * @param date of the release, as in 2026-11-26
 */
export function relayManPage(version: string, date: string): string {
  return `.TH FIRSTSCREEN\\-RELAY 1 "${date}" "Firstscreen ${roff(version)}" "User commands"
.SH NAME
firstscreen\\-relay \\- the far end of Firstscreen, on a machine of your own
.SH SYNOPSIS
.B firstscreen\\-relay
.I command
.B \\-\\-directory
.I DIR
.SH DESCRIPTION
The relay stands near the servers of the web and carries the connections of its owner's Firstscreen helpers over one
connection each. It lets in those helpers alone whose keys it was told, and goes to the public web alone. A helper sets it
up by ssh with
.BR "firstscreen\\-helper relay setup" .
.SH COMMANDS
${commandItems(COMMAND_ROWS)}
.SH OPTIONS
${optionItems(OPTION_ROWS)}
.SH FILES
.TP
.I /var/lib/firstscreen\\-relay/
Key, certificate, list of helpers and, as a proxy of browsers, list of users of the relay that the units run.
.SH EXIT STATUS
0 when it is done; 1 when it has failed, or doctor has found a failure; 2 when the command line is wrong. Failures end
with a stable code (E_...).
.SH EXAMPLES
.TP
Start the relay of the package, now and after each boot, and see what to tell a helper:
.B systemctl enable \\-\\-now firstscreen\\-relay
.br
.B firstscreen\\-relay status \\-\\-directory /var/lib/firstscreen\\-relay
.TP
Listen on port 443:
.B systemctl edit firstscreen\\-relay.socket
.br
with
.B [Socket]
and the lines
.B ListenStream=
and
.BR ListenStream=443 ;
then restart firstscreen\\-relay.socket.
.SH SEE ALSO
.BR firstscreen\\-helper (1),
.BR systemd.socket (5)
`;
}
