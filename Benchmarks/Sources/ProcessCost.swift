import Foundation
import Glibc

/// The memory, processor time and writes of this process so far, as the kernel counts them.
struct ProcessCost {
    let memoryMebibytes: Double
    /// The most memory at any time.
    let memoryMebibytesMax: Double
    /// The bytes that were to be written to a disk.
    let writtenBytes: Int64
    let processorSeconds: Double

    /// Reads the values of this moment.
    static func now() throws -> ProcessCost {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let io = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        var used = rusage()
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &used) == 0 else {
            throw POSIXError(.EINVAL)
        }
        return ProcessCost(
            memoryMebibytes: Double(number("VmRSS:", of: status)) / 1024,
            memoryMebibytesMax: Double(number("VmHWM:", of: status)) / 1024,
            writtenBytes: number("\nwrite_bytes:", of: io),
            processorSeconds: seconds(used.ru_utime) + seconds(used.ru_stime))
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }

    /// Returns the number after a name; 0 if the kernel does not tell it.
    private static func number(_ name: String, of text: String) -> Int64 {
        guard let found = text.range(of: name) else { return 0 }
        return Int64(
            text[found.upperBound...].drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber }) ?? 0
    }
}
