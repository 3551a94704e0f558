import { TCP_NOTSENT_LOWAT_BYTES } from '../../../../shared/src/relay/listening.ts';

/**
 * Starts the relay with a listening socket whose connections hold no more than this unsent, so that the relay's queue decides late what goes
 * next: Node has no setsockopt, accepted connections take the option from the socket that accepts them, and the sysctl of the same name is for a
 * whole network namespace. In Perl, whose core (perl-base) every Debian has; the numbers are those of Linux (sd-daemon.h, in.h, tcp.h).
 */
export function relayLauncherText(): string {
  return `#!/usr/bin/perl
# Sets TCP_NOTSENT_LOWAT on the sockets that systemd has opened, then becomes the program that is named:
# launch PROGRAM ARGUMENT...
use strict;
use warnings;
use constant {
    SD_LISTEN_FDS_START => 3,
    IPPROTO_TCP         => 6,
    TCP_CONGESTION      => 13,
    TCP_NOTSENT_LOWAT   => 25,
    LOWAT_BYTES         => ${TCP_NOTSENT_LOWAT_BYTES},
};

# of carriers, and of browsers where there is a second one; they stay open for the program
my ($count) = ($ENV{LISTEN_FDS} // '') =~ /^([12])$/;
$^F = SD_LISTEN_FDS_START + 1;
my @open;
for my $fd (map { SD_LISTEN_FDS_START + $_ - 1 } 1 .. ($count // 0)) {
    open(my $listener, '+<&=', $fd) or next;
    push @open, $listener;
    if (setsockopt($listener, IPPROTO_TCP, TCP_NOTSENT_LOWAT, pack('i', LOWAT_BYTES))) {
        $ENV{FIRSTSCREEN_NOTSENT_LOWAT} = LOWAT_BYTES;
    } else {
        warn "firstscreen-relay: TCP_NOTSENT_LOWAT can not be set: $!\\n";
    }
    # for "firstscreen-relay doctor"
    my $congestion = getsockopt($listener, IPPROTO_TCP, TCP_CONGESTION);
    $ENV{FIRSTSCREEN_CONGESTION} = unpack('Z*', $congestion) if defined $congestion;
}
@ARGV or die "usage: launch PROGRAM ARGUMENT...\\n";
exec { $ARGV[0] } @ARGV or die "firstscreen-relay: $ARGV[0] can not be started: $!\\n";
`;
}
