import Testing

@testable import Desktop

struct WindowArgumentsTests {
    @Test(arguments: [["--home", "/tmp/a"], ["--home=/tmp/a"]])
    func `a home can be named in two ways`(words: [String]) throws {
        #expect(try WindowArguments(words).home == "/tmp/a")
    }

    @Test func `without words it is one's own home`() throws {
        #expect(try WindowArguments([]).home == nil)
    }

    @Test func `a home without a folder and an unknown word are refused`() {
        #expect(throws: ArgumentFault.missingValue("--home")) { try WindowArguments(["--home"]) }
        #expect(throws: ArgumentFault.unknown("--hme")) { try WindowArguments(["--hme", "x"]) }
    }

    @Test func `waggle is looked for beside the window before it is looked for in PATH`() {
        let installation = Installation(
            programPath: "/opt/waggle/bin/waggle-window",
            environment: ["PATH": "/usr/bin:relative:/bin"])
        #expect(installation.searchPath == ["/opt/waggle/bin", "/usr/bin", "/bin"])
    }
}
