import PluginKit
import TestSupport
import Testing

@testable import Promises

/// Reminders, today's promises, and those that are past.
@Suite struct RemindingTests {
    @Test func `a reminder comes half an hour before, once, whatever restarts`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.promise(inSeconds: 1810)
            await friends.ben.start()
            try await network.pass(seconds: 9)
            #expect(try await friends.ben.news().isEmpty)
            try await network.pass(seconds: 1)
            #expect(try await friends.ben.news() == ["Dinner in 30 min"])
            let items = try await friends.ben.run("inbox", "list")["items"]?.array
            let item = try #require(items?.first { $0["title"] == "Dinner in 30 min" })
            try await friends.ben.run("inbox", "handle", ["id": try #require(item["id"])])
            await friends.ben.start()
            try await network.pass(seconds: 2)
            #expect(try await friends.ben.news().isEmpty)
        }
    }

    @Test func `a node that was down is reminded late, and not after the time`() async throws {
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

    @Test func `who was away until it was over is told who arrived, once, and a day later not`()
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
                let items = try await friends.ann.run("inbox", "list")["items"]?.array ?? []
                for item in items where isTold {
                    try await friends.ann.run("inbox", "handle", ["id": try #require(item["id"])])
                }
                await friends.ann.start()
                #expect(try await friends.ann.news().isEmpty)
            }
        }
    }

    @Test func `a reminder says what is promised now`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            try await network.settle()
            #expect(try await friends.ann.news() == ["Dinner in 30 min"])
            let atMs = try #require(try await friends.ann.show(id)["atMs"])
            // The time that stands is no change, though it is near by now.
            try await network.pass(seconds: 2)
            try await friends.ann.run(
                "promise", "edit", ["promise": .string(id), "title": "Lunch", "atMs": atMs])
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
            let laterMs = friends.ann.clock.wallMilliseconds + 3_610_000
            try await network.pass(seconds: 10)
            #expect(try await friends.ben.news() == ["Dinner in 30 min"])
            try await friends.ann.run(
                "promise", "edit", ["promise": .string(id), "atMs": .integer(laterMs)])
            try await network.settle()
            #expect(try await friends.ben.news() == ["Ann changed Dinner"])
            try await network.skip(seconds: 1800)
            #expect(
                try await friends.ben.news().sorted() == ["Ann changed Dinner", "Dinner in 30 min"])
            try await friends.ann.run("promise", "delete", ["promise": .string(id)])
            try await network.settle()
            #expect(try await friends.ben.news() == ["Ann called off Dinner"])
        }
    }

    @Test func `today is in the order of time, with the next one, and done three hours after`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let day = PromiseDay.range(containing: friends.ann.clock.wallMilliseconds)
            for host in friends.all { host.clock.setWall(milliseconds: day.lowerBound) }
            let later = try await friends.ann.promise(
                with: friends.others, inSeconds: 7200, title: "Later")
            let soon = try await friends.ann.promise(
                with: friends.others, inSeconds: 3600, title: "Soon")
            _ = try await friends.ann.promise(
                with: friends.others, inSeconds: 90_000, title: "Tomorrow")
            var today = try await friends.ann.run("promise", "today")
            #expect(today["promises"]?.array?.map { $0["title"] } == ["Soon", "Later"])
            #expect(today["next"] == .string(soon) && today["allDone"] == false)
            for host in friends.all {
                host.clock.setWall(milliseconds: day.lowerBound + 3_600_000)
            }
            today = try await friends.ann.run("promise", "today")
            #expect(today["next"] == .string(later))
            for (seconds, isDone) in [(7200 + 10_799, false), (7200 + 10_800, true)] {
                for host in friends.all {
                    host.clock.setWall(milliseconds: day.lowerBound + Int64(seconds) * 1000)
                }
                today = try await friends.ann.run("promise", "today")
                #expect(today["allDone"] == .boolean(isDone))
            }
        }
    }

    @Test func `around midnight what is on is of today, on both sides`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let day = PromiseDay.range(containing: friends.ann.clock.wallMilliseconds)
            friends.ann.clock.setWall(milliseconds: day.upperBound - 3 * 3_600_000)
            // At 23:50 and at 00:10.
            let ids = [
                try await friends.ann.promise(with: friends.others, inSeconds: 10_200),
                try await friends.ann.promise(with: friends.others, inSeconds: 11_400),
            ]
            for (minutes, count) in [
                (-21, 1), (-20, 2), (0, 2), (169, 2), (170, 1), (189, 1), (190, 1),
            ] {
                friends.ann.clock.setWall(
                    milliseconds: day.upperBound + Int64(minutes) * 60_000)
                let today = try await friends.ann.run("promise", "today")
                #expect(today["promises"]?.array?.count == count, "\(minutes) min")
                #expect(today["allDone"] == .boolean(minutes == 190))
                let next = minutes < -10 ? ids[0] : minutes < 10 ? ids[1] : nil
                #expect(today["next"]?.string == next)
            }
        }
    }

    @Test func `past promises come newest first in pages of ten, each once`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            for number in 0..<21 {
                // Pairs share a moment.
                _ = try await friends.ann.promise(
                    with: friends.others, inSeconds: 3600 + Int64(number / 2), title: "P\(number)")
            }
            let endMs = friends.ann.clock.wallMilliseconds + 3_600_000 + 10_800_000 + 60_000
            friends.ann.clock.setWall(milliseconds: endMs)
            var pages: [[JSONValue]] = []
            var cursor: JSONValue?
            repeat {
                var arguments: [String: JSONValue] = ["past": true]
                arguments["cursor"] = cursor
                let page = try await friends.ann.run("promise", "list", arguments)
                pages.append(page["promises"]?.array ?? [])
                cursor = page["next"]
            } while cursor != nil && pages.count < 9
            #expect(pages.map(\.count) == [10, 10, 1])
            let all = pages.flatMap { $0 }
            #expect(Set(all.compactMap { $0["id"]?.string }).count == 21)
            let times = all.compactMap { $0["atMs"]?.integer }
            #expect(times == times.sorted(by: >))
            #expect(try await friends.ann.listed().isEmpty)
            for bad in ["", "12", "x-y", "1-2-3"] {
                await #expect(throws: CommandFault.self) {
                    try await friends.ann.run(
                        "promise", "list", ["past": true, "cursor": .string(bad)])
                }
            }
        }
    }
}
