/// The parts of a GeoJSON file (RFC 7946).
enum GeoJSONText {
    /// Returns a file of features.
    static func collection(_ features: [String]) -> String {
        "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ",\n"))]}\n"
    }

    /// Returns a feature.
    /// - Parameters:
    ///   - coordinates: the JSON of its coordinates.
    ///   - properties: the JSON of each property.
    static func feature(
        _ type: String, _ coordinates: String, _ properties: [String: String]
    ) -> String {
        let members = properties.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\($0.value)" }
        return "{\"type\":\"Feature\",\"geometry\":{\"type\":\"\(type)\","
            + "\"coordinates\":\(coordinates)},\"properties\":{\(members.joined(separator: ","))}}"
    }

    /// Returns a list.
    static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

    /// Returns a position: longitude first.
    static func position(_ point: Point) -> String {
        "[\(DecimalText.degrees(point.longitude)),\(DecimalText.degrees(point.latitude))]"
    }

    /// Returns a text in quotes, with its escapes.
    static func quoted(_ text: String) -> String {
        var result = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result.append(contentsOf: ["\\", scalar])
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            default: result.append(scalar)
            }
        }
        result.append("\"")
        return String(result)
    }
}

extension Track {
    /// The track as a GeoJSON feature: a line for each part, with the times of its points in
    /// `coordTimes` if all points have one. A part with one point is left out, since a line has
    /// two; a track of one point is a point.
    public var geoJSON: String {
        let lines = segments.filter { $0.count > 1 }
        let points = lines.map { line in
            GeoJSONText.list(line.map { GeoJSONText.position($0.point) })
        }
        let times = lines.map { line in
            GeoJSONText.list(
                line.compactMap { $0.at.map { GeoJSONText.quoted(TimeText.text($0)) } })
        }
        var properties: [String: String] = [:]
        properties["name"] = name.map(GeoJSONText.quoted)
        let hasTimes = lines.allSatisfy { line in line.allSatisfy { $0.at != nil } }
        guard let first = points.first else {
            return GeoJSONText.collection(
                fixes.prefix(1).map {
                    GeoJSONText.feature("Point", GeoJSONText.position($0.point), properties)
                })
        }
        let isOne = points.count == 1
        if hasTimes { properties["coordTimes"] = isOne ? times.first : GeoJSONText.list(times) }
        return GeoJSONText.collection([
            GeoJSONText.feature(
                isOne ? "LineString" : "MultiLineString",
                isOne ? first : GeoJSONText.list(points), properties)
        ])
    }
}
