import Files
import Foundation
import TestSupport
import Testing

/// Reading files that a person names.
struct RegularFileTests {
    @Test(arguments: [0, 1, 99, 100, 101, 5000])
    func `at most one byte more than the limit is read`(count: Int) throws {
        let path = try TestDirectory.newPath("file")
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try SafeFile.readRegular(path, bytesMax: 100) == Array(bytes.prefix(101)))
    }

    @Test func `a file that is longer than it says is read up to the limit`() throws {
        // The kernel makes it while it is read, and says that it is empty.
        let path = "/proc/self/status"
        let all = try SafeFile.readRegular(path, bytesMax: 1 << 20)
        #expect(String(decoding: all, as: UTF8.self).contains("VmRSS:"))
        #expect(try SafeFile.readRegular(path, bytesMax: 50).count == 51)
    }

    @Test func `a folder and a device are no regular files`() {
        for path in ["/", "/dev/null"] {
            #expect(throws: POSIXError(.EINVAL)) {
                try SafeFile.readRegular(path, bytesMax: 10)
            }
        }
    }
}
