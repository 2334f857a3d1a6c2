import FeaturesAPI
import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// Reminders, today's promises, and those that are past.
@Suite struct RemindingTests {
    @Test func `a reminder is posted once, half an hour before, even after restarts`() async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.promise(inSeconds: 1810)
            await friends.ben.start()
            try await network.pass(seconds: 9)
            #expect(try await friends.ben.news().isEmpty)
            try await network.pass(seconds: 1)
            #expect(try await friends.ben.news() == ["Dinner in 30 min"])
            let items = try await friends.ben.call(InboxCommands.list).items
            let item = try #require(items.first { $0.title == "Dinner in 30 min" })
            try await friends.ben.call(InboxCommands.handle, .init(id: RecordPrefix(item.id)))
            await friends.ben.start()
            try await network.pass(seconds: 2)
            #expect(try await friends.ben.news().isEmpty)
        }
    }

    @Test func `a node that was down posts the reminder late, but not after the time`() async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            _ = try await friends.promise(inSeconds: 1810)
            friends.ben.stop()
            friends.cem.stop()
            try await network.skip(seconds: 910)
            await friends.ben.start()
            #expect(try await friends.ben.news() == ["Dinner in 15 min"])
            try await network.skip(seconds: 900)
            await friends.cem.start()
            #expect(try await friends.cem.news().isEmpty)
            #expect(try await friends.ben.news().isEmpty, "its time has come")
        }
    }

    @Test func `a person who was away is told once who arrived, but not a day after the end`()
        async throws
    {
        for (awaySeconds, isTold) in [(98_999, true), (99_000, false)] {
            try await TestNetwork.with { network in
                let friends = try await Friends.meeting(on: network)
                _ = try await friends.promise(inSeconds: 1800)
                friends.ann.stop()
                try friends.ben.locate(metresNorth: 5)
                try await network.settle()
                try await network.skip(seconds: awaySeconds)
                await friends.ann.start()
                try await network.settle()
                let told = try await friends.ann.news().filter { $0.contains("arrived, 1st") }
                #expect(told.count == (isTold ? 1 : 0))
                let items = try await friends.ann.call(InboxCommands.list).items
                for item in items where isTold {
                    try await friends.ann.call(
                        InboxCommands.handle, .init(id: RecordPrefix(item.id)))
                }
                await friends.ann.start()
                #expect(try await friends.ann.news().isEmpty)
            }
        }
    }

    @Test func `a reminder shows the present terms of the promise`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            try await network.settle()
            #expect(try await friends.ann.news() == ["Dinner in 30 min"])
            let at = try await friends.ann.show(id).summary.atMs
            // An unchanged time is no change, though it is less than the notice away by now.
            try await network.pass(seconds: 2)
            try await friends.ann.call(
                PromiseCommands.edit,
                .init(promise: NameOrKey(id), title: Text("Lunch"), atMs: at))
            try await network.settle()
            #expect(try await friends.ann.news() == ["Lunch in 29 min"])
            #expect(
                try await friends.ben.news().sorted() == ["Ann changed Lunch", "Lunch in 29 min"])
        }
    }

    @Test func `an edit moves the reminder and deleting cancels it`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1810)
            let later = friends.ann.time(in: .seconds(3610))
            try await network.pass(seconds: 10)
            #expect(try await friends.ben.news() == ["Dinner in 30 min"])
            try await friends.ann.call(
                PromiseCommands.edit, .init(promise: NameOrKey(id), atMs: later))
            try await network.settle()
            #expect(try await friends.ben.news() == ["Ann changed Dinner"])
            try await network.skip(seconds: 1800)
            #expect(
                try await friends.ben.news().sorted() == ["Ann changed Dinner", "Dinner in 30 min"])
            try await friends.ann.call(PromiseCommands.delete, .init(id))
            try await network.settle()
            #expect(try await friends.ben.news() == ["Ann called off Dinner"])
        }
    }

    @Test func `today lists promises in the order of time, and is done three hours after the last`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let day = PromiseDay.range(containing: friends.ann.time())
            for host in friends.all {
                host.clock.setWall(day.lowerBound)
            }
            let later = try await friends.ann.promise(
                with: friends.others, inSeconds: 7200, title: "Later")
            let soon = try await friends.ann.promise(
                with: friends.others, inSeconds: 3600, title: "Soon")
            _ = try await friends.ann.promise(
                with: friends.others, inSeconds: 90_000, title: "Tomorrow")
            var today = try await friends.ann.call(PromiseCommands.today)
            #expect(today.promises.map(\.title) == ["Soon", "Later"])
            #expect(today.next == soon && !today.allDone)
            #expect(today.text.string == "01:00 Soon")
            for host in friends.all {
                host.clock.setWall(day.lowerBound + .seconds(3600))
            }
            today = try await friends.ann.call(PromiseCommands.today)
            #expect(today.next == later)
            for (seconds, isDone) in [(7200 + 10_799, false), (7200 + 10_800, true)] {
                for host in friends.all {
                    host.clock.setWall(day.lowerBound + .seconds(seconds))
                }
                today = try await friends.ann.call(PromiseCommands.today)
                #expect(today.allDone == isDone)
                #expect(
                    today.text.string
                        == (isDone ? "All of today's promises are over" : "02:00 Later"))
            }
        }
    }

    @Test func `a promise tracked around midnight is listed today on both days`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let day = PromiseDay.range(containing: friends.ann.time())
            friends.ann.clock.setWall(day.upperBound - .seconds(3 * 3600))
            // At 23:50 and at 00:10.
            let ids = [
                try await friends.ann.promise(with: friends.others, inSeconds: 10_200),
                try await friends.ann.promise(with: friends.others, inSeconds: 11_400),
            ]
            for (minutes, count) in [
                (-21, 1), (-20, 2), (0, 2), (169, 2), (170, 1), (189, 1), (190, 1),
            ] {
                friends.ann.clock.setWall(day.upperBound + .seconds(minutes * 60))
                let today = try await friends.ann.call(PromiseCommands.today)
                #expect(today.promises.count == count, "\(minutes) min")
                #expect(today.allDone == (minutes == 190))
                let next = minutes < -10 ? ids[0] : minutes < 10 ? ids[1] : nil
                #expect(today.next == next)
            }
        }
    }

    @Test func `past promises come newest first in pages of ten, each once`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            for number in 0..<21 {
                // Two promises each have the same time.
                _ = try await friends.ann.promise(
                    with: friends.others, inSeconds: 3600 + Int64(number / 2), title: "P\(number)")
            }
            friends.ann.clock.setWall(friends.ann.time(in: .seconds(3600 + 10_800 + 60)))
            var pages: [[PromiseSummary]] = []
            var cursor: Cursor?
            repeat {
                let page = try await friends.ann.call(
                    PromiseCommands.list, .init(past: true, cursor: cursor))
                pages.append(page.promises)
                cursor = page.next
            } while cursor != nil && pages.count < 9
            #expect(pages.map(\.count) == [10, 10, 1])
            let all = pages.flatMap { $0 }
            #expect(Set(all.map(\.id)).count == 21)
            let times = all.map(\.atMs)
            #expect(times == times.sorted(by: >))
            #expect(try await friends.ann.listed().isEmpty)
            for (bad, code) in [
                ("", "usage"), ("12", "notFound"), ("x-y", "notFound"), ("1-2-3", "notFound"),
            ] {
                await #expect {
                    try await friends.ann.answer(
                        to: PromiseCommands.list.declaration,
                        ["past": true, "cursor": .string(bad)])
                } throws: { ($0 as? CommandFault)?.code == code }
            }
            let refusal = CommandFault.refused("Only past promises come in pages.")
            for past in [nil, false] {
                await #expect(throws: refusal) {
                    try await friends.ann.call(
                        PromiseCommands.list, .init(past: past, cursor: Text("12")))
                }
            }
        }
    }
}
