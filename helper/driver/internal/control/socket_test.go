package control

import (
	"net"
	"testing"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
)

// Another user may have a connection of the same ports at other addresses: it would stand for one that is not his.
func TestAConnectionIsKnownByAllOfItsEnds(t *testing.T) {
	listener, err := net.Listen("tcp", "[::]:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, to, _ := net.SplitHostPort(listener.Addr().String())
	var all []*net.TCPConn
	from := 0
	for _, host := range []string{"127.0.0.1", "127.0.0.2", "::1"} {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(host), Port: from}}
		connection, err := dialer.Dial("tcp", net.JoinHostPort(host, to))
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		all, from = append(all, connection.(*net.TCPConn)), connection.LocalAddr().(*net.TCPAddr).Port
	}
	root := Peer{}
	for _, one := range all {
		if cookie, err := root.socket(endsOf(one)); err != nil || cookie != cookieOf(t, one) {
			t.Errorf("%v is %x, %v", one.LocalAddr(), cookie, err)
		}
	}
	gone := endsOf(all[0])
	all[0].Close()
	toListener := Ends{Local: listener.Addr().(*net.TCPAddr).AddrPort(), Remote: endsOf(all[1]).Local}
	for name, ends := range map[string]Ends{"one that is closed": gone, "a listener's": toListener} {
		if cookie, err := root.socket(ends); err == nil || fault.Of(err).Code != fault.Gone {
			t.Errorf("%s is %x, %v", name, cookie, err)
		}
	}
}

func endsOf(connection *net.TCPConn) Ends {
	return Ends{Local: connection.LocalAddr().(*net.TCPAddr).AddrPort(), Remote: connection.RemoteAddr().(*net.TCPAddr).AddrPort()}
}

func cookieOf(t *testing.T, connection *net.TCPConn) (cookie uint64) {
	t.Helper()
	raw, err := connection.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) { cookie, err = unix.GetsockoptUint64(int(fd), unix.SOL_SOCKET, unix.SO_COOKIE) })
	if err != nil {
		t.Fatal(err)
	}
	return cookie
}
