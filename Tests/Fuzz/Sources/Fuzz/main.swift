import CFuzzer
import Foundation

// Usage: Fuzz TARGET [libFuzzer's arguments and folders of inputs]

guard FuzzTarget.chosen != nil else {
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    FileHandle.standardError.write(Data("usage: Fuzz TARGET …, with one of: \(names)\n".utf8))
    exit(2)
}

var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
    unsafe CommandLine.unsafeArgv + 1
let status = unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    unsafe FuzzTarget.chosen?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
exit(status)
