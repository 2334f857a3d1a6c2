internal import ControlAPI
internal import Files
internal import Foundation
internal import PluginKit

/// The record of what came back to this home by recovery words, or to a device that joined, as the
/// home stores it: the people who have sent all that they share.
struct Regained: Codable, Hashable, Sendable {
    /// The time at which the person came back.
    let since: Timestamp
    /// The people who have sent everything, oldest first, by their keys.
    private var people: [String] = []
    /// If the person did not come back but this device joined them: the person, whose other devices
    /// are asked, and mates only while those are absent.
    private var person: String?
    /// The device that added this one.
    private var adder: String?
    /// The address at which that device was.
    private(set) var address: String?

    /// The number of people who are remembered. Others are asked again on each link.
    static let peopleMax = 1024
    /// The longest file that is read, in bytes.
    private static let bytesMax = 128 * 1024

    /// Begins with nothing.
    init(since time: Timestamp) { since = time }

    /// Begins with nothing on a device that joined its person.
    /// - Parameters:
    ///   - adder: the device that added this one.
    ///   - address: where that device is.
    init(since time: Timestamp, person: PersonID, from adder: DeviceID, at address: String?) {
        since = time
        (self.person, self.adder) = (person.description, adder.description)
        self.address = address
    }

    /// Reads the file of a home; nil if its person did not come back by recovery words, or if the
    /// file cannot be read.
    init?(of home: Home) {
        guard let bytes = try? SafeFile.read(home.regainedFile), bytes.count <= Self.bytesMax,
            let read = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = read
    }

    /// Writes the file of a home.
    /// - Throws: `POSIXError`.
    func write(to home: Home) throws {
        try SafeFile.write(Array(try JSONEncoder().encode(self)), to: home.regainedFile)
    }

    /// The people who have sent everything.
    var everyone: [PersonID] { people.compactMap { PersonID($0) } }

    /// The device that added this one; nil if the person came back by recovery words.
    var joinedFrom: DeviceID? { adder.flatMap { DeviceID($0) } }

    /// The person whom this device joined; nil if the person came back by recovery words.
    var joined: PersonID? { person.flatMap { PersonID($0) } }

    /// Whether this device joined its person and no other device of theirs has sent everything.
    var isReceiving: Bool { joined.map { !contains($0) } ?? false }

    /// Whether a person has sent everything.
    func contains(_ person: PersonID) -> Bool { people.contains(person.description) }

    /// Records that a person has sent everything.
    /// - Returns: whether that is news.
    mutating func insert(_ person: PersonID) -> Bool {
        guard !contains(person), people.count < Self.peopleMax || person == joined else {
            return false
        }
        people.append(person.description)
        return true
    }

    /// Records that the device that added this one is not one of the person's any more. From then
    /// on, mates are asked as after coming back by recovery words.
    mutating func forgetAdder() { (person, adder, address) = (nil, nil, nil) }
}
