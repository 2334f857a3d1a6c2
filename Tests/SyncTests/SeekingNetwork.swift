import Records
import Testing

@testable import Sync

/// Nodes that look for content of one open space, linked as a test says. Messages arrive in the
/// order in which they were sent.
struct SeekingNetwork {
    static let space = SpaceDescriptor.open(name: "test").id

    /// One node: what it looks for, has, and keeps records of.
    struct Member {
        var seeking = ContentSeeking()
        var here: Set<BlobHash> = []
        var named: Set<Blob> = []
        /// Whether it says that it has content and never sends any.
        var isSilent = false
    }

    private enum Letter {
        case seek(Seek)
        case found(Found)
    }

    var members: [Member]
    var now: Duration = .zero
    private var links: [Set<Int>]
    private var letters: [(from: Int, to: Int, letter: Letter)] = []
    /// The questions that were sent, by sender and receiver.
    private(set) var questions: [[Int]: Int] = [:]
    private(set) var givenUp: [Int: [ContentFetching.Wanted]] = [:]
    private(set) var settled: [Int: [ContentFetching.Wanted]] = [:]

    /// Creates nodes with links, given as pairs of their numbers.
    init(_ count: Int, linked pairs: [(Int, Int)]) {
        members = Array(repeating: Member(), count: count)
        links = Array(repeating: [], count: count)
        for (one, other) in pairs { link(one, other) }
    }

    /// Creates nodes in a row.
    init(row count: Int) { self.init(count, linked: (1..<count).map { ($0 - 1, $0) }) }

    static func device(_ number: Int) -> DeviceID {
        var bytes = [UInt8](repeating: 0, count: 32)
        (bytes[0], bytes[1]) = (UInt8(number >> 8), UInt8(number & 0xff))
        return DeviceID(bytes: bytes) ?? DeviceID(raw: .zero)
    }

    static func blob(_ number: Int, bytes: Int = 1000) -> Blob {
        let hash = BlobHash(of: [UInt8(number >> 8), UInt8(number & 0xff)])
        guard let blob = Blob(hash: hash, bytesCount: bytes, kind: "image/jpeg") else {
            preconditionFailure("the size is valid")
        }
        return blob
    }

    static func wanted(_ blob: Blob) -> ContentFetching.Wanted {
        ContentFetching.Wanted(space: space, blob: blob)
    }

    mutating func link(_ one: Int, _ other: Int) {
        links[one].insert(other)
        links[other].insert(one)
        for (from, to) in [(one, other), (other, one)] {
            let effects = members[from].seeking.linkBegan(
                Self.device(to), in: Self.space, now: now)
            perform(effects, at: from)
        }
    }

    mutating func unlink(_ one: Int, _ other: Int) {
        links[one].remove(other)
        links[other].remove(one)
        members[one].seeking.linkEnded(Self.device(other))
        members[other].seeking.linkEnded(Self.device(one))
    }

    /// Has every node keep a record that names a blob.
    mutating func name(_ blob: Blob) {
        for index in members.indices { members[index].named.insert(blob) }
    }

    mutating func seek(_ blobs: [Blob], at node: Int, withRecord: Bool = false) {
        let wanted = blobs.map(Self.wanted)
        let effects =
            withRecord
            ? members[node].seeking.seek(withRecord: wanted, now: now)
            : members[node].seeking.seek(wanted, now: now)
        perform(effects, at: node)
        run()
    }

    /// Lets a node have content, as if it had arrived there.
    mutating func give(_ blob: Blob, to node: Int) {
        members[node].here.insert(blob.hash)
        perform(members[node].seeking.arrived(Self.wanted(blob), now: now), at: node)
        run()
    }

    mutating func send(_ seek: Seek, from: Int, to: Int) {
        letters.append((from, to, .seek(seek)))
        run()
    }

    /// Lets time pass, second by second.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while now < end {
            now += .seconds(1)
            for node in members.indices {
                perform(members[node].seeking.advance(now: now), at: node)
            }
            run()
        }
    }

    /// Delivers everything that is under way.
    private mutating func run() {
        while !letters.isEmpty {
            let (from, to, letter) = letters.removeFirst()
            guard links[to].contains(from) else { continue }
            let effects: [ContentSeeking.Effect]
            switch letter {
            case .seek(let seek):
                questions[[from, to], default: 0] += seek.blobs.count
                effects = members[to].seeking.receive(
                    seek, in: Self.space, from: Self.device(from), now: now)
            case .found(let found):
                effects = members[to].seeking.receive(
                    found, in: Self.space, from: Self.device(from), now: now)
            }
            perform(effects, at: to)
            #expect(members[to].seeking.isBounded)
        }
    }

    private func number(_ device: DeviceID) -> Int {
        Int(device.bytes[0]) << 8 | Int(device.bytes[1])
    }

    private mutating func perform(_ effects: [ContentSeeking.Effect], at node: Int) {
        for effect in effects {
            switch effect {
            case .ask(let device, _, let hops, let blobs):
                let seek = Seek(channel: 0, hops: hops, blobs: blobs)
                letters.append((node, number(device), .seek(seek)))
            case .tell(let device, _, let hashes):
                letters.append((node, number(device), .found(Found(channel: 0, hashes: hashes))))
            case .lookUp(let device, let space, let hops, let blobs):
                let arrivals = members[node].seeking.arrivalsCount
                let found = blobs.map { ($0, content(of: $0, at: node)) }
                let answer = members[node].seeking.answer(
                    found.map { (blob: $0.0, content: $0.1) }, hops: hops, in: space, to: device,
                    after: arrivals, now: now)
                perform(answer, at: node)
            case .fetch(let wanted): fetch(wanted, at: node)
            case .settle(let wanted): settled[node, default: []].append(wanted)
            case .giveUp(let wanted): givenUp[node, default: []].append(wanted)
            }
        }
    }

    private func content(of blob: SoughtBlob, at node: Int) -> SoughtContent {
        if members[node].here.contains(blob.hash) || members[node].isSilent { return .isHere }
        let named = members[node].named.first {
            $0.hash == blob.hash && $0.bytesCount == blob.bytesCount
        }
        return named.map { .missing($0) } ?? .unknown
    }

    private mutating func fetch(_ wanted: ContentFetching.Wanted, at node: Int) {
        let finders = members[node].seeking.finders(of: wanted, now: now).map(number)
        for finder in finders {
            guard members[finder].here.contains(wanted.blob.hash) else {
                members[node].seeking.recordSilence(of: Self.device(finder), now: now)
                continue
            }
            members[node].here.insert(wanted.blob.hash)
            return perform(members[node].seeking.arrived(wanted, now: now), at: node)
        }
    }
}
