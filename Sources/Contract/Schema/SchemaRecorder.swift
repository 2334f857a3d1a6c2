extension Schema {
    /// Returns the schema of a type. A type that is ``SchemaDescribing`` states it; for any other,
    /// its `init(from:)` is run once and each member it asks for is recorded. A member read with
    /// `decodeIfPresent`, as an optional property is, is not required.
    public static func of(_ type: any Decodable.Type) -> Schema { recorded(type).schema }

    /// Returns the schema of a type and a value of it.
    fileprivate static func recorded<Value: Decodable>(
        _ type: Value.Type
    ) -> (schema: Schema, example: Value) {
        if let type = type as? any SchemaDescribing.Type {
            guard let example = type.example as? Value else {
                preconditionFailure("the example of \(type) has another type")
            }
            return (type.schema, example)
        }
        let recording = SchemaRecorder.Recording(
            leading: (type as? any LeadingMembers.Type)?.leadingMembers ?? [],
            details: (type as? any DetailMembers.Type)?.detailMembers ?? [])
        do {
            let example = try Value(from: SchemaRecorder(recording: recording))
            let countMin = (type as? any CommandRequest.Type)?.memberCountMin ?? 0
            return (.object(recording.members, countMin: countMin), example)
        } catch {
            preconditionFailure("the schema of \(type) cannot be derived: \(error)")
        }
    }
}

/// A decoder that returns an example value for every request and records the requests.
private struct SchemaRecorder: Decoder {
    /// The members requested so far, in order.
    final class Recording {
        var members: [Schema.Member] = []
        var optionalNames: Set<String> = []
        let leading: Set<String>
        let details: [String]

        init(leading: Set<String>, details: [String]) {
            self.leading = leading
            self.details = details
        }
    }

    let recording: Recording
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(recording: recording))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unsupported() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unsupported() }

    /// The error of a type that decodes a list or a single value by hand and is not
    /// ``SchemaDescribing``.
    struct Unsupported: Error {}
}

extension SchemaRecorder {
    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let recording: Recording
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }

        /// `decodeIfPresent` asks for null before it decodes; `decode` does not.
        func decodeNil(forKey key: Key) -> Bool {
            recording.optionalNames.insert(key.stringValue)
            return false
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value {
            let (schema, example) = Schema.recorded(type)
            recording.members.append(
                Schema.Member(
                    key.stringValue, schema,
                    isRequired: !recording.optionalNames.contains(key.stringValue),
                    isLeading: recording.leading.contains(key.stringValue),
                    detailRank: recording.details.firstIndex(of: key.stringValue)))
            if type is any SentenceMember.Type {
                let beside = Sentence.member(beside: key.stringValue)
                recording.members.append(Schema.Member(beside, .any, isRequired: false))
            }
            return example
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<NestedKey> { throw Unsupported() }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw Unsupported()
        }

        func superDecoder() throws -> any Decoder { throw Unsupported() }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw Unsupported() }
    }
}
