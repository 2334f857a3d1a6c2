internal import Crypto
internal import Synchronization

/// The running hash of all events, which is equal exactly if two runs were the same.
final class EventTrace: Sendable {
    private struct State {
        var hash = SHA256()
        var count = 0
        var lines: [String]?
    }

    private let state: Mutex<State>
    private let time: VirtualTime

    /// Creates a trace; a verbose one also prints the events.
    init(_ time: VirtualTime, isVerbose: Bool) {
        self.time = time
        state = Mutex(State(lines: isVerbose ? [] : nil))
    }

    /// Records an event.
    func record(_ what: @autoclosure () -> String, _ bytes: [UInt8] = []) {
        let line = "\(time.milliseconds) \(what())"
        let isVerbose = state.withLock { state in
            state.hash.update(data: Array(line.utf8))
            state.hash.update(data: bytes)
            state.count += 1
            return state.lines != nil
        }
        if isVerbose { print(line) }
    }

    /// The number of events so far.
    var count: Int { state.withLock { $0.count } }

    /// The first half of the hash, in hexadecimal digits.
    var digest: String {
        let bytes = state.withLock { Array($0.hash.finalize().prefix(16)) }
        return bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
