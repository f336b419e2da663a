#include "fiducial/dicom/system_call_filter.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define FIDUCIAL_FILTERS_CALLS 1
#else
#define FIDUCIAL_FILTERS_CALLS 0
#endif

#if FIDUCIAL_FILTERS_CALLS
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <vector>

#include <sched.h>
#endif

namespace fiducial {

#if FIDUCIAL_FILTERS_CALLS

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t this_processor = AUDIT_ARCH_X86_64;
constexpr std::uint32_t numbers_end = 0x40000000;  // above are those of x32
#else
constexpr std::uint32_t this_processor = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t numbers_end = 0xFFFFFFFF;
#endif

// Calls that touch nothing but this process and what it has open.
constexpr long harmless[] = {
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_write,
    SYS_writev,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_brk,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_futex,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_getpid,
    SYS_gettid,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_gettimeofday,
    SYS_getrandom,
    SYS_sched_yield,
    SYS_uname,
    SYS_sysinfo,
    SYS_getcwd,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_exit,
    SYS_exit_group,
    SYS_restart_syscall,
    SYS_rseq,
    SYS_set_robust_list,
    SYS_sched_getaffinity,
#if defined(__x86_64__)
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_time,
#endif
};

// Calls that are refused as if there were nothing to do it with: libraries ask and go on.
constexpr long refused[] = {SYS_ioctl, SYS_fcntl, SYS_getdents64, SYS_prlimit64};

using Program = std::vector<sock_filter>;

sock_filter jump(unsigned code, std::uint32_t value, std::uint8_t skipped_if_so, std::uint8_t skipped_else) {
  return {static_cast<std::uint16_t>(code), skipped_if_so, skipped_else, value};
}

sock_filter step(unsigned code, std::uint32_t value) { return jump(code, value, 0, 0); }

void load(Program& program, std::size_t offset) {
  program.push_back(step(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
}

void answer(Program& program, std::uint32_t action) { program.push_back(step(BPF_RET | BPF_K, action)); }

// Where the loaded number is this one, the answer; else on.
void answer_to(Program& program, long number, std::uint32_t action) {
  program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
  answer(program, action);
}

// Allows a call unless its argument has one of the bits. Loads the number of the call again.
void allow_without(Program& program, long number, std::size_t argument, std::uint32_t bits) {
  program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4));
  load(program, offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));  // its lower half
  program.push_back(jump(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
  answer(program, SECCOMP_RET_KILL_PROCESS);
  answer(program, SECCOMP_RET_ALLOW);
}

// Allows a call only where its first argument has the bit.
void allow_with(Program& program, long number, std::uint32_t bit) {
  program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4));
  load(program, offsetof(seccomp_data, args));
  program.push_back(jump(BPF_JMP | BPF_JSET | BPF_K, bit, 0, 1));
  answer(program, SECCOMP_RET_ALLOW);
  answer(program, SECCOMP_RET_KILL_PROCESS);
}

Program reading_program() {
  Program out;
  load(out, offsetof(seccomp_data, arch));
  out.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, this_processor, 1, 0));
  answer(out, SECCOMP_RET_KILL_PROCESS);
  load(out, offsetof(seccomp_data, nr));
  out.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, numbers_end, 0, 1));
  answer(out, SECCOMP_RET_KILL_PROCESS);
  for (const long number : harmless) answer_to(out, number, SECCOMP_RET_ALLOW);
  for (const long number : refused) answer_to(out, number, SECCOMP_RET_ERRNO | EPERM);
  constexpr std::uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  allow_without(out, SYS_openat, 2, writing);
#if defined(__x86_64__)
  allow_without(out, SYS_open, 1, writing);
#endif
  // Decoders may have threads, and nothing may have children. The flags of clone3 are out of sight; without
  // it the library asks clone.
  answer_to(out, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
  allow_with(out, SYS_clone, CLONE_THREAD);
  allow_without(out, SYS_mmap, 2, PROT_EXEC);
  allow_without(out, SYS_mprotect, 2, PROT_EXEC);
  // A process may end itself by a signal: abort() does, with tgkill of its own number.
  answer_to(out, SYS_tgkill, SECCOMP_RET_ERRNO | EPERM);
  answer(out, SECCOMP_RET_KILL_PROCESS);
  return out;
}

}  // namespace

CallFilter install_reading_filter() {
  Program program = reading_program();
  const sock_fprog given{static_cast<unsigned short>(program.size()), program.data()};
  const bool is_installed = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                            ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &given) == 0;
  return is_installed ? CallFilter::installed : CallFilter::unsupported;
}

#else

CallFilter install_reading_filter() { return CallFilter::unsupported; }

#endif

}  // namespace fiducial
