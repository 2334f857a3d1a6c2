import Testing

/// Expects that each value has one encoding and each encoding one meaning: every changed byte,
/// every shortening and every additional byte is refused or is the encoding of another value. Each
/// byte is changed in nine ways, or in three if there are many.
func expectCanonical(
    _ bytes: [UInt8], _ recode: ([UInt8]) throws -> [UInt8],
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(try recode(bytes) == bytes, sourceLocation: sourceLocation)
    var twins = bytes.indices.map { Array(bytes[..<$0]) } + [bytes + [0]]
    let changes: [UInt8] = bytes.count < 200 ? [1, 2, 4, 8, 16, 32, 64, 128, 255] : [1, 128, 255]
    for position in bytes.indices {
        for change in changes {
            var mutated = bytes
            mutated[position] ^= change
            twins.append(mutated)
        }
    }
    let misread = twins.filter { twin in
        guard let again = try? recode(twin) else { return false }
        return again != twin
    }
    #expect(misread.isEmpty, sourceLocation: sourceLocation)
}
