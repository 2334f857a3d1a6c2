import Testing

/// Claims that bytes have one meaning and a meaning has one spelling: a change of any byte, every
/// shortening and a byte more is refused, or is the one spelling of something else. Each byte is
/// changed in nine ways, and in three where there are many.
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
