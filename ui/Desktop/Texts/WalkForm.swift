/// What is typed when somebody is asked for a walk, and what is wrong with it.
struct WalkForm: Equatable, Sendable {
    /// Letters as a person would count them, on one line.
    static let messageCharactersMax = 100

    var to: String
    var meetingPoint: Coordinate
    var placeName = ""
    var message = ""

    /// What is wrong with the message, or nil.
    var fault: String? {
        let count = message.trimmed.count
        if count == 0 { return "Write a line, such as “A walk before dinner?”" }
        if count > Self.messageCharactersMax {
            let excess = count - Self.messageCharactersMax
            return excess == 1 ? "One character too many." : "\(excess) characters too many."
        }
        return message.contains(where: \.isNewline) ? "One line only, please." : nil
    }

    /// "12 of 100".
    var counter: String { "\(message.trimmed.count) of \(Self.messageCharactersMax)" }

    /// What is sent to the node.
    var body: WalkAsk {
        WalkAsk(
            to: to, latitude: meetingPoint.latitude, longitude: meetingPoint.longitude,
            place: placeName.trimmed.isEmpty ? nil : placeName.trimmed, message: message.trimmed)
    }
}

/// The body of "walk ask".
struct WalkAsk: Encodable, Equatable, Sendable {
    var to: String
    var latitude: Double
    var longitude: Double
    var place: String?
    var message: String
}

/// The body of an action on one record, by its id.
struct RecordReference: Encodable, Equatable, Sendable {
    var id: String
}

/// The body of "location set".
struct PlaceSetting: Encodable, Equatable, Sendable {
    var latitude: Double
    var longitude: Double
}
