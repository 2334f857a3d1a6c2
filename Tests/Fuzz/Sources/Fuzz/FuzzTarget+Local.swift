import ChatAPI
import Contract
import ControlAPI
import Crypto
import FeaturesAPI
import Foundation
import NodeAPI
import PromisesAPI
import ProximityDropAPI
import Replica

@testable import GPSD
@testable import Location

// What comes from this machine: requests to the local API, tracks, receivers' reports and backups.
extension FuzzTarget {
    /// The first byte chooses the command, the rest is its JSON. A typed request says the same, and
    /// says it in a query string too.
    static let request = FuzzTarget("request", costing: .large) { bytes in
        guard let first = bytes.first else { return }
        let command = requests[Int(first) % requests.count]
        guard case .object(let members) = try JSONValue(parsing: bytes.dropFirst()) else { return }
        try command(members)
    }

    private static func request<Request, Answer>(
        _ command: Command<Request, Answer>
    ) -> @Sendable ([String: JSONValue]) throws -> Void {
        { members in
            let arguments = try Arguments(checking: members, against: command.declaration)
            let request: Request
            do {
                request = try arguments.request(as: Request.self)
            } catch {
                throw BrokenRule(rule: "the schema admits what the type refuses: \(error)")
            }
            let typed = Arguments(request)
            try require(try typed.request(as: Request.self) == request, "a request changes")
            let items = command.declaration.query(for: typed).split(separator: "&").map {
                let parts = $0.split(separator: "=", omittingEmptySubsequences: false)
                return (
                    name: String(parts[0]), text: String(parts[1]).removingPercentEncoding ?? "?"
                )
            }
            let queried = try? command.declaration.arguments(fromQuery: items)
            try require(
                try queried?.request(as: Request.self) == request, "a query says something else")
        }
    }

    /// One command of each type of request, in the order that the kept inputs mean.
    private static let requests: [@Sendable ([String: JSONValue]) throws -> Void] = [
        request(NodeCommands.addPeer), request(NodeCommands.verify), request(NodeCommands.repair),
        request(GroupCommands.create), request(GroupCommands.invite), request(GroupCommands.note),
        request(LocationCommands.set), request(LocationCommands.source),
        request(WalkCommands.ask), request(ProfileCommands.edit), request(DropCommands.start),
        request(ChatCommands.send), request(ChatCommands.page), request(ChatCommands.search),
        request(PromiseCommands.create), request(PromiseCommands.edit),
        request(PromiseCommands.invite), request(PromiseCommands.list),
        request(PromiseCommands.share), request(ChatCommands.delete), request(ChatCommands.open),
        request(ChatCommands.follow), request(InboxCommands.handle), request(MateCommands.remove),
        request(MateCommands.block), request(WalkCommands.note), request(NodeCommands.backup),
        request(NodeCommands.deleteMe),
    ]

    /// A written text is read and written as the same text.
    static let json = FuzzTarget("json", costing: .large) { bytes in
        let text = try JSONValue(parsing: bytes).jsonText()
        try require(try JSONValue(parsing: text.utf8).jsonText() == text, "a text changes")
    }

    /// A track has points with times that do not fall.
    static let gpx = FuzzTarget("gpx", costing: .large) { bytes in
        let times = try GPXTrack(gpx: bytes).fixes.map(\.at)
        try require(times.count <= GPXTrack.pointsMax, "\(times.count) points")
        for (earlier, later) in zip(times, times.dropFirst()) {
            guard let earlier, let later, earlier <= later else {
                throw BrokenRule(rule: "the times of a track fall, or one has none")
            }
        }
    }

    static let gpsd = FuzzTarget("gpsd", costing: .large) { bytes in
        guard case .position(let fix?) = try GPSDReport(line: bytes) else { return }
        let accuracy = fix.accuracyMetres ?? 0
        try require(accuracy.isFinite && accuracy >= 0, "an accuracy of \(accuracy) m")
    }

    /// Any bad file is refused with a sentence. The first byte chooses whether the rest is the
    /// whole file or lacks its last hash, so that the database before it is read too; and whether
    /// only the identity is read or everything is restored.
    static let backup = FuzzTarget("backup", costing: backupLimit) { bytes in
        guard let first = bytes.first else { return }
        let file = Array(bytes.dropFirst())
        let path = "/dev/shm/waggle-fuzz.\(ProcessInfo.processInfo.processIdentifier)"
        let seal = first & 1 == 0 ? [] : Array(SHA256.hash(data: file))
        try Data(file + seal).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let backup = BackupFile(path: path)
        guard first & 2 != 0 else {
            _ = try backup.identity()
            return
        }
        let replica = path + ".replica"
        try backup.unpack(to: replica)
        try FileManager.default.removeItem(atPath: replica)
    }

    /// A database is copied, checked page by page and merged anew.
    private static let backupLimit = CostLimit(
        allocatedBytesPerByteMax: 4096, allocatedBytesBesidesMax: 1 << 26, checksMax: 1024)
}
