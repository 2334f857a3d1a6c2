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
        ] { #expect(words.matches(text), "\(text)") }
        for text in ["", "cas ino", "산 책", "cafe", "two  words", "casin"] {
            #expect(!words.matches(text), "\(text)")
        }
    }

    @Test func `composed Hangul and ASCII are folded like other letters`() {
        let words = MutedWords(["한강", "Dog산책", "\u{1112}\u{1161}루"])
        for text in [
            "한강에서", "\u{1112}\u{1161}\u{11ab}강", "x dOG산책", "하루", "é 하루",
        ] { #expect(words.matches(text), "\(text)") }
        for text in ["하강", "한 강", "하\u{11ab}루", "do 산책", "@[`{"] {
            #expect(!words.matches(text), "\(text)")
        }
    }

    @Test func `a final consonant of its own hides no word`() {
        let words = MutedWords(["한강", "값"])
        for text in [
            "하\u{11ab}강", "하ㄴ강", "하ㄴ가ㅇ", "ㅎㅏㄴㄱㅏㅇ", "하\u{1102}강", "가\u{11b9}", "가ㅄ",
        ] { #expect(words.matches(text), "\(text)") }
        for text in ["하ㄸ강", "하ㄴ 강", "하ㅇ강", "한ㄴ강", "하나강"] {
            #expect(!words.matches(text), "\(text)")
        }
        #expect(MutedWords(["하ㄴ강"]).matches("한강"))
        #expect(MutedWords(["바보"]).matches("바보ㅋㅋ"), "the last syllable has no final consonant")
        #expect(MutedWords(["한"]).matches("한") && !MutedWords(["한"]).matches("하나"))
    }

    @Test func `wide letters and characters that draw nothing hide no word`() {
        let words = MutedWords(["casino", "산책"])
        for text in [
            "ＣＡＳＩＮＯ", "ca\u{200b}si\u{ad}no", "산\u{3164}책", "산\u{2060}책", "ⓒasino",
        ] { #expect(words.matches(text), "\(text)") }
        #expect(MutedWords(["ｃａｓｉｎｏ"]).matches("casino"))
        #expect(MutedWords(["👨‍👩‍👧"]).matches("the 👨‍👩‍👧!") && !words.matches("cas\u{2003}ino"))
    }

    /// A text is folded byte by byte only if each of its characters is ASCII or a syllable.
    @Test func `characters beside the syllables are folded like other letters`() {
        let words = MutedWords(["x\u{ac00}", "x\u{d7a3}", "e\u{301}x"])
        for text in ["X\u{ac00}", "X\u{d7a3}", "\u{c9}X"] {
            #expect(words.matches(text), "\(text)")
            for other in ["\u{abff}", "\u{d7a4}", "\u{d7ff}", "\u{a640}", "\u{e000}", "\u{1f600}"] {
                #expect(words.matches(other + text + other), "\(other) \(text)")
            }
        }
        #expect(!words.matches("x\u{abff}") && !words.matches("x\u{d7a4}"))
    }

    @Test func `nothing hides nothing, and neither does an empty word`() {
        #expect(!MutedWords().matches("anything"))
        #expect(!MutedWords([""]).matches("anything"))
        #expect(!MutedWords(["aab"]).matches("aaaa") && MutedWords(["aab"]).matches("aaab"))
    }

    private actor Reader: Plugin {
        static let manifest = Manifest(id: "reader", version: 1)
        let context: PluginContext
        private(set) var changesCount = 0
        init(context: PluginContext) { self.context = context }
        func mutedWordsChanged() { changesCount += 1 }
    }

    @Test func `every plugin reads the words of the core, and hears that they changed`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [Friendly.self, Reader.self])
            let other = try await network.host(seed: 2, [Friendly.self])
            let reader = try #require(host.plugin(Reader.self))
            try await host.plugin(Friendly.self)?.befriend(other.me.person)
            try await network.settle()
            #expect(await reader.changesCount == 0)
            try await host.plugin(Friendly.self)?.mute("Casino")
            try await network.settle()
            #expect(await reader.changesCount == 1)
            #expect(try await reader.context.replica.mutedWords() == MutedWords(["casino"]))
        }
    }

    @Test func `without a core no word is muted`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [Reader.self])
            let reader = try #require(host.plugin(Reader.self))
            #expect(try await reader.context.replica.mutedWords() == MutedWords())
        }
    }
}
