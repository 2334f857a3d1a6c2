import Testing

/// Claims that bytes have one meaning and a meaning has one spelling: every change of one byte,
/// every shortening and every byte more is refused, or is the one spelling of something else.
func expectCanonical(
    _ bytes: [UInt8], _ recode: ([UInt8]) throws -> [UInt8],
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(try recode(bytes) == bytes, sourceLocation: sourceLocation)
    var twins = bytes.indices.map { Array(bytes[..<$0]) } + [bytes + [0]]
    for position in bytes.indices {
        for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] as [UInt8] {
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
