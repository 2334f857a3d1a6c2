import Testing

@testable import waggle_bench

/// The two checks without which nothing is reported.
struct WorkloadCheckTests {
    @Test func `the generated stream is the workload's`() throws {
        try Workload().check()
    }

    @Test func `a stream with one different write is refused`() {
        var writes = Workload().writes
        let write = writes[70_000]
        writes[70_000] = Workload.Write(
            actor: write.actor, record: write.record, field: write.field,
            value: Workload.hexadecimal(0), time: write.time)
        #expect(throws: BenchFault.wrongStream) { try Workload(writes).check() }
    }

    @Test func `a stream that lacks its last write is refused`() {
        let writes = Workload().writes.dropLast()
        #expect(throws: BenchFault.wrongStream) { try Workload(Array(writes)).check() }
    }

    @Test func `the latest writes are the final state`() throws {
        try FinalState(latest).check()
    }

    @Test func `a state with a different, missing or additional field is refused`() throws {
        let field = try #require(latest.keys.min())
        for (name, value) in [(field, "0"), (field, nil), ("e0.f10", "0")] {
            var fields = latest
            fields[name] = value
            let state = FinalState(fields)
            #expect(throws: BenchFault.wrongState(state)) { try state.check() }
        }
    }

    private let latest = Dictionary(
        Workload().writes.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
}
