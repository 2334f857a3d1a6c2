internal import Foundation
internal import Glibc

/// Tries crashes on a replica; `script/crash` runs it. The disk's name contains the process's id,
/// so that several can run side by side.
func trial() async -> Int32 {
    let scratch = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/var/tmp"
    let home = Directory("\(scratch)/waggle-crash-\(getpid())")
    defer { home.remove() }
    do {
        let options = try Options(Array(CommandLine.arguments.dropFirst()))
        let passed =
            switch options.part {
            case "power": try await PowerRun(options: options, home: home).run()
            case "init": try FoundingRun(options: options, home: home).run()
            default: try await FaultRun(options: options, home: home).run()
            }
        return passed ? 0 : 1
    } catch {
        print("the trial could not be held: \(error)")
        return 2
    }
}

exit(await trial())
