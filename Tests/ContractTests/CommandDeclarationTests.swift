import Contract
import Synchronization
import Testing

/// Declarations of commands without their types.
@Suite struct CommandDeclarationTests {
    private static let derivedCount = Mutex(0)

    private static func derive() -> Schema {
        derivedCount.withLock { $0 += 1 }
        return .object([.init("isVisible", .boolean)])
    }

    @Test func `the shape of an answer is derived once, when it is first read`() {
        let declaration = CommandDeclaration(
            "me", "show", .query, help: "Shows you.", result: Self.derive())
        let copy = declaration
        #expect(Self.derivedCount.withLock { $0 } == 0)
        #expect(copy.result == .object([.init("isVisible", .boolean)]))
        #expect(declaration.result == copy.result)
        #expect(Self.derivedCount.withLock { $0 } == 1)
    }

    @Test func `declarations are compared by all but the shape of the answer`() {
        func declaration(_ help: String, _ result: Schema) -> CommandDeclaration {
            CommandDeclaration("me", "show", .query, help: help, result: result)
        }
        #expect(declaration("Shows you.", .done) == declaration("Shows you.", .boolean))
        #expect(declaration("Shows you.", .done) != declaration("Shows your dog.", .done))
    }
}
