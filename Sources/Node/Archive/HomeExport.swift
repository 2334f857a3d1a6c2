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
        try NewFile.check(path)
        let beside = path + NewFile.draftEnding
        guard !FileManager.default.fileExists(atPath: beside) else {
            throw CommandFault.conflict(
                "there is already a file at \(beside), where the export is written first; move it "
                    + "away, or choose another name")
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
            return WrittenExport(file: path, spaces: counts.spaces, records: counts.records)
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
                    let writer = ExportWriter(reader: reader, collections: collections, put: put)
                    try writer.write(identity)
                    return (writer.spacesCount, writer.recordsCount)
                }
            }
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }
}

/// Writes an ``ExportedHome`` whose lists are read one element at a time.
private final class ExportWriter {
    private let reader: ReplicaReader
    private let collections: [RecordCollection]
    private let put: (String) throws -> Void
    private(set) var spacesCount = 0
    private(set) var recordsCount = 0

    init(
        reader: ReplicaReader, collections: [RecordCollection],
        put: @escaping (String) throws -> Void
    ) {
        self.reader = reader
        self.collections = collections
        self.put = put
    }

    func write(_ identity: NodeIdentity) throws {
        let home = ExportedHome(person: Key(identity.person.person), device: Key(identity.key.id))
        try write(home, by: ExportedHome.CodingKeys.self) { key in
            switch key {
            case .people:
                try writeList { begin in
                    for record in try reader.people() {
                        try begin()
                        try write(exported(record))
                    }
                }
            case .spaces:
                try writeList { begin in
                    for space in try reader.spaces() {
                        try begin()
                        try write(space)
                    }
                }
            case .blobs:
                try writeList { begin in
                    try reader.blobs { hash, content in
                        try begin()
                        try write(
                            ExportedHome.Content(
                                sha256: Key(hash), content: Data(content).base64EncodedString()))
                    }
                }
            case .waggleExport, .person, .device: return false
            }
            return true
        }
        try put("\n")
    }

    private func write(_ space: ReplicaReader.Space) throws {
        spacesCount += 1
        try write(exported(space), by: ExportedHome.Space.CodingKeys.self) { key in
            guard key == .collections else { return false }
            try writeCollections(of: space)
            return true
        }
    }

    private func writeCollections(of space: ReplicaReader.Space) throws {
        let known = collections.filter { $0.spaces.contains(space.descriptor.kind) }
        try put("{")
        for (index, collection) in known.enumerated() {
            try put((index > 0 ? "," : "") + JSONValue.string(collection.name).jsonText() + ":")
            try writeList { begin in
                try reader.records(of: collection, in: space) { record in
                    recordsCount += 1
                    try begin()
                    try write(exported(record, of: collection))
                }
            }
        }
        try put("}")
    }

    // MARK: - JSON

    private func write(_ value: some Encodable) throws {
        try put(JSONValue(encoding: value).jsonText())
    }

    /// Writes an object's members in the order of its keys.
    /// - Parameter writeMember: writes the value of a member piece by piece and returns true, or
    ///   returns false for a member that is written as it is in `object`.
    private func write<Keys: CodingKey & CaseIterable>(
        _ object: some Encodable, by keys: Keys.Type, _ writeMember: (Keys) throws -> Bool
    ) throws {
        let json = JSONValue(encoding: object)
        var separator = "{"
        for key in keys.allCases {
            // A member without a value is left out.
            guard let value = json[key.stringValue] else { continue }
            try put(separator + JSONValue.string(key.stringValue).jsonText() + ":")
            separator = ","
            if try !writeMember(key) { try put(value.jsonText()) }
        }
        try put("}")
    }

    /// Writes a list with one element in each line.
    /// - Parameter writeElements: writes the elements, and calls `begin` before each.
    private func writeList(
        _ writeElements: (_ begin: () throws -> Void) throws -> Void
    ) throws {
        var isFirst = true
        try put("[")
        try writeElements {
            try put(isFirst ? "\n" : ",\n")
            isFirst = false
        }
        try put("]")
    }
}

private func exported(_ record: PersonRecord) -> ExportedHome.Person {
    ExportedHome.Person(
        person: Key(record.person), devices: record.devices.sorted().map { Key($0) })
}

/// Returns a space without its records.
private func exported(_ space: ReplicaReader.Space) -> ExportedHome.Space {
    ExportedHome.Space(
        id: Key(space.descriptor.id), kind: space.descriptor.kind.name,
        name: space.descriptor.neighbourhoodName, batches: space.batchCount,
        members: space.members.map {
            ExportedHome.Member(
                person: Key($0.person), role: $0.role.name, state: $0.state.rawValue)
        })
}

extension SpaceDescriptor {
    /// The name of a neighbourhood in its canonical form; nil for other spaces.
    fileprivate var neighbourhoodName: String? {
        if case .open(let name) = self { name } else { nil }
    }
}

private func exported(
    _ record: ReplicaReader.Record, of collection: RecordCollection
) -> ExportedHome.Record {
    var fields = record.fields.mapValues(json)
    for field in collection.fields where field.type.isBlob {
        guard case .bytes(let bytes)? = record.fields[field.name],
            let blob = try? Blob(decoding: bytes)
        else { continue }
        fields[field.name] = .object([
            "sha256": .string(blob.hash.description), "bytes": .integer(Int64(blob.bytesCount)),
            "kind": .string(blob.kind),
        ])
    }
    return ExportedHome.Record(
        entity: RecordKey(record.entity), creator: Key(record.creator), beganMs: record.began.time,
        fields: fields)
}

/// Converts a value to JSON; bytes become lower-case hexadecimal.
private func json(_ value: Value) -> JSONValue {
    switch value {
    case .bytes(let bytes): .string(Hexadecimal.text(bytes))
    case .list(let elements): .array(elements.map(json))
    default: JSONValue(value) ?? .null
    }
}
