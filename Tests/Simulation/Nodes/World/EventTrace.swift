internal import Crypto
internal import Synchronization

/// The running hash of all that happened: equal exactly where two runs went the same way.
final class EventTrace: Sendable {
    private struct State {
        var hash = SHA256()
        var count = 0
        var lines: [String]?
    }

    private let state: Mutex<State>
    private let time: VirtualTime

    /// A trace; a verbose one prints what happens as it does.
    init(_ time: VirtualTime, isVerbose: Bool) {
        self.time = time
        state = Mutex(State(lines: isVerbose ? [] : nil))
    }

    /// Something happened.
    func note(_ what: @autoclosure () -> String, _ bytes: [UInt8] = []) {
        let line = "\(time.milliseconds) \(what())"
        let isVerbose = state.withLock { state in
            state.hash.update(data: Array(line.utf8))
            state.hash.update(data: bytes)
            state.count += 1
            return state.lines != nil
        }
        if isVerbose { print(line) }
    }

    /// Events so far.
    var count: Int { state.withLock { $0.count } }

    /// The first half of the hash, in hexadecimal.
    var digest: String {
        let bytes = state.withLock { Array($0.hash.finalize().prefix(16)) }
        return bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
