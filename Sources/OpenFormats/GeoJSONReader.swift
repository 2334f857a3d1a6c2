internal import Foundation

extension Track {
    /// Reads the lines of a GeoJSON file as one track. The times of points are read from
    /// `coordTimes`; a point may have none.
    /// - Throws: ``FormatFault``
    public init(geoJSON bytes: [UInt8]) throws(FormatFault) {
        guard bytes.count <= FormatLimits.trackBytesMax else {
            throw .tooLong(limit: FormatLimits.trackBytesMax)
        }
        // The system's parser calls itself for each level, so the levels are counted before.
        guard GeoJSONObject.depth(of: bytes) <= FormatLimits.jsonDepthMax else {
            throw .tooDeep(limit: FormatLimits.jsonDepthMax)
        }
        guard let file = try? JSONDecoder().decode(GeoJSONObject.self, from: Data(bytes)) else {
            throw .malformed(line: nil)
        }
        var segments: [[Fix]] = []
        var count = 0
        for line in file.allLines {
            count += line.positions.count
            guard count <= FormatLimits.pointsCountMax else {
                throw .tooManyPoints(limit: FormatLimits.pointsCountMax)
            }
            segments.append(try line.fixes())
        }
        guard segments.contains(where: { !$0.isEmpty }) else { throw .nothing(.track) }
        self.init(name: file.firstName, segments: segments)
    }
}

/// An object of a GeoJSON file: a collection, a feature or a geometry.
private struct GeoJSONObject: Decodable {
    /// A line with the times of its points.
    struct Line {
        let positions: [Position]
        var times: [String?] = []

        /// Returns the points of the line.
        /// - Throws: ``FormatFault/badPoint``
        func fixes() throws(FormatFault) -> [Fix] {
            var fixes: [Fix] = []
            fixes.reserveCapacity(positions.count)
            for (index, position) in positions.enumerated() {
                guard
                    let point = try? Point(
                        latitude: position.latitude, longitude: position.longitude)
                else { throw .badPoint }
                let time = index < times.count ? times[index] : nil
                fixes.append(Fix(point: point, at: time.flatMap { RecordedTime.timestamp($0) }))
            }
            return fixes
        }
    }

    /// A position: longitude, latitude, and numbers that are not read.
    struct Position: Decodable {
        let longitude: Double
        let latitude: Double

        init(from decoder: any Decoder) throws {
            var numbers = try decoder.unkeyedContainer()
            longitude = try numbers.decode(Double.self)
            latitude = try numbers.decode(Double.self)
        }
    }

    private enum Keys: CodingKey {
        case type, features, geometry, geometries, coordinates, properties
    }
    private enum PropertyKeys: CodingKey { case name, coordTimes }

    private var parts: [GeoJSONObject] = []
    private var lines: [Line] = []
    private var name: String?

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Keys.self)
        switch try object.decode(String.self, forKey: .type) {
        case "FeatureCollection": parts = try object.decode([GeoJSONObject].self, forKey: .features)
        case "GeometryCollection":
            parts = try object.decode([GeoJSONObject].self, forKey: .geometries)
        case "Feature":
            parts = [try object.decodeIfPresent(GeoJSONObject.self, forKey: .geometry)]
                .compactMap { $0 }
            readProperties(of: object)
        case "LineString":
            lines = [Line(positions: try object.decode([Position].self, forKey: .coordinates))]
        case "MultiLineString":
            lines = try object.decode([[Position]].self, forKey: .coordinates).map {
                Line(positions: $0)
            }
        default: break
        }
    }

    /// Reads the name and the times of a feature: a list for a line, a list of lists for several.
    private mutating func readProperties(of feature: KeyedDecodingContainer<Keys>) {
        guard
            let properties = try? feature.nestedContainer(
                keyedBy: PropertyKeys.self, forKey: .properties)
        else { return }
        name = (try? properties.decode(String.self, forKey: .name))?.nonEmpty
        guard let part = parts.first else { return }
        let one = try? properties.decode([String?].self, forKey: .coordTimes)
        let several = try? properties.decode([[String?]].self, forKey: .coordTimes)
        let times = several ?? one.map { [$0] } ?? []
        for (index, times) in times.enumerated() where index < part.lines.count {
            parts[0].lines[index].times = times
        }
    }

    /// The lines of the object and of its parts, in order.
    var allLines: [Line] { lines + parts.flatMap(\.allLines) }

    /// The first name of a feature.
    var firstName: String? { name ?? parts.lazy.compactMap(\.firstName).first }

    /// Returns the deepest nesting of lists and objects in a JSON text.
    static func depth(of bytes: [UInt8]) -> Int {
        var (depth, deepest, isText, isEscaped) = (0, 0, false, false)
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if isText {
                isEscaped = byte == UInt8(ascii: "\\")
                if byte == UInt8(ascii: "\"") { isText = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isText = true
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    deepest = max(deepest, depth)
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                default: break
                }
            }
        }
        return deepest
    }
}
