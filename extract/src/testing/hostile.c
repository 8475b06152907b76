// A program that a file has taken over: it tries everything that a sandbox must prevent, and prints what it reached.
// hostile <secret file> <file to write> <process id of the host> <open TCP port of the host>

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *what, int is_reached) {
  if (is_reached) printf("%s\n", what);
  fflush(stdout);
}

static int can_read(const char *path) {
  char byte;
  int fd = open(path, O_RDONLY);
  return fd >= 0 && read(fd, &byte, 1) == 1;
}

static int can_connect(const char *address, int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  inet_pton(AF_INET, address, &to.sin_addr);
  return fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
}

// A datagram needs no answer: it is sent if a route exists.
static int can_send(const char *address) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(80)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  inet_pton(AF_INET, address, &to.sin_addr);
  return fd >= 0 && sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof to) == 1;
}

static int can_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child > 0;
}

// The leader of a session cannot leave it; its child can.
static int can_leave(void) {
  int status = 1;
  pid_t child = fork();
  if (child == 0) _exit(setsid() < 0);
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int can_fill_memory(size_t bytes) {
  char *taken = malloc(bytes);
  if (!taken) return 0;
  memset(taken, 1, bytes);
  return 1;
}

static int can_write(const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  return fd >= 0 && write(fd, "x", 1) == 1;
}

int main(int count, char **args) {
  if (count < 5) return 64;
  int host = atoi(args[3]);
  char environ_path[64], root_path[64], byte;
  struct iovec local = {&byte, 1}, remote = {(void *)main, 1};
  signal(SIGXFSZ, SIG_IGN);
  snprintf(environ_path, sizeof environ_path, "/proc/%d/environ", host);
  snprintf(root_path, sizeof root_path, "/proc/%d/root/etc/passwd", host);
  report("read a file of the host", can_read(args[1]));
  report("read /etc/passwd", can_read("/etc/passwd"));
  report("read the environment of the host", can_read(environ_path));
  report("read files through /proc of the host", can_read(root_path));
  report("write a file", can_write(args[2]));
  report("create a file", open(args[2], O_WRONLY | O_CREAT, 0600) >= 0);
  report("connect to a port of the host", can_connect("127.0.0.1", atoi(args[4])));
  report("send to the metadata address", can_send("169.254.169.254"));
  report("open an IPv6 socket", socket(AF_INET6, SOCK_STREAM, 0) >= 0);
  report("open a netlink socket", socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) >= 0);
  report("open a Unix socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
  report("start a process", can_fork());
  report("leave the session", can_leave());
  report("signal the host", kill(host, 0) == 0);
  report("trace the host", ptrace(PTRACE_SEIZE, host, 0, 0) == 0);
  report("open the memory of the host", syscall(SYS_process_vm_readv, host, &local, 1, &remote, 1, 0) >= 0);
  report("create namespaces", syscall(SYS_unshare, 0x10000000) == 0);
  report("take 1 GiB of memory", can_fill_memory(1UL << 30));
  printf("done\n");
  return 0;
}
