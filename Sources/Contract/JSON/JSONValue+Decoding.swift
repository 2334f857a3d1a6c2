extension JSONValue {
    /// Decodes this JSON to a typed value. Members that the type does not have are ignored, so that
    /// an older program reads a newer answer.
    /// - Throws: ``Mismatch`` naming the first member that is missing or has another type, or the
    ///   error of a type's own `init(from:)`.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONValueDecoder(value: self, codingPath: []).value(type)
    }

    /// A member that is missing, or whose value has another type than expected.
    public struct Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
        /// The members and indices that lead to it, separated by dots.
        public let path: String
        /// The first of them, which is a command's parameter.
        public let field: String
        /// The rest of a sentence that begins with the path.
        public let problem: Sentence

        init(_ codingPath: [any CodingKey], _ problem: Sentence) {
            path = codingPath.map(\.stringValue).joined(separator: ".")
            field = codingPath.first?.stringValue ?? ""
            self.problem = problem
        }

        /// The whole sentence, in English.
        public var description: String { "'\(path)' \(problem.english)" }
    }
}

/// Decodes a JSON value as `Decodable` types ask for it. Null is a value that no typed member has,
/// so it is refused and not read as an omitted member.
private struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        type == JSONValue.self ? try cast(value) : try Value(from: self)
    }

    private func cast<Value>(_ value: JSONValue) throws -> Value {
        guard let value = value as? Value else { throw mismatch("a JSON value") }
        return value
    }

    func mismatch(_ expected: Sentence) -> JSONValue.Mismatch {
        JSONValue.Mismatch(codingPath, "must be \(expected)")
    }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch("an object") }
        return KeyedDecodingContainer(Members(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array else { throw mismatch("a list") }
        return Elements(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard let value = value.boolean else { throw mismatch("true or false") }
        return value
    }

    func decode(_ type: String.Type) throws -> String {
        guard let value = value.string else { throw mismatch("text") }
        return value
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let value = value.number else { throw mismatch("a number") }
        return value
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try whole(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

    private func whole<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard let value = value.integer.flatMap({ Number(exactly: $0) }) else {
            throw mismatch("a whole number")
        }
        return value
    }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]
    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let value = try decoder(key).value(type)
        guard let text = value as? any SentenceMember else { return value }
        let beside = members[Sentence.member(beside: key.stringValue)]
        let read = Sentence(reading: beside, english: text.sentence.english)
        return Swift.type(of: text).init(read) as? Value ?? value
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        JSONValueDecoder(value: .object(members), codingPath: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> JSONValueDecoder {
        guard let value = members[key.stringValue] else {
            throw JSONValue.Mismatch(codingPath + [key], "is missing")
        }
        return JSONValueDecoder(value: value, codingPath: codingPath + [key])
    }
}

/// The elements of a list.
private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    mutating func decodeNil() -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().value(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> { try next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> JSONValueDecoder {
        let path = codingPath + [Index(currentIndex)]
        guard !isAtEnd else { throw JSONValue.Mismatch(path, "is missing") }
        defer { currentIndex += 1 }
        return JSONValueDecoder(value: elements[currentIndex], codingPath: path)
    }
}

/// The index in a list, which people count from 1.
private struct Index: CodingKey {
    let position: Int
    init(_ position: Int) { self.position = position }
    init?(intValue: Int) { position = intValue }
    init?(stringValue: String) { nil }
    var intValue: Int? { position }
    var stringValue: String { "\(position + 1)" }
}
