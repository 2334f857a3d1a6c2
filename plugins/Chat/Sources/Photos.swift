internal import ChatAPI
public import PluginKit

/// Photos of messages: storing, showing and saving them.
extension Chat {
    /// Encodes a picture and stores it as content of a room.
    func store(
        _ source: PhotoSource, in space: SpaceDescriptor
    ) async throws -> MessagePhoto {
        let photo = try await context.photos.encode(source, for: .chat)
        let blob = try await context.blobs.put(photo.jpeg, kind: EncodedPhoto.kind, in: space)
        guard let described = MessagePhoto(photo, stored: blob) else {
            throw CommandFault.failed("The photo was not stored; try again.")
        }
        return described
    }

    /// Performs `chat photo`: says which file has the photo of a message, or when it comes, and
    /// copies it if that is requested.
    func photo(_ request: ShowPhoto) async throws -> PhotoContent {
        let found = try request.id.onlyMatch(
            in: try await find(request.id.entities, isShown: true), of: "message",
            listedBy: "chat open")
        guard let photo = found.message.photo else {
            throw CommandFault.notFound("This message has no photo.")
        }
        if let path = request.save {
            guard try await context.blobs.save(photo.blob, in: found.space, to: path.string) else {
                let note = try await wait(for: found)
                throw CommandFault.conflict("It is not here yet. \(note)")
            }
            return PhotoContent(file: path)
        }
        guard let file = try await context.blobs.file(of: photo.blob, in: found.space) else {
            return PhotoContent(note: try await wait(for: found))
        }
        return PhotoContent(file: try FilePath(file))
    }

    /// Says when a photo comes that is not here.
    private func wait(for found: Found) async throws -> Sentence {
        let author = found.message.author
        guard author != context.me else {
            return "Loads when you meet another device of yours that has it."
        }
        let names = try await names(in: [found.number])
        let name = names.name(of: author, in: found.number).map { Sentence(verbatim: $0) }
        guard !linked.values.contains(author) else {
            return name.map { "Loading from \($0)." } ?? "Loading."
        }
        return name.map { "Loads when you meet \($0)." } ?? "Loads when you meet the sender."
    }

    /// Answers `chat thumbnails`. A message without a photo is left out.
    func thumbnails(_ request: ListThumbnails) async throws -> MessageThumbnails {
        guard request.ids.count <= ChatLimits.thumbnailsCountMax else {
            throw CommandFault.usage(
                "'ids' has at most \(ChatLimits.thumbnailsCountMax) messages", field: "ids")
        }
        let room = try await room(named: request.room)
        guard !request.ids.isEmpty else { return MessageThumbnails(thumbnails: []) }
        let ids = request.ids.map { Value.bytes(Hexadecimal.bytes($0.string) ?? []) }
        let rows = try await context.replica.rows(
            """
            SELECT * FROM chat_shown WHERE space = ?
                AND entity IN (\(ids.map { _ in "?" }.joined(separator: ", ")))
            """,
            [.integer(room.space)] + ids)
        return MessageThumbnails(
            thumbnails: rows.compactMap(Message.init).compactMap { message in
                message.photo.flatMap { ThumbnailDigits($0.thumbnail.jpeg) }.map {
                    MessageThumbnails.Thumbnail(id: RecordKey(message.id), jpeg: $0)
                }
            })
    }

    /// Publishes that a room has changed, because the content of a photo arrived.
    public func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws {
        await publish([space])
    }
}
