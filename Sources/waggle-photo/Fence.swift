import CSeccomp
import Glibc
import PhotoFormat

/// The limits of this process, and the filter of its system calls. Both hold until it ends.
///
/// The filter lists what decoding needs; everything else fails with `EPERM` and does nothing:
/// opening a file, a socket, another process or thread, memory that can be executed.
enum Fence {
    /// The calls that are allowed with any arguments.
    private static let allowed = [
        "brk", "munmap", "mremap", "madvise", "futex", "sched_yield", "getrandom",
        "clock_gettime", "rt_sigprocmask", "rt_sigreturn", "exit", "exit_group",
    ]
    /// The action of libseccomp that lets a call fail with `EPERM`: a macro with an argument in C.
    private static let refuse = 0x0005_0000 | UInt32(EPERM)

    /// Sets the limits, and then the filter. Returns whether all of it holds.
    static func close() -> Bool {
        // The window and the node go first.
        _ = nice(10)
        return limitResources() && filterCalls()
    }

    private static func limitResources() -> Bool {
        let seconds = UInt64(PhotoLimits.workerProcessorTimeMax.components.seconds)
        // The caller ends a worker that takes too long; this is for a caller that has ended.
        alarm(UInt32(2 * PhotoLimits.workerTimeMax.components.seconds))
        return limit(RLIMIT_AS, UInt64(PhotoLimits.workerMemoryBytesMax))
            && limit(RLIMIT_CPU, seconds) && limit(RLIMIT_CORE, 0)
    }

    private static func limit(_ resource: __rlimit_resource, _ most: UInt64) -> Bool {
        var limits = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
        return unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0
    }

    /// Loads the filter. libseccomp also sets `no_new_privs`, and ends a process that calls by the
    /// table of another architecture.
    private static func filterCalls() -> Bool {
        guard let filter = unsafe seccomp_init(refuse) else { return false }
        defer { unsafe seccomp_release(filter) }
        let conditions: [(String, [scmp_arg_cmp])] =
            allowed.map { ($0, []) } + [
                ("read", [equal(0, UInt64(STDIN_FILENO))]),
                ("write", [equal(0, UInt64(STDOUT_FILENO))]),
                // Memory that belongs to no file, and that is never executed.
                ("mmap", [masked(2, PROT_EXEC, 0), masked(3, MAP_ANONYMOUS, MAP_ANONYMOUS)]),
                ("mprotect", [masked(2, PROT_EXEC, 0)]),
            ]
        for (name, arguments) in conditions {
            let number = unsafe seccomp_syscall_resolve_name(name)
            guard number != __NR_SCMP_ERROR,
                unsafe seccomp_rule_add_array(
                    filter, SCMP_ACT_ALLOW, number, UInt32(arguments.count), arguments) == 0
            else { return false }
        }
        return unsafe seccomp_load(filter) == 0
    }

    private static func equal(_ argument: UInt32, _ value: UInt64) -> scmp_arg_cmp {
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_EQ, datum_a: value, datum_b: 0)
    }

    private static func masked(_ argument: UInt32, _ mask: Int32, _ value: Int32) -> scmp_arg_cmp {
        scmp_arg_cmp(
            arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(mask), datum_b: UInt64(value))
    }
}
