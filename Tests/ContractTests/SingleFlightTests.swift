import Contract
import Testing

@Suite struct SingleFlightTests {
    /// An owner whose work waits until a test releases it.
    private actor Owner {
        private(set) var begunCount = 0
        private(set) var endedCount = 0
        private(set) var runningCountMax = 0
        private(set) var waitedCount = 0
        private var failing: Set<Int> = []
        private var held: [CheckedContinuation<Void, Never>] = []
        private let flight = SingleFlight()

        func fail(inRun number: Int) { failing.insert(number) }

        /// - Returns: whether this call repeated the work.
        @discardableResult
        func refresh() async throws -> Bool {
            guard flight.request() else { return false }
            try await flight.run { try await self.work() }
            return true
        }

        /// Returns how many runs have ended when no run is under way any more.
        func endedCountWhenFinished() async -> Int {
            waitedCount += 1
            await flight.finished()
            return endedCount
        }

        private func work() async throws {
            begunCount += 1
            let number = begunCount
            runningCountMax = max(runningCountMax, begunCount - endedCount)
            await withCheckedContinuation { held.append($0) }
            endedCount += 1
            if failing.contains(number) { throw Failure(number: number) }
        }

        /// Waits until a run has begun, and lets it end.
        func release() async {
            while held.isEmpty { await Task.yield() }
            held.removeFirst().resume()
        }

        func waitForRun(_ number: Int) async {
            while begunCount < number { await Task.yield() }
        }

        func waitForWaiter(_ number: Int) async {
            while waitedCount < number { await Task.yield() }
        }
    }

    private struct Failure: Error, Equatable {
        let number: Int
    }

    private let owner = Owner()

    @Test func `requests one after another are answered by one run each`() async throws {
        for _ in 0..<2 {
            async let hasRun = owner.refresh()
            await owner.release()
            #expect(try await hasRun)
        }
        #expect(await owner.endedCount == 2)
    }

    @Test(arguments: [1, 5])
    func `requests during a run are answered by one more run after it`(count: Int) async throws {
        async let hasRun = owner.refresh()
        await owner.waitForRun(1)
        for _ in 0..<count { #expect(try await !owner.refresh()) }
        await owner.release()
        await owner.release()
        #expect(try await hasRun)
        #expect(await owner.endedCount == 2)
        #expect(await owner.runningCountMax == 1)
    }

    @Test func `a request during the repeated run is answered by a third run`() async throws {
        async let hasRun = owner.refresh()
        for number in 1...2 {
            await owner.waitForRun(number)
            #expect(try await !owner.refresh())
            await owner.release()
        }
        await owner.release()
        #expect(try await hasRun)
        #expect(await owner.endedCount == 3)
    }

    @Test func `a caller that waits for the end waits for the run that was requested last`()
        async throws
    {
        async let hasRun = owner.refresh()
        await owner.waitForRun(1)
        try await owner.refresh()
        async let first = owner.endedCountWhenFinished()
        async let second = owner.endedCountWhenFinished()
        await owner.waitForWaiter(2)
        await owner.release()
        await owner.release()
        #expect(await first == 2)
        #expect(await second == 2)
        #expect(try await hasRun)
    }

    @Test func `a caller that waits for a run does not wait for one that is requested later`()
        async throws
    {
        async let hasRun = owner.refresh()
        await owner.waitForRun(1)
        async let endedCount = owner.endedCountWhenFinished()
        await owner.waitForWaiter(1)
        #expect(try await !owner.refresh())
        await owner.release()
        #expect(await endedCount == 1)
        await owner.release()
        #expect(try await hasRun)
    }

    @Test func `without a run there is nothing to wait for`() async {
        #expect(await owner.endedCountWhenFinished() == 0)
    }

    @Test func `an error reaches the caller that ran the work, and the next request runs`()
        async throws
    {
        await owner.fail(inRun: 1)
        let failed = Task { try await owner.refresh() }
        await owner.release()
        await #expect(throws: Failure(number: 1)) { try await failed.value }
        async let hasRun = owner.refresh()
        await owner.release()
        #expect(try await hasRun)
    }

    @Test func `a request during a run that fails is answered, and the first error is thrown`()
        async throws
    {
        await owner.fail(inRun: 1)
        await owner.fail(inRun: 2)
        let failed = Task { try await owner.refresh() }
        await owner.waitForRun(1)
        try await owner.refresh()
        await owner.release()
        await owner.release()
        await #expect(throws: Failure(number: 1)) { try await failed.value }
        #expect(await owner.endedCount == 2)
    }

    @Test func `a flight runs from its request to the end of its last run`() async {
        let flight = SingleFlight()
        #expect(!flight.isRunning)
        #expect(flight.request() && flight.isRunning)
        await flight.run { #expect(flight.isRunning) }
        #expect(!flight.isRunning)
    }
}
