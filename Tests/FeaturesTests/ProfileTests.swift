import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

@Suite struct ProfileTests {
    @Test func `a new person's profile is empty and incomplete`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [CoreFeatures.self])
            let me = try await host.call(ProfileCommands.show)
            #expect(!me.complete)
            #expect(me.nickname == nil)
            #expect(me.person == Key(host.me.person))
        }
    }

    @Test func `each field is edited alone and the others do not change`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.call(
                ProfileCommands.edit, .init(age: Whole(4), keywords: DogKeywords([.smart, .shy])))
            let me = try await ann.call(ProfileCommands.edit, .init(neutered: false, size: .big))
            #expect(me.nickname == "Ann")
            #expect(me.age?.value == 4)
            #expect(me.keywords == [.smart, .shy])
            #expect(me.neutered == false)
            #expect(me.complete)
        }
    }

    @Test func `ages of 0 and 99 are accepted and 100 is refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.call(ProfileCommands.edit, .init(age: Whole(0)))
            try await ann.call(ProfileCommands.edit, .init(age: Whole(99)))
            await #expect(
                throws: CommandFault.usage(
                    "'age' must be a whole number from 0 to 99", field: "age")
            ) { try await ann.answer(to: ProfileCommands.edit.declaration, ["age": 100]) }
        }
    }

    @Test(arguments: [
        ([], false), (["shy"], true), (["shy", "smart"], true),
        (["shy", "smart", "friendly"], false), (["grumpy"], false),
    ])
    func `a profile has one or two of the five keywords`(
        _ words: [String], _ isTaken: Bool
    ) async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let edit = { @Sendable () async throws in
                try await ann.answer(
                    to: ProfileCommands.edit.declaration,
                    ["keywords": .array(words.map { .string($0) })])
            }
            if isTaken {
                _ = try await edit()
            } else {
                await #expect(throws: CommandFault.self) { try await edit() }
            }
        }
    }

    @Test func `a fault names its field and no field of the edit is written`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            await #expect {
                try await ann.answer(
                    to: ProfileCommands.edit.declaration, ["nickname": " ", "dogName": "Momo"])
            } throws: { error in
                guard case .usage(let sentence, let field) = error as? CommandFault else {
                    return false
                }
                return field == "nickname" && sentence.english.contains("blank")
            }
            #expect(try await ann.call(ProfileCommands.show).dogName == "Bori")
        }
    }

    @Test func `a field kept private never enters the card`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.call(
                ProfileCommands.edit, .init(age: Whole(4), keptPrivate: [.age, .sex]))
            try await ann.call(ProfileCommands.edit, .init(sex: .female))
            let card = try await ann.features.myCard()
            #expect(card.age == nil && card.sex == nil && card.nickname == "Ann")
            let stored = try await ann.rows("SELECT age, sex FROM neighbours_profile")
            #expect(stored.allSatisfy { $0["age"] == .null && $0["sex"] == .null })
            let me = try await ann.call(ProfileCommands.show)
            #expect(me.age?.value == 4 && me.sex == .female)
            #expect(me.keptPrivate == [.age, .sex])
        }
    }

    @Test func `a field can become public again, and private after that`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.call(ProfileCommands.edit, .init(age: Whole(4), keptPrivate: [.age]))
            try await ann.call(ProfileCommands.edit, .init(keptPrivate: []))
            #expect(try await ann.features.myCard().age == 4)
            try await ann.call(ProfileCommands.edit, .init(keptPrivate: [.age]))
            #expect(try await ann.features.myCard().age == nil)
            #expect(try await ann.call(ProfileCommands.show).age?.value == 4)
        }
    }

    @Test func `every field that has a value can become private and public again`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.call(
                ProfileCommands.edit,
                .init(
                    dogName: Text("Bori"), age: Whole(4), sex: .female, neutered: true,
                    size: .small, keywords: DogKeywords([.smart])))
            for kept in [OptionalField.allCases, []] {
                try await ann.call(ProfileCommands.edit, .init(keptPrivate: kept))
                let me = try await ann.call(ProfileCommands.show)
                #expect(me.neutered == true && me.age?.value == 4 && me.keptPrivate == kept)
                #expect(try await ann.features.myCard().neutered == (kept.isEmpty ? true : nil))
            }
        }
    }

    @Test func `an edit that a crash interrupted is completed at the next start`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.call(ProfileCommands.edit, .init(age: Whole(4)))
            // The fields that an edit to keep the age private writes before it clears the card.
            try await ann.write(
                [
                    .own(
                        collection: Profiles.privateProfile.name,
                        fields: ["age": .integer(4), "kept_private": .list([.text("age")])])
                ], in: .own(ann.me.person))
            await ann.start()
            let stored = try await ann.rows("SELECT age FROM neighbours_profile")
            #expect(stored.map { $0["age"] } == [.null])
            #expect(try await ann.call(ProfileCommands.show).age?.value == 4)
        }
    }

    @Test func `a profile with only a nickname is complete`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [CoreFeatures.self])
            let edit = { @Sendable (request: EditProfile) async throws -> MyProfile in
                try await host.call(ProfileCommands.edit, request)
            }
            #expect(try await !edit(.init(dogName: Text("Bori"))).complete)
            #expect(try await edit(.init(nickname: Nickname("A"))).complete)
            let me = try await edit(.init(clear: [.dogName]))
            #expect(me.complete && me.dogName == nil)
        }
    }

    @Test func `a nickname of 20 characters is kept whole and one of 21 refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let longest = String(repeating: "산", count: 20)
            let me = try await ann.call(
                ProfileCommands.edit, .init(nickname: Nickname(longest)))
            #expect(me.nickname == longest)
            await #expect(
                throws: CommandFault.usage(
                    "'nickname' must have 1 to 20 characters; it has 21", field: "nickname")
            ) {
                try await ann.answer(
                    to: ProfileCommands.edit.declaration,
                    ["nickname": .string(String(repeating: "산", count: 21))])
            }
        }
    }

    @Test func `a name can be neither cleared nor kept private`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            for parameter in ["clear", "keptPrivate"] {
                await #expect(throws: CommandFault.self) {
                    try await ann.answer(
                        to: ProfileCommands.edit.declaration, [parameter: ["nickname"]])
                }
            }
            try await ann.call(ProfileCommands.edit, .init(age: Whole(4)))
            let me = try await ann.call(ProfileCommands.edit, .init(clear: [.age]))
            #expect(me.age == nil)
        }
    }

    @Test func `an edit of nothing is refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            await #expect(throws: CommandFault.self) {
                try await ann.call(ProfileCommands.edit, .init())
            }
            await #expect(
                throws: CommandFault.refused(
                    "Say what to change: give at least one field of the profile.")
            ) { try await ann.call(ProfileCommands.edit, .init(clear: [])) }
        }
    }

    @Test func `a field that is both given and cleared is refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            await #expect(
                throws: CommandFault.refused("'age' is both given and cleared.")
            ) {
                try await ann.call(ProfileCommands.edit, .init(age: Whole(4), clear: [.sex, .age]))
            }
            #expect(try await ann.call(ProfileCommands.show).age == nil)
            try await ann.call(ProfileCommands.edit, .init(clear: [.age, .age]))
        }
    }

    @Test func `a keyword given twice counts once`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let me = try await ann.call(
                ProfileCommands.edit, .init(keywords: DogKeywords([.shy, .shy])))
            #expect(me.keywords == [.shy])
        }
    }

    @Test func `a nickname of 512 bytes is accepted and one of 513 refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            // Eight characters of 64 bytes, the longest that one may be.
            let longest = String(
                repeating: "👩" + String(repeating: "\u{1f3fd}", count: 15), count: 8)
            let me = try await ann.call(
                ProfileCommands.edit, .init(nickname: Nickname(longest)))
            #expect(me.nickname == longest)
            await #expect(
                throws: CommandFault.usage(
                    "'nickname' must have at most 512 bytes of UTF-8; it has 513",
                    field: "nickname")
            ) {
                try await ann.answer(
                    to: ProfileCommands.edit.declaration, ["nickname": .string(longest + "a")])
            }
        }
    }

    @Test func `a card from outside is cut to the rules`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let checked = try await ann.features.checkedCard(
                ProfileFields(
                    nickname: "x" + String(repeating: "\u{301}", count: 4000), dogName: " ",
                    age: 1_000_000, keywords: [.smart, .shy, .friendly]))
            #expect(checked.nickname?.unicodeScalars.count == 16)
            #expect(checked.dogName == nil && checked.age == nil)
            #expect(checked.keywords == [.smart, .shy])
        }
    }
}
