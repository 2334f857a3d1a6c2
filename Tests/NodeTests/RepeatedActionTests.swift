import ControlAPI
import ControlClient
import FeaturesAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

/// Actions that are sent again with the same id, to real nodes.
@Suite struct RepeatedActionTests {
    private func perform<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request, _ id: ActionID,
        on node: RunningNode
    ) async throws -> Answer {
        try await node.client.perform(command.declaration, Arguments(request), id: id).decoded()
    }

    private func notes(in group: NameOrKey, on node: RunningNode) async throws -> Int {
        try await node.call(GroupCommands.show, GroupReference(group: group)).notes.count
    }

    @Test func `an action sent again after a restart creates no second record`() async throws {
        var node = try await RunningNode.start()
        _ = try await node.call(
            ProfileCommands.edit, EditProfile(nickname: try Nickname("Ana")))
        var random = SystemRandomNumberGenerator()
        let (founding, noting) = (ActionID(using: &random), ActionID(using: &random))
        let request = CreateGroup(name: try GroupName("Walks", field: "name"))
        let founded = try await perform(GroupCommands.create, request, founding, on: node)
        let group = NameOrKey(founded.id)
        let note = WriteNote(group: group, text: try Text("Hello", field: "text"))
        let first = try await perform(GroupCommands.note, note, noting, on: node)

        // The answers may have been lost; the node remembers none after its restart.
        try await node.stop()
        node = try await RunningNode.start(node.home)
        #expect(
            try await perform(GroupCommands.create, request, founding, on: node).id == founded.id)
        #expect(try await perform(GroupCommands.note, note, noting, on: node).id == first.id)
        #expect(try await node.call(GroupCommands.list).groups.count == 1)
        #expect(try await notes(in: group, on: node) == 1)

        // Another action of the user with the same content is another note.
        _ = try await perform(GroupCommands.note, note, ActionID(using: &random), on: node)
        #expect(try await notes(in: group, on: node) == 2)
        try await node.remove()
    }
}
