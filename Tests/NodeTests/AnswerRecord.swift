import ControlAPI
import PluginKit
import Synchronization
import Testing

@testable import Node

/// The answers of commands: each is checked against its schema, and the members that were seen are
/// compared with all that the schemas have.
final class AnswerRecord: Sendable {
    /// A member of one type of object. Two answers that contain the same type share its members.
    private struct Place: Hashable {
        let owner: [Schema.Member]
        let name: String
    }

    private struct State {
        var routes: Set<String> = []
        var seen: Set<Place> = []
    }

    private let state = Mutex(State())

    /// Checks an answer against the declared schema and records its members.
    func record(_ command: CommandDeclaration, _ answer: JSONValue) throws {
        let declaration = try #require(
            CommandCatalogue.declarations.first { $0.route == command.route })
        do throws(CommandFault) {
            try declaration.result.check(answer, field: declaration.route)
        } catch {
            Issue.record("\(error.sentence): \(answer.jsonText())")
        }
        state.withLock { state in
            state.routes.insert(declaration.route)
            Self.recordMembers(of: answer, declaration.result, in: &state)
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
    var missingRoutes: [String] {
        let routes = state.withLock { $0.routes }
        return CommandCatalogue.declarations.map(\.route).filter { !routes.contains($0) }
    }

    /// The paths of the members that no answer had, and of the lists that were always empty. The
    /// members inside an unseen member are not listed.
    var unseenMembers: [String] {
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
        for declaration in CommandCatalogue.declarations {
            visit(declaration.result, "\(declaration.noun) \(declaration.verb)")
        }
        return unseen
    }
}
