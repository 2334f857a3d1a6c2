internal import Records
internal import Synchronization

/// The memory for received messages that wait or are being handled, shared by all links.
///
/// One person's links may hold at most as much memory as remains free. So one person can use half
/// of the total, and a second person half of the remainder. There is always room for a message from
/// one more person. Links wait for those of people who hold less.
///
/// Example: a mate floods this node from eight devices, and all eight links together hold 32 MiB.
/// Their sockets are not read while that is being handled. Another mate's message is read at once.
final class InboxRoom: Sendable {
    /// The maximum memory of the messages of all links, in bytes.
    static let bytesMax = 64 * 1024 * 1024

    private struct Waiting {
        let link: ObjectIdentifier
        let person: PersonID
        let bytes: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var totalBytes = 0
        var bytesByPerson: [PersonID: Int] = [:]
        /// The links that wait, in the order in which they came.
        var waiting: [Waiting] = []

        func bytes(of person: PersonID) -> Int { bytesByPerson[person] ?? 0 }

        /// Whether a person would hold at most as much as is still free after so many bytes more.
        func hasRoom(for bytes: Int, of person: PersonID) -> Bool {
            totalBytes + self.bytes(of: person) + 2 * bytes <= InboxRoom.bytesMax
        }

        /// Whether a link waits for a person who holds less.
        func isOutranked(_ person: PersonID) -> Bool {
            waiting.contains { bytes(of: $0.person) < bytes(of: person) }
        }

        mutating func add(_ bytes: Int, to person: PersonID) {
            totalBytes += bytes
            let sum = self.bytes(of: person) + bytes
            bytesByPerson[person] = sum == 0 ? nil : sum
        }

        /// Gives room to waiting links, and returns those that go on.
        mutating func admitWaiting() -> [Waiting] {
            var admitted: [Waiting] = []
            while let next = nextWaiting {
                let link = waiting.remove(at: next)
                add(link.bytes, to: link.person)
                admitted.append(link)
            }
            return admitted
        }

        /// The first link for which there is room, of those whose people hold least.
        private var nextWaiting: Int? {
            let least = waiting.map { bytes(of: $0.person) }.min()
            return waiting.firstIndex { link in
                bytes(of: link.person) == least && hasRoom(for: link.bytes, of: link.person)
            }
        }
    }

    private let state = Mutex(State())

    /// The memory of all messages, in bytes.
    var usedBytes: Int { state.withLock { $0.totalBytes } }

    /// The number of links that wait.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Counts memory for a person, and waits until there is room for them.
    /// - Parameters:
    ///   - link: the link that waits; ``withdraw(_:)`` ends its wait.
    ///   - isOver: whether the link has ended, and so may have been withdrawn before this.
    /// - Returns: false if the link was withdrawn; nothing is counted then.
    func reserve(
        _ bytes: Int, for person: PersonID, link: AnyObject, isOver: () -> Bool = { false }
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                guard !isOver() else { return false }
                guard !state.hasRoom(for: bytes, of: person) || state.isOutranked(person) else {
                    state.add(bytes, to: person)
                    return true
                }
                state.waiting.append(
                    Waiting(
                        link: ObjectIdentifier(link), person: person, bytes: bytes,
                        continuation: continuation))
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Counts less memory for a person, or more if the number is negative.
    func release(_ bytes: Int, of person: PersonID) {
        let admitted = state.withLock { state in
            state.add(-bytes, to: person)
            return state.admitWaiting()
        }
        for link in admitted { link.continuation.resume(returning: true) }
    }

    /// Returns the memory of a person's messages, in bytes.
    func bytes(of person: PersonID) -> Int { state.withLock { $0.bytes(of: person) } }

    /// Ends the wait of a link.
    func withdraw(_ link: AnyObject) {
        let ended = state.withLock { state in
            let ended = state.waiting.filter { $0.link == ObjectIdentifier(link) }
            state.waiting.removeAll { $0.link == ObjectIdentifier(link) }
            return ended
        }
        for link in ended { link.continuation.resume(returning: false) }
    }
}
