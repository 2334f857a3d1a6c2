import Contract
import Testing

@Suite struct CommandFaultTests {
    private static let all: [CommandFault] = [
        .failed("s"), .usage("s", field: "f"), .notRunning("s"), .notFound("s"), .refused("s"),
        .timedOut("s"), .conflict("s"),
    ]

    @Test(arguments: zip(all, 1...7))
    func `each fault has its exit code and is decoded from its code`(
        _ fault: CommandFault, _ exitCode: Int
    ) {
        #expect(fault.exitCode == Int32(exitCode))
        #expect(CommandFault(code: fault.code, sentence: "s", field: "f") == fault)
        #expect(fault.sentence == "s")
    }

    @Test func `each fault has its HTTP status`() {
        #expect(Self.all.map(\.httpStatus) == [500, 400, 503, 404, 403, 504, 409])
    }

    @Test func `an unknown code becomes a failure`() {
        #expect(CommandFault(code: "odd", sentence: "s") == .failed("s"))
    }
}
