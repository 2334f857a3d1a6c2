public import ControlAPI
internal import Foundation
internal import Identity
public import NodeAPI
internal import PluginHost
public import PluginKit
internal import Records
internal import Replica

/// All readable data of a home as one JSON document, written piece by piece, so that its length has
/// no limit. `docs/export.md` describes the layout.
public struct HomeExport {
    /// The version of the document's layout.
    static let version: Int64 = 1

    private let home: Home
    private let plugins: [any Plugin.Type]

    /// Creates an export of a home with the given plugins.
    public init(_ home: Home, plugins: [any Plugin.Type] = PluginCatalogue.all) {
        self.home = home
        self.plugins = plugins
    }

    /// Writes the document to a new file, which is renamed to its final name when it is complete.
    /// - Returns: the answer of the command.
    /// - Throws: ``CommandFault``; no file is left behind then.
    public func write(to path: String) throws -> WrittenExport {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandFault.conflict(
                "there is a file at \(path) already; it is not replaced: name another")
        }
        let beside = path + ".new"
        guard !FileManager.default.fileExists(atPath: beside) else {
            throw CommandFault.conflict(
                "there is a file at \(beside) already, where the export is written first; move it "
                    + "away, or name another")
        }
        guard
            FileManager.default.createFile(
                atPath: beside, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: beside)
        else { throw CommandFault.failed("\(beside) cannot be written") }
        do {
            let counts = try write { try handle.write(contentsOf: Data($0.utf8)) }
            try handle.synchronize()
            try handle.close()
            try FileManager.default.moveItem(atPath: beside, toPath: path)
            return WrittenExport(
                file: path, spaces: Int(counts.spaces), records: Int(counts.records))
        } catch {
            try? handle.close()
            try? FileManager.default.removeItem(atPath: beside)
            throw error is CommandFault ? error : CommandFault.failed("the export failed: \(error)")
        }
    }

    /// Writes the document through a closure that receives pieces of text.
    /// - Returns: how many spaces and records it holds.
    @discardableResult
    public func write(
        _ put: (String) throws -> Void
    ) throws -> (spaces: Int, records: Int) {
        let identity = try NodeIdentity.load(from: home)
        let collections = plugins.flatMap { $0.manifest.collections }.sorted { $0.name < $1.name }
        do {
            return try withoutActuallyEscaping(put) { put in
                try ReplicaReader.reading(home.replicaFile, collections: collections) { reader in
                    var writer = ExportWriter(reader: reader, collections: collections, put: put)
                    try writer.write(identity)
                    return (writer.spacesCount, writer.recordsCount)
                }
            }
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }
}

/// Writes the pieces in order.
private struct ExportWriter {
    let reader: ReplicaReader
    let collections: [RecordCollection]
    let put: (String) throws -> Void
    var spacesCount = 0
    var recordsCount = 0

    mutating func write(_ identity: NodeIdentity) throws {
        try put("{\"waggleExport\":\(HomeExport.version)")
        try put(",\"person\":\(JSONValue.string(identity.person.person.description).jsonText())")
        try put(",\"device\":\(JSONValue.string(identity.key.id.description).jsonText())")
        try put(",\"people\":[")
        for (index, record) in try reader.people().enumerated() {
            try put((index > 0 ? ",\n" : "\n") + person(record).jsonText())
        }
        try put("],\"spaces\":[")
        for space in try reader.spaces() {
            try put(spacesCount > 0 ? ",\n" : "\n")
            try write(space)
            spacesCount += 1
        }
        try put("]}\n")
    }

    private func person(_ record: PersonRecord) -> JSONValue {
        [
            "person": .string(record.person.description),
            "devices": .array(record.devices.sorted().map { .string($0.description) }),
        ]
    }

    private mutating func write(_ space: ReplicaReader.Space) throws {
        let head: JSONValue = [
            "id": .string(space.descriptor.id.description),
            "kind": .string(space.descriptor.kind.word),
            "batches": .integer(Int64(space.batchCount)),
            "members": .array(
                space.members.map {
                    [
                        "person": .string($0.person.description), "role": .string($0.role.word),
                        "state": .string($0.state.rawValue),
                    ]
                }),
        ]
        try put(String(head.jsonText().dropLast()) + ",\"collections\":{")
        var isFirst = true
        for collection in collections where collection.spaces.contains(space.descriptor.kind) {
            try put((isFirst ? "" : ",") + JSONValue.string(collection.name).jsonText() + ":[")
            isFirst = false
            var count = 0
            try reader.records(of: collection, in: space) { record in
                try put((count > 0 ? ",\n" : "\n") + ExportWriter.json(record).jsonText())
                count += 1
            }
            recordsCount += count
            try put("]")
        }
        try put("}}")
    }

    private static func json(_ record: ReplicaReader.Record) -> JSONValue {
        [
            "entity": .string(record.entity.description),
            "creator": .string(record.creator.description),
            "beganMs": .integer(record.began.time.milliseconds),
            "fields": .object(record.fields.mapValues(json)),
        ]
    }

    /// Converts a value to JSON; bytes become lower-case hexadecimal.
    private static func json(_ value: Value) -> JSONValue {
        switch value {
        case .bytes(let bytes): .string(Hexadecimal.text(bytes))
        case .list(let elements): .array(elements.map(json))
        default: JSONValue(value) ?? .null
        }
    }
}
