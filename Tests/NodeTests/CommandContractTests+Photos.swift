import ChatAPI
import ControlAPI
import FeaturesAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

// The commands of photos: of people, in a drop, and in a chat.
extension CommandContractTests {
    /// Makes a picture a person's photo.
    func choosePhoto(_ caller: Caller) async throws {
        try await caller.call(ProfileCommands.photo, .init(file: FilePath.picture()))
        try await caller.call(ProfileCommands.show)
    }

    /// Shows the photo of a mate, and sends one in a chat.
    func photos(_ ana: Caller, _ bob: Caller) async throws {
        await bob.wait(for: MateCommands.list) { $0.mates.first?.photoMs != nil }
        let mate = PhotoRequest(person: NameOrKey(try await ana.person), thumbnail: true)
        let isHere = await eventually {
            (try? await bob.call(MateCommands.photo, mate))?.file != nil
        }
        #expect(isHere)

        let room = NameOrKey(try await bob.person)
        let sent = try await ana.call(
            ChatCommands.send,
            .init(room: room, text: MessageText("A photo"), photo: FilePath.picture()))
        try await ana.call(ChatCommands.rooms)
        try await ana.call(ChatCommands.open, .init(room: room, limit: MessageCount(10)))
        try await ana.call(ChatCommands.search, .init(text: SearchText("photo")))
        try await ana.call(ChatCommands.thumbnails, .init(room: room, ids: [sent.id]))
        try await ana.call(ChatCommands.photo, .init(id: RecordPrefix(sent.id)))
        let hasArrived = await eventually {
            let request = ShowPhoto(id: RecordPrefix(sent.id))
            return (try? await bob.call(ChatCommands.photo, request))?.file != nil
        }
        #expect(hasArrived)
        try await ana.call(ChatCommands.delete, .init(id: RecordPrefix(sent.id)))
    }
}
