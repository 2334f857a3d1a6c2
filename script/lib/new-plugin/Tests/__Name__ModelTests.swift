import Contract
import ControlAPI
import PanelKit
import PanelTestSupport
import Testing
import __Name__API

@testable import __Name__Panel

/// The panel of __name__ without its widgets, which need a display.
@MainActor
struct __Name__ModelTests {
    private let node = FakeNode()
    private let model: __Name__Model

    init() {
        model = __Name__Model(node: node)
        let entry = __Name__Entry(
            id: id("1"), text: "Hello", atMs: Timestamp(milliseconds: 5))
        node.answer(__Name__Commands.list, with: __Name__List(entries: [entry]))
        node.answer(__Name__Commands.add, with: entry)
    }

    @Test func `an added entry renews the list when its event arrives`() async throws {
        try await model.add("Hello")
        #expect(
            try node.drainRequests(of: __Name__Commands.add) == [Add__Name__(text: Text("Hello"))])
        #expect(node.drainQueries().isEmpty)
        model.queries.receive(NodeEvent(__Name__Events.changed, __Name__Change(id: id("1"))))
        await model.queries.settle()
        #expect(node.drainQueries() == ["__name__/list"])
        #expect(model.entries.map(\.text) == ["Hello"])
    }

    @Test func `a text that breaks its rule is refused before it is sent`() async {
        await #expect(throws: CommandFault.self) { try await model.add("") }
        #expect(node.drainActions().isEmpty)
    }
}
