import Contract

/// Returns the key whose digits are all the same.
func key(_ digit: Character) -> Key { Key(digits: String(repeating: digit, count: 64)) }

/// Returns the record's id whose digits are all the same.
func id(_ digit: Character) -> RecordKey { RecordKey(digits: String(repeating: digit, count: 32)) }
