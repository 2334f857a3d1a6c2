import Foundation
import Testing

/// The behaviour of links on a real LAN. Each claim is a trial of `script/lan-trial`: hosts in
/// namespaces, real daemons, real nodes, and `ss` and `sqlite3` as witnesses. It needs root.
///
/// The trials run one at a time: each has two processors' worth of daemons to itself.
@Suite(.serialized, .enabled(if: getuid() == 0, "hosts in namespaces need root"))
struct LANTests {
    @Test func `two people who were disconnected have equal records after they meet again`()
        async throws
    {
        try await succeeds("partition")
    }

    @Test func `only one of two links that are dialled at the same moment remains`() async throws {
        try await succeeds("dial")
    }

    @Test func `the link of a newer boot replaces the older one`() async throws {
        try await succeeds("restart")
    }

    @Test func `two hosts with only link-local addresses find each other and link`()
        async throws
    {
        try await succeeds("link-local")
    }

    /// Runs a trial; if it fails, its whole output is the message.
    private func succeeds(_ trial: String) async throws {
        let (status, story) = try await Trial(trial).run()
        #expect(status == 0, "\(story)")
    }
}
