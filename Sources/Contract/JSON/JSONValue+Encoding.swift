extension JSONValue {
    /// Encodes a value whose members are texts, numbers, Booleans, lists and objects. A nil member
    /// is left out.
    public init(encoding value: some Encodable) {
        self = JSONValueEncoder.json(of: value)
    }
}

/// Encodes `Encodable` values as JSON values.
private final class JSONValueEncoder: Encoder {
    /// The value as written so far.
    private var draft = Draft.nothing
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private enum Draft {
        case nothing
        case value(JSONValue)
        case object(Object)
        case list(List)
    }

    fileprivate final class Object { var members: [String: JSONValueEncoder] = [:] }
    fileprivate final class List { var elements: [JSONValueEncoder] = [] }

    static func json(of value: some Encodable) -> JSONValue {
        let encoder = JSONValueEncoder()
        encoder.write(value)
        return encoder.json
    }

    var json: JSONValue {
        switch draft {
        case .nothing: [:]
        case .value(let value): value
        case .object(let object): .object(object.members.mapValues(\.json))
        case .list(let list): .array(list.elements.map(\.json))
        }
    }

    func write(_ value: some Encodable) {
        if let value = value as? JSONValue { return draft = .value(value) }
        do { try value.encode(to: self) } catch {
            preconditionFailure("a \(type(of: value)) cannot be written as JSON: \(error)")
        }
    }

    func set(_ value: JSONValue) { draft = .value(value) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(object: object()))
    }

    private func object() -> Object {
        if case .object(let object) = draft { return object }
        let object = Object()
        draft = .object(object)
        return object
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let list = List()
        draft = .list(list)
        return Elements(list: list)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValue(encoder: self) }
}

/// The one value of an encoder.
private struct SingleValue: SingleValueEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.set(.null) }
    func encode(_ value: Bool) { encoder.set(.boolean(value)) }
    func encode(_ value: String) { encoder.set(.string(value)) }
    func encode(_ value: Double) { encoder.set(.number(value)) }
    func encode(_ value: Float) { encoder.set(.number(Double(value))) }
    func encode(_ value: Int) { encoder.set(.integer(Int64(value))) }
    func encode(_ value: Int8) { encoder.set(.integer(Int64(value))) }
    func encode(_ value: Int16) { encoder.set(.integer(Int64(value))) }
    func encode(_ value: Int32) { encoder.set(.integer(Int64(value))) }
    func encode(_ value: Int64) { encoder.set(.integer(value)) }
    func encode(_ value: UInt) { encoder.set(.integer(Int64(clamping: value))) }
    func encode(_ value: UInt8) { encoder.set(.integer(Int64(value))) }
    func encode(_ value: UInt16) { encoder.set(.integer(Int64(value))) }
    func encode(_ value: UInt32) { encoder.set(.integer(Int64(value))) }
    func encode(_ value: UInt64) { encoder.set(.integer(Int64(clamping: value))) }
    func encode(_ value: some Encodable) { encoder.write(value) }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let object: JSONValueEncoder.Object
    var codingPath: [any CodingKey] { [] }

    private func member(_ key: Key) -> JSONValueEncoder {
        let encoder = JSONValueEncoder()
        object.members[key.stringValue] = encoder
        return encoder
    }

    func encodeNil(forKey key: Key) { member(key).set(.null) }
    func encode(_ value: some Encodable, forKey key: Key) {
        member(key).write(value)
        guard let sentence = (value as? any SentenceMember)?.sentence else { return }
        let beside = JSONValueEncoder()
        object.members[Sentence.member(beside: key.stringValue)] = beside
        beside.write(sentence)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { member(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { JSONValueEncoder() }
    func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}

/// The elements of a list.
private struct Elements: UnkeyedEncodingContainer {
    let list: JSONValueEncoder.List
    var codingPath: [any CodingKey] { [] }
    var count: Int { list.elements.count }

    private func element() -> JSONValueEncoder {
        let encoder = JSONValueEncoder()
        list.elements.append(encoder)
        return encoder
    }

    func encodeNil() { element().set(.null) }
    func encode(_ value: some Encodable) { element().write(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> { element().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
    func superEncoder() -> any Encoder { element() }
}
