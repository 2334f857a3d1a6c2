import Foundation
import Testing

@testable import Desktop

struct WindowArgumentsTests {
    @Test(arguments: [["--home", "/tmp/a"], ["--home=/tmp/a"]])
    func `a home can be given in two ways`(words: [String]) throws {
        #expect(try WindowArguments(words).home == "/tmp/a")
    }

    @Test func `without arguments the user's own home is used`() throws {
        #expect(try WindowArguments([]).home == nil)
    }

    @Test func `a home without a folder and an unknown argument are refused`() {
        #expect(throws: ArgumentFault.missingValue("--home")) { try WindowArguments(["--home"]) }
        #expect(throws: ArgumentFault.unknown("--hme")) { try WindowArguments(["--hme", "x"]) }
    }

    @Test func `the manual page in docs is the one that the arguments declare`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/man/waggle-window.1")
        #expect(
            try String(contentsOf: file, encoding: .utf8) == WindowArguments.manual,
            "renew it: script/man")
    }

    @Test func `waggle is searched beside the window before it is searched in PATH`() {
        let installation = Installation(
            programPath: "/opt/waggle/bin/waggle-window",
            environment: ["PATH": "/usr/bin:relative:/bin"])
        #expect(installation.searchPath == ["/opt/waggle/bin", "/usr/bin", "/bin"])
    }
}
