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

    @Test func `the bus starts the window as a service`() throws {
        #expect(try WindowArguments(["--gapplication-service"]).isService)
        #expect(try !WindowArguments([]).isService)
    }

    @Test func `a practice mate is started only if one is wanted`() throws {
        #expect(try WindowArguments(["--practice"]).wantsPractice)
        #expect(try !WindowArguments([]).wantsPractice)
    }

    @Test func `a home without a folder and an unknown argument are refused`() {
        #expect(throws: ArgumentFault.missingValue("--home")) { try WindowArguments(["--home"]) }
        #expect(throws: ArgumentFault.unknown("--hme")) { try WindowArguments(["--hme", "x"]) }
    }

    @Test func `the manual page has each argument`() {
        for argument in ["\\-\\-home", "\\-\\-practice", "\\-\\-manual", "\\-\\-help"] {
            #expect(WindowArguments.manual.contains(argument), "\(argument)")
        }
    }

    @Test func `waggle is searched beside the window before it is searched in PATH`() {
        let installation = Installation(
            programPath: "/opt/waggle/bin/waggle-window",
            environment: ["PATH": "/usr/bin:relative:/bin"])
        #expect(installation.searchPath == ["/opt/waggle/bin", "/usr/bin", "/bin"])
    }
}
