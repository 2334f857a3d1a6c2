import Foundation
import Testing

/// What happens to links on a real LAN. Each claim is a trial of `script/lan-trial`: hosts in
/// namespaces, real daemons, real nodes, and `ss` and `sqlite3` as witnesses. It needs root.
///
/// One at a time: each trial has two processors' worth of daemons to itself.
@Suite(.serialized, .enabled(if: getuid() == 0, "hosts in namespaces need root"))
struct LANTests {
    @Test func `two people who were cut off from each other become equal when they meet again`()
        async throws
    {
        try await succeeds("partition")
    }

    @Test func `of two links dialled at the same moment one stays`() async throws {
        try await succeeds("dial")
    }

    @Test func `the link of a newer boot takes the place of the older one`() async throws {
        try await succeeds("restart")
    }

    @Test func `two hosts with nothing but link-local addresses find each other and link`()
        async throws
    {
        try await succeeds("link-local")
    }

    /// Runs a trial; where it fails, its whole story is the message.
    private func succeeds(_ trial: String) async throws {
        let (status, story) = try await Trial(trial).run()
        #expect(status == 0, "\(story)")
    }
}
