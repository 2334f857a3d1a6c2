public import Contract

extension NodeStatus {
    /// The room that a neighbourhood takes on this device. It is never called complete: others may
    /// have more of it than there is room for here.
    public struct Neighbourhood: Codable, Hashable, Sendable {
        /// The id of its space.
        public var id: Key
        /// Its name, in the form in which devices compare it.
        public var name: ShownText<64>
        /// The bytes of what is stored.
        public var bytes: Count
        /// The maximum number of these bytes.
        public var bytesMax: Count
        /// The number of records.
        public var records: Count
        /// The maximum number of records.
        public var recordsMax: Count
        /// The number of logs of unknown people.
        public var unknownLogs: Count

        /// Creates the value.
        public init(
            id: Key, name: String, bytes: Int, bytesMax: Int, records: Int, recordsMax: Int,
            unknownLogs: Int
        ) {
            self.id = id
            self.name = ShownText(clipping: name)
            self.bytes = Count(clamping: bytes)
            self.bytesMax = Count(clamping: bytesMax)
            self.records = Count(clamping: records)
            self.recordsMax = Count(clamping: recordsMax)
            self.unknownLogs = Count(clamping: unknownLogs)
        }
    }

    /// A log in a neighbourhood whose person wrote more than is stored of one person and day. It is
    /// read further later; its sender keeps the rest.
    public struct OverAllowance: Codable, Hashable, Sendable {
        /// The id of the neighbourhood's space.
        public var neighbourhood: Key
        /// The person.
        public var person: Key
        /// The device that wrote the log.
        public var device: Key
        /// The time from which on more of it is read.
        public var untilMs: Timestamp

        /// Creates the value.
        public init(neighbourhood: Key, person: Key, device: Key, untilMs: Timestamp) {
            self.neighbourhood = neighbourhood
            self.person = person
            self.device = device
            self.untilMs = untilMs
        }
    }
}
