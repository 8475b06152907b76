// Confines a program where user namespaces are not allowed, as in most containers:
//
//   octavo-confine <filter fd> <path>... -- <program> [<argument>...]
//
// The program may read the paths and nothing else (Landlock), and may make the system calls that the seccomp filter on
// the file descriptor allows. With "-" as the first path the file system stays as it is, for kernels without Landlock.
// Build: cc -O2 -static -o octavo-confine octavo-confine.c

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Numbers and layouts of linux/landlock.h, which older headers lack. They are the same on all CPUs.
#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define VERSION_FLAG 1
#define RULE_PATH_BENEATH 1
#define EXECUTE (1ULL << 0)
#define READ_FILE (1ULL << 2)
#define READ_DIR (1ULL << 3)
#define MAX_INSTRUCTIONS 4096

struct ruleset {
  uint64_t files, network, scopes;
};
struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

static void fail(const char *what) {
  fprintf(stderr, "octavo-confine: %s: %s\n", what, strerror(errno));
  exit(125);
}

// Every kind of access that this kernel can restrict, by the version of its interface.
static struct ruleset restricted(int version, size_t *size) {
  struct ruleset rules = {0};
  int files = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  rules.files = (1ULL << files) - 1;
  if (version >= 4) rules.network = 3;
  if (version >= 6) rules.scopes = 3;
  *size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  return rules;
}

static void allow(int ruleset, const char *path) {
  struct stat status;
  struct path_rule rule = {.allowed = EXECUTE | READ_FILE, .parent = open(path, O_PATH | O_CLOEXEC)};
  if (rule.parent < 0 || fstat(rule.parent, &status) < 0) fail(path);
  if (S_ISDIR(status.st_mode)) rule.allowed |= READ_DIR;
  if (syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0) fail(path);
  close(rule.parent);
}

static void restrict_files(char **paths, int count) {
  size_t size;
  int version = syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG);
  if (version < 1) fail("the kernel does not offer Landlock");
  struct ruleset rules = restricted(version, &size);
  int ruleset = syscall(CREATE_RULESET, &rules, size, 0);
  if (ruleset < 0) fail("Landlock");
  for (int i = 0; i < count; i++) allow(ruleset, paths[i]);
  if (syscall(RESTRICT_SELF, ruleset, 0) < 0) fail("Landlock");
  close(ruleset);
}

static void load_filter(int fd) {
  static struct sock_filter instructions[MAX_INSTRUCTIONS];
  ssize_t bytes = read(fd, instructions, sizeof instructions);
  if (bytes <= 0 || bytes % sizeof *instructions != 0) fail("the seccomp filter cannot be read");
  struct sock_fprog program = {bytes / sizeof *instructions, instructions};
  close(fd);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) fail("seccomp");
}

int main(int count, char **args) {
  int end = 2;
  while (end < count && strcmp(args[end], "--") != 0) end++;
  if (end + 1 >= count) {
    fprintf(stderr, "Usage: octavo-confine <filter fd> <path>... -- <program> [<argument>...]\n");
    return 64;
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) fail("no_new_privs");
  if (strcmp(args[2], "-") != 0) restrict_files(args + 2, end - 2);
  load_filter(atoi(args[1]));
  execv(args[end + 1], args + end + 1);
  fail(args[end + 1]);
}
