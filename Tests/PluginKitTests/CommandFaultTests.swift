import PluginKit
import Testing

@Suite struct CommandFaultTests {
    private static let all: [CommandFault] = [
        .failed("s"), .usage("s", field: "f"), .notRunning("s"), .notFound("s"), .refused("s"),
        .timedOut("s"), .conflict("s"),
    ]

    @Test(arguments: zip(all, 1...7))
    func `each fault has its exit code and comes back from its word`(
        _ fault: CommandFault, _ exitCode: Int
    ) {
        #expect(fault.exitCode == Int32(exitCode))
        #expect(CommandFault(code: fault.code, sentence: "s", field: "f") == fault)
        #expect(fault.sentence == "s")
    }

    @Test func `each fault has the status of its meaning`() {
        #expect(Self.all.map(\.httpStatus) == [500, 400, 503, 404, 403, 504, 409])
    }

    @Test func `an unknown word is a failure`() {
        #expect(CommandFault(code: "odd", sentence: "s") == .failed("s"))
    }
}
