public import PluginKit
internal import Synchronization

/// The answers of commands: each is checked against its schema, and the members that were seen are
/// compared with all that the schemas have.
///
///     let record = AnswerRecord(of: Wave.commands.map(\.declaration))
///     let ann = record.recording(host)
///     try await ann.call(WaveCommands.list)
///     #expect(record.missingRoutes.isEmpty && record.unseenMembers.isEmpty)
public final class AnswerRecord: Sendable {
    /// A member of one type of object. Two answers that contain the same type share its members.
    private struct Place: Hashable {
        let owner: [Schema.Member]
        let name: String
    }

    private struct State {
        var routes: Set<String> = []
        var seen: Set<Place> = []
    }

    private let declarations: [CommandDeclaration]
    private let state = Mutex(State())

    /// An empty record.
    /// - Parameter declarations: the commands of which no answer may be missing at the end.
    public init(of declarations: [CommandDeclaration]) {
        self.declarations = declarations
    }

    /// Returns a performer whose answers are recorded here.
    public func recording(_ performer: any CommandPerformer) -> some CommandPerformer {
        RecordedPerformer(performer: performer, record: self)
    }

    /// Checks an answer against the declared schema and records its members.
    /// - Throws: ``AnswerMismatch``.
    public func record(
        _ command: CommandDeclaration, _ answer: JSONValue
    ) throws(AnswerMismatch) {
        do throws(CommandFault) {
            try command.result.check(answer, field: command.route)
        } catch {
            throw AnswerMismatch(
                route: command.route, reason: "\(error.sentence): \(answer)")
        }
        state.withLock { state in
            state.routes.insert(command.route)
            Self.recordMembers(of: answer, command.result, in: &state)
        }
    }

    private static func recordMembers(
        of value: JSONValue, _ schema: Schema, in state: inout State
    ) {
        switch schema {
        case .object(let members, _):
            for member in members {
                // A list without elements shows nothing of them.
                guard let part = value[member.name], part != [] else { continue }
                state.seen.insert(Place(owner: members, name: member.name))
                recordMembers(of: part, member.schema, in: &state)
            }
        case .list(let element, _):
            for part in value.array ?? [] { recordMembers(of: part, element, in: &state) }
        case .map(let part):
            guard case .object(let parts) = value else { return }
            for value in parts.values { recordMembers(of: value, part, in: &state) }
        case .any, .boolean, .integer, .number, .text: break
        }
    }

    /// The routes of the commands that were not performed.
    public var missingRoutes: [String] {
        let routes = state.withLock { $0.routes }
        return declarations.map(\.route).filter { !routes.contains($0) }
    }

    /// The paths of the members that no answer had, and of the lists that were always empty. The
    /// members inside an unseen member are not listed.
    public var unseenMembers: [String] {
        let seen = state.withLock { $0.seen }
        var known: Set<Place> = []
        var unseen: [String] = []
        func visit(_ schema: Schema, _ path: String) {
            switch schema {
            case .object(let members, _):
                for member in members {
                    let place = Place(owner: members, name: member.name)
                    guard known.insert(place).inserted else { continue }
                    let path = "\(path).\(member.name)"
                    if seen.contains(place) {
                        visit(member.schema, path)
                    } else {
                        unseen.append(path)
                    }
                }
            case .list(let part, _), .map(let part): visit(part, path)
            case .any, .boolean, .integer, .number, .text: break
            }
        }
        for declaration in declarations {
            visit(declaration.result, "\(declaration.noun) \(declaration.verb)")
        }
        return unseen
    }
}

/// A performer of commands whose answers are recorded as JSON, before they become typed values.
private struct RecordedPerformer: CommandPerformer {
    let performer: any CommandPerformer
    let record: AnswerRecord

    func answer(
        to command: CommandDeclaration, _ values: [String: JSONValue]
    ) async throws -> JSONValue {
        let answer = try await performer.answer(to: command, values)
        try record.record(command, answer)
        return answer
    }
}
