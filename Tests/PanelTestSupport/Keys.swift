public import Contract

/// Returns a key of equal digits.
public func key(_ digit: Character) -> Key { Key(digits: String(repeating: digit, count: 64)) }

/// Returns a record's id of equal digits.
public func id(_ digit: Character) -> RecordKey {
    RecordKey(digits: String(repeating: digit, count: 32))
}
