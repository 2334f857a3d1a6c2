import Foundation
import Location
import RoutePicture
import Testing

/// The pictures of routes, as files.
struct RoutePictureTests {
    /// Returns the points of a spiral.
    private func points(_ count: Int, stepDegrees: Double = 1e-5) throws -> [Point] {
        try (0..<count).map { index in
            let turn = Double(index) / 40
            return try Point(
                latitude: 37.5 + stepDegrees * turn * sin(turn),
                longitude: 127 + stepDegrees * turn * cos(turn))
        }
    }

    /// Returns the width and the height that the header of a PNG names.
    private func size(of png: [UInt8]) -> [Int] {
        [16, 20].map { start in png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test func `a PNG has 400 by 250 pixels`() throws {
        let png = try RoutePicture.bytes(of: [points(100)], as: .png)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(size(of: png) == [400, 250])
    }

    @Test func `an SVG is a drawing of the same size, without a text or a picture in it`() throws {
        let svg = String(
            decoding: try RoutePicture.bytes(of: [points(100)], as: .svg), as: UTF8.self)
        #expect(svg.contains("<svg ") && svg.contains("viewBox=\"0 0 400 250\""))
        #expect(svg.contains("width=\"400px\" height=\"250px\""))
        #expect(svg.hasSuffix("</svg>\n") && svg.contains("<path "))
        #expect(!svg.contains("<image") && !svg.contains("<text") && !svg.contains("glyph"))
    }

    @Test func `a route without a point has no picture`() {
        for parts in [[], [[]], [[], []]] as [[[Point]]] {
            #expect(throws: RoutePictureFault.noPoints) {
                try RoutePicture.bytes(of: parts, as: .png)
            }
        }
    }

    @Test func `the same route gives the same PNG, another one another`() throws {
        let one = try RoutePicture.bytes(of: [points(100)], as: .png)
        let again = try RoutePicture.bytes(of: [points(100)], as: .png)
        let other = try RoutePicture.bytes(of: [points(90)], as: .png)
        let (isSame, isOther) = (one == again, one != other)
        #expect(isSame && isOther)
    }

    @Test func `a gap between two parts is not drawn`() throws {
        let spiral = try points(200, stepDegrees: 1e-3)
        let (start, end) = (Array(spiral.prefix(60)), Array(spiral.suffix(60)))
        let isJoined =
            try RoutePicture.bytes(of: [start, end], as: .png)
            == RoutePicture.bytes(of: [start + end], as: .png)
        #expect(!isJoined)
    }

    @Test func `one point, the poles and 180 degrees east have pictures`() throws {
        let places: [[(Double, Double)]] = [
            [(37.5, 127)], [(90, 0)], [(-90, 10), (-90, 20)], [(5, 179.999), (5, -179.999)],
            [(90, 0), (-90, 0)],
        ]
        for degrees in places {
            let part = try degrees.map { try Point(latitude: $0.0, longitude: $0.1) }
            for format in RoutePicture.Format.allCases {
                #expect(try !RoutePicture.bytes(of: [part], as: format).isEmpty)
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a track of 20 000 points that wander inside a few pixels is small`() throws {
        let svg = try RoutePicture.bytes(of: [points(20_000, stepDegrees: 2e-8)], as: .svg)
        #expect(svg.count < 64 * 1024)
    }
}
