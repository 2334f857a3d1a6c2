import Foundation
import OpenFormats

/// Files as other programs write them, from their documented shape.
enum Sample {
    /// Returns the bytes of a sample.
    static func bytes(_ name: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: tests.appending(path: "Samples/\(name)")))
    }

    /// A photo of one pixel, as all samples of contacts have it.
    static let photo: [UInt8] = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42"
                + "YAAAAASUVORK5CYII=") ?? Data())
}

/// A generator of the same numbers for the same seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a text with the characters that formats treat specially.
    mutating func text(countMax: Int) -> String {
        let parts = [
            "a", "Z", "0", ",", ";", ":", "\\", "\"", "\n", "^", "=", "<", ">", "&", "é", "산책",
            "🐶", "👨‍👩‍👧", "e\u{301}", " b", "\\n",
        ]
        let count = Int.random(in: 1...countMax, using: &self)
        let text = (0..<count).map { _ in parts.randomElement(using: &self) ?? "a" }.joined()
        return "x\(text)x"
    }

    /// Returns a moment in whole seconds.
    mutating func moment() -> Timestamp {
        Timestamp(
            milliseconds: Int64.random(in: 0...Timestamp.millisecondsMax / 1000, using: &self)
                * 1000)
    }

    /// Returns a location with seven decimals.
    mutating func point() throws -> Point {
        try Point(
            latitude: Double(Int.random(in: -900_000_000...900_000_000, using: &self)) / 10_000_000,
            longitude: Double(Int.random(in: -1_800_000_000...1_800_000_000, using: &self))
                / 10_000_000)
    }
}
