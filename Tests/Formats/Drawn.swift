import Foundation
import OpenFormats

/// Values that depend on a number alone, with the characters that formats treat specially.
struct Drawn: RandomNumberGenerator {
    private var state: UInt64

    init(_ number: UInt64) { state = number }

    /// Returns the next number of SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a text of one or more lines.
    mutating func text(countMax: Int, hasLines: Bool = false) -> String {
        var parts = [
            "a", "Z", "0", ",", ";", ":", "\\", "\"", "^", "=", "<", ">", "&", "é", "산책", "🐶",
            " b", "\\n", "'", "%",
        ]
        if hasLines { parts.append("\n") }
        let count = Int.random(in: 1...countMax, using: &self)
        return "x" + (0..<count).map { _ in parts.randomElement(using: &self) ?? "a" }.joined()
            + "x"
    }

    /// Returns a moment in whole seconds, which other programs can hold too.
    mutating func moment() -> Timestamp {
        Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000, using: &self) * 1000)
    }

    /// Returns a location with at most seven decimals.
    mutating func point() throws -> Point {
        try Point(
            latitude: Double(Int.random(in: -900_000_000...900_000_000, using: &self)) / 10_000_000,
            longitude: Double(Int.random(in: -1_800_000_000...1_800_000_000, using: &self))
                / 10_000_000)
    }

    /// Returns a calendar of one to four events.
    mutating func calendar() throws -> CalendarFile {
        var events: [CalendarEvent] = []
        for number in 0..<Int.random(in: 1...4, using: &self) {
            let start = moment()
            events.append(
                CalendarEvent(
                    uid: "\(next())-\(number)", title: text(countMax: 60), start: start,
                    end: start + .seconds(3600), locationName: text(countMax: 30),
                    point: try point(), notes: text(countMax: 120, hasLines: true),
                    status: [.tentative, .confirmed, .cancelled].randomElement(using: &self),
                    sequence: Int.random(in: 0...100, using: &self), changed: moment()))
        }
        return CalendarFile(name: "Waggle", events: events)
    }

    /// Returns a contact with a photo.
    mutating func contact() -> Contact {
        let rest = (0..<Int.random(in: 1...400, using: &self)).map { _ in
            UInt8.random(in: 0...255, using: &self)
        }
        return Contact(
            uid: "urn:drawn:\(next())",
            profile: ProfileFields(
                nickname: text(countMax: 12), dogName: text(countMax: 8),
                age: Int.random(in: 0...99, using: &self), sex: .female, neutered: true,
                size: .small, keywords: [.smart, .shy]),
            notes: text(countMax: 80, hasLines: true), photo: [0xFF, 0xD8, 0xFF] + rest,
            changed: moment())
    }

    /// Returns a track of one to three parts.
    mutating func track() throws -> Track {
        var segments: [[Fix]] = []
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            var fixes: [Fix] = []
            for _ in 0..<Int.random(in: 2...20, using: &self) {
                fixes.append(Fix(point: try point(), at: moment()))
            }
            segments.append(fixes)
        }
        return Track(name: text(countMax: 20), segments: segments)
    }
}
