import Foundation
import Logging
import Features
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

/// The manifest is the permission: the host refuses everything that it does not declare.
@Suite(.serialized) struct PluginPermissionTests {
    private func attempt(
        _ what: String, sql: String? = nil,
        _ check: (Result<NosyPlugin.Attempted, any Error>) -> Void
    ) async throws {
        let node = try await RunningNode.start(
            try RunningNode.founded(), plugins: [CoreFeatures.self, NosyPlugin.self])
        do {
            check(.success(try await node.call(NosyPlugin.attempt, .init(what: what, sql: sql))))
        } catch {
            check(.failure(error))
        }
        try await node.remove()
    }

    @Test(arguments: [
        "note in card", "profile", "open card", "open group", "create group", "join group",
        "neighbourhoods", "open neighbourhood", "photo", "foreign photo", "topic", "direct", "mate",
        "inbox", "announce", "switch", "visible", "file", "new file", "journal", "journal entry",
        "notice", "foreign button",
    ])
    func `an undeclared access is refused by name`(what: String) async throws {
        try await attempt(what) { result in
            #expect(throws: CommandFault.self) { try result.get() }
            if case .failure(let fault as CommandFault) = result {
                #expect(fault.code == "refused")
                #expect(fault.sentence.contains("nosy"))
            }
        }
    }

    @Test func `a plugin may write its own collection in its own space`() async throws {
        try await attempt("own note") { result in
            #expect(throws: Never.self) { try result.get() }
        }
    }

    @Test func `a plugin may show a notice of its kind with a button of its own`() async throws {
        try await attempt("own button") { result in
            #expect(throws: Never.self) { try result.get() }
        }
    }

    @Test func `a field over its limit is refused and named`() async throws {
        try await attempt("long note") { result in
            #expect(throws: CommandFault.self) { try result.get() }
            if case .failure(let fault as CommandFault) = result {
                #expect(fault.sentence.contains("text"))
            }
        }
    }

    @Test(arguments: [
        "SELECT * FROM nosy_note", "SELECT * FROM neighbours_relations",
        "SELECT * FROM waggle_space",
    ])
    func `a plugin may read its own and the core's tables and views`(sql: String) async throws {
        try await attempt("read", sql: sql) { result in
            #expect(throws: Never.self) { try result.get() }
        }
    }

    @Test(arguments: [
        "SELECT * FROM batch", "SELECT * FROM register", "DELETE FROM nosy_note",
        "PRAGMA journal_mode = DELETE", "SELECT * FROM sqlite_master", "ATTACH ':memory:' AS x",
        "SELECT 1; DROP TABLE nosy_note",
    ])
    func `the engine's tables are closed, and SQL cannot write`(sql: String) async throws {
        try await attempt("read", sql: sql) { result in
            #expect(throws: (any Error).self) { try result.get() }
        }
    }

    @Test(arguments: ["nearby", "empty reason"])
    func `without the service, asking who is nearby is refused`(what: String) async throws {
        try await attempt(what) { result in
            #expect(throws: CommandFault.self) { try result.get() }
        }
    }
}
