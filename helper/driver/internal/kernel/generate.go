package kernel

//go:generate go tool bpf2go -go-package kernel -target bpfel,bpfeb -cflags "-O2 -g -Wall -Werror" traffic ../../bpf/traffic.bpf.c -- -I../../bpf -idirafter /usr/include/x86_64-linux-gnu -idirafter /usr/include/aarch64-linux-gnu
//go:generate go tool bpf2go -go-package kernel -target bpfel,bpfeb -cflags "-O2 -g -Wall -Werror" socket ../../bpf/socket.bpf.c -- -I../../bpf -idirafter /usr/include/x86_64-linux-gnu -idirafter /usr/include/aarch64-linux-gnu
