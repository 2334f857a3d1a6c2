import PluginKit
import TestSupport
import Testing

@testable import Promises

/// The encoding of a location, and the pace at which locations are sent.
@Suite struct SharedLocationMessageTests {
    @Test func `a location is read back, and unknown fields are absent`() throws {
        let point = try Point(latitude: -1.5, longitude: 2.25)
        let messages = [
            SharedLocationMessage.gone, .fix(Fix(point: point), age: .zero),
            .fix(Fix(point: point, accuracyMetres: 3), age: .milliseconds(1500)),
            .fix(Fix(point: point, at: Timestamp(milliseconds: 99)), age: .seconds(3)),
            .fix(Fix(point: point, accuracyMetres: 0, at: .min), age: .seconds(86_400)),
        ]
        for message in messages {
            #expect(SharedLocationMessage(decoding: message.encoded) == message)
            for count in 0..<message.encoded.count {
                let start = Array(message.encoded.prefix(count))
                #expect(SharedLocationMessage(decoding: start) == nil)
            }
            #expect(SharedLocationMessage(decoding: message.encoded + [0]) == nil)
        }
    }

    @Test func `random bytes are not a location and never trap`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let bytes = [1, 1] + generator.bytes(generator.number(0...40))
            if let message = SharedLocationMessage(decoding: bytes) {
                #expect(SharedLocationMessage(decoding: message.encoded) == message)
            }
        }
        let nowhere: [UInt8] = [1, 1] + [UInt8](repeating: 0xff, count: 16) + [0, 0]
        #expect(SharedLocationMessage(decoding: nowhere) == nil)
        #expect(SharedLocationMessage(decoding: [2, 0]) == nil)
    }

    private func point(metresNorth metres: Double) throws -> Point {
        try Point(latitude: metres / Point.earthRadiusMetres * 180 / .pi, longitude: 0)
    }

    @Test func `a location is sent if it moved 5 m, but not within 5 s`() throws {
        var pace = SendingPace()
        #expect(pace.sends(try point(metresNorth: 0), uptime: .zero))
        #expect(!pace.sends(try point(metresNorth: 100), uptime: .milliseconds(4999)))
        #expect(!pace.sends(try point(metresNorth: 4.99), uptime: .seconds(5)))
        #expect(pace.sends(try point(metresNorth: 5.01), uptime: .seconds(5)))
        #expect(!pace.sends(try point(metresNorth: 5.01), uptime: .milliseconds(34_999)))
        #expect(pace.sends(try point(metresNorth: 5.01), uptime: .seconds(35)))
    }

    @Test func `a peer that comes into reach is sent an unchanged location soon`() throws {
        var pace = SendingPace()
        #expect(pace.sends(try point(metresNorth: 0), uptime: .zero))
        pace.recordNewPeer()
        #expect(!pace.sends(try point(metresNorth: 0), uptime: .seconds(4)))
        #expect(pace.sends(try point(metresNorth: 0), uptime: .seconds(5)))
        #expect(!pace.sends(try point(metresNorth: 0), uptime: .seconds(10)))
    }
}
