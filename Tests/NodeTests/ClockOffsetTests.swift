import Records
import Testing

@testable import Node

@Suite struct ClockOffsetTests {
    @Test(
        arguments: [
            ([], 0), ([600], 300), ([-600], -300), ([10, 1000], 10), ([5, -5], 0),
            ([1, 3, 3_600_000], 2),
        ] as [([Int], Int)])
    func `the median includes this device's own clock`(offsets: [Int], expected: Int) {
        #expect(
            ClockOffset.median(offsets.map { .milliseconds($0) }) == .milliseconds(expected))
    }

    @Test(
        arguments: [
            ([], nil), ([600], 600), ([-600, 20], -290), ([10, 1000, 20], 20),
        ] as [([Int], Int?)])
    func `the measured difference leaves this device's own clock out`(
        offsets: [Int], expected: Int?
    ) {
        #expect(
            ClockOffset.median(ofOthers: offsets.map { .milliseconds($0) })
                == expected.map { .milliseconds($0) })
    }

    @Test(
        arguments: [
            ([], 0), ([600], 300), ([-1_200_000], -300_000), ([1 << 47], 300_000),
            ([600_000, 600_000], 600_000), ([600_001, 1 << 47, 0, 1 << 47], 600_000),
            ([-1 << 47, -1 << 47], -600_000),
        ] as [([Int], Int)])
    func `an offset counts for at most ten minutes`(offsets: [Int], expected: Int) {
        #expect(
            ClockOffset.correction(by: offsets.map { .milliseconds($0) })
                == .milliseconds(expected))
    }

    @Test func `if a person has several devices, the smallest offset counts`() {
        #expect(ClockOffset.vote(of: [.seconds(5), .seconds(-2), .seconds(-9000)]) == .seconds(-2))
        #expect(ClockOffset.vote(of: []) == nil)
    }

    @Test func `extreme offsets do not overflow`() {
        let (ahead, behind) = (Timestamp.max - Timestamp.min, Timestamp.min - Timestamp.max)
        #expect(ClockOffset.median([ahead, ahead]) == ahead)
        #expect(ClockOffset.median([behind, ahead, ahead]) == ahead / 2)
    }
}

@Suite struct TagScheduleTests {
    private let hour: Int64 = 480_000

    @Test func `a tag has eight bytes and changes with the hour and the key`() {
        let device = DeviceIDs.one
        let tag = TagSchedule.tag(key: [1], device: device, hour: hour)
        #expect(tag.count == 8)
        #expect(tag != TagSchedule.tag(key: [1], device: device, hour: hour + 1))
        #expect(tag != TagSchedule.tag(key: [2], device: device, hour: hour))
        #expect(tag != TagSchedule.tag(key: [1], device: DeviceIDs.two, hour: hour))
    }

    @Test func `a mate's tag is recognized in its hour and the hours before and after`() {
        let table = TagSchedule.table([(key: [1], device: DeviceIDs.one)], hour: hour)
        for near in hour - 1...hour + 1 {
            let tag = TagSchedule.tag(key: [1], device: DeviceIDs.one, hour: near)
            #expect(table[tag] == DeviceIDs.one)
        }
        let far = TagSchedule.tag(key: [1], device: DeviceIDs.one, hour: hour + 2)
        #expect(table[far] == nil)
    }
}
