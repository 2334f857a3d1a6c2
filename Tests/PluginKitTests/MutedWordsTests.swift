import PluginKit
import TestSupport
import Testing

/// Which texts contain a muted word, and where the words come from.
@Suite struct MutedWordsTests {
    @Test func `a word is found within others, in any letters and any form`() {
        let words = MutedWords(["Casino", "산책", "caf\u{e9}", "two words"])
        for text in [
            "casino", "a CASINO.", "megacasinos", "같이산책하자", "CAFE\u{301}", "caf\u{e9}s",
            "these Two Words here",
        ] { #expect(words.hide(text), "\(text)") }
        for text in ["", "cas ino", "산 책", "cafe", "two  words", "casin"] {
            #expect(!words.hide(text), "\(text)")
        }
    }

    @Test func `nothing hides nothing, and neither does an empty word`() {
        #expect(!MutedWords().hide("anything"))
        #expect(!MutedWords([""]).hide("anything"))
        #expect(!MutedWords(["aab"]).hide("aaaa") && MutedWords(["aab"]).hide("aaab"))
    }

    private struct Muter: Plugin {
        static let manifest = Manifest(
            id: "muter", version: 1,
            views: [Manifest.View("muter_words", "SELECT 'Casino' AS word")],
            shares: [.mutedWords: "muter_words"])
        init(context: PluginContext) {}
    }

    private struct Reader: Plugin {
        static let manifest = Manifest(id: "reader", version: 1)
        let context: PluginContext
        init(context: PluginContext) { self.context = context }
    }

    @Test func `every plugin reads the words that one lists, and none if no plugin does`()
        async throws
    {
        try await TestNetwork.with { network in
            let with = try await network.host(seed: 1, [Reader.self, Muter.self])
            let words = try await with.plugin(Reader.self)?.context.replica.mutedWords()
            #expect(words == MutedWords(["casino"]))
            let without = try await network.host(seed: 2, [Reader.self])
            #expect(
                try await without.plugin(Reader.self)?.context.replica.mutedWords()
                    == MutedWords())
        }
    }
}
