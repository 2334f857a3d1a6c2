internal import PluginKit
internal import Records
internal import Replica

extension PluginServices: BlobAccess {
    func put(_ content: [UInt8], kind: String, in space: SpaceDescriptor) async throws -> Blob {
        try require(kind, in: space)
        do {
            return try await node.put(content, kind: kind, in: space)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        } catch let fault as BlobFault {
            throw CommandFault.refused(fault.sentence)
        }
    }

    func find(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]? {
        try require(blob.kind, in: space)
        do {
            return try await node.find(blob, in: space)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }

    func findHere(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]? {
        try require(blob.kind, in: space)
        do {
            return try await node.findHere(blob, in: space)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }

    func file(of blob: Blob, in space: SpaceDescriptor) async throws -> String? {
        try require(blob.kind, in: space)
        do {
            return try await node.file(of: blob, in: space)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }

    func save(_ blob: Blob, in space: SpaceDescriptor, to path: String) async throws -> Bool {
        try require(blob.kind, in: space)
        do {
            return try await node.save(blob, in: space, to: path)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        } catch let fault as BackupFault {
            throw CommandFault.refused(fault.sentence)
        }
    }

    private func require(_ kind: String, in space: SpaceDescriptor) throws {
        guard manifest.hasBlobs(of: kind, in: space.kind) else {
            throw refusal("a field for \(kind) in \(space.kind.name) spaces")
        }
    }
}

extension PluginServices: PhotoAccess {
    func encode(_ source: PhotoSource, for use: PhotoUse) async throws -> EncodedPhoto {
        let mayHavePhotos = SpaceKind.allCases.contains { kind in
            manifest.hasBlobs(of: EncodedPhoto.kind, in: kind)
        }
        guard mayHavePhotos else {
            throw refusal("a field for \(EncodedPhoto.kind)")
        }
        return try await node.encode(source, for: use)
    }
}

extension Manifest {
    /// Whether a collection for spaces of a kind has a field for blobs of a media type.
    func hasBlobs(of kind: String, in space: SpaceKind) -> Bool {
        collections.contains { collection in
            collection.spaces.contains(space)
                && collection.fields.contains { field in
                    guard case .blob(let kinds, _) = field.type else { return false }
                    return kinds.contains(kind)
                }
        }
    }
}
