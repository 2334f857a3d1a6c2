extension Schema {
    /// Checks a value against the schema.
    ///
    /// - Parameter field: the name of the parameter that holds the value; the sentence names it.
    /// - Throws: ``CommandFault/usage(_:field:)`` for the first breach, in the order of the
    ///   members. A breach inside a list or an object names the outer parameter as the field.
    public func check(_ value: JSONValue, field: String) throws(CommandFault) {
        do throws(Breach) {
            try check(value)
        } catch {
            throw .usage("'\(field)' \(error.sentence(after: field))", field: field)
        }
    }

    /// A value that the schema does not admit.
    struct Breach: Error {
        /// The members and indices that lead to it.
        var path: [String] = []
        /// The rest of a sentence that begins with the value's name.
        let rule: Sentence

        /// Returns the breach with a member or an index before its path.
        func within(_ name: String) -> Breach { Breach(path: [name] + path, rule: rule) }

        func sentence(after field: String) -> Sentence {
            path.isEmpty ? rule : "holds '\(path.joined(separator: "."))', which \(rule)"
        }
    }

    /// Checks a value.
    func check(_ value: JSONValue) throws(Breach) {
        switch self {
        case .any: return
        case .boolean:
            guard value.boolean != nil else { throw mismatch }
        case .integer(let range):
            guard let number = value.integer, range.contains(number) else { throw mismatch }
        case .number(let range):
            guard let number = value.number, range?.contains(number) ?? true else {
                throw mismatch
            }
        case .text(let form):
            guard let text = value.string else { throw mismatch }
            if let rule = form.breach(in: text) { throw Breach(rule: rule) }
        case .list(let element, let count):
            guard let elements = value.array, count.contains(elements.count) else { throw mismatch }
            for (index, value) in elements.enumerated() {
                do throws(Breach) { try element.check(value) } catch {
                    // A text is named by itself, and any other element by its number.
                    let text = error.path.isEmpty ? value.string?.prefix(40) : nil
                    throw error.within(text.map(String.init) ?? "\(index + 1)")
                }
            }
        case .object(let members, let countMin):
            guard case .object(let values) = value else { throw mismatch }
            try Self.check(values, members, countMin)
        case .map(let schema):
            guard case .object(let values) = value else { throw mismatch }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                do throws(Breach) { try schema.check(value) } catch { throw error.within(name) }
            }
        }
    }

    private static func check(
        _ values: [String: JSONValue], _ members: [Member], _ countMin: Int
    ) throws(Breach) {
        guard values.count >= countMin else {
            throw Breach(
                rule: Sentence(
                    count: countMin, one: "must have at least 1 member",
                    other: "must have at least \(countMin) members"))
        }
        for name in values.keys.sorted() where !members.contains(where: { $0.name == name }) {
            throw Breach(path: [name], rule: "is unknown")
        }
        for member in members {
            guard let value = values[member.name] else {
                guard !member.isRequired else {
                    throw Breach(path: [member.name], rule: "is missing")
                }
                continue
            }
            do throws(Breach) { try member.schema.check(value) } catch {
                throw error.within(member.name)
            }
        }
    }

    private var mismatch: Breach { Breach(rule: "must be \(expectation)") }

    /// The description of the expected value, as in "a whole number from 0 to 99".
    public var expectation: Sentence {
        switch self {
        case .any: return "a JSON value"
        case .boolean: return "true or false"
        case .integer(let range):
            guard range.lowerBound != .min else { return "a whole number" }
            guard range.upperBound != .max else {
                return "a whole number of at least \(range.lowerBound)"
            }
            return "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(nil): return "a number"
        case .number(let range?):
            return "a number from \(range.lowerBound.short) to \(range.upperBound.short)"
        case .text(let form): return form.expectation
        case .list(let element, let count):
            let each = element.expectation
            guard count.upperBound == Self.listCountMax else {
                return "a list of \(count.lowerBound) to \(count.upperBound) "
                    + "whose elements are each \(each)"
            }
            return count.lowerBound == 0
                ? "a list whose elements are each \(each)"
                : "a list of at least \(count.lowerBound) whose elements are each \(each)"
        case .object, .map: return "an object"
        }
    }
}

extension TextForm {
    /// Returns the rule that a text breaks, as the rest of a sentence; nil if it breaks none.
    func breach(in text: String) -> Sentence? {
        switch self {
        case .any: return nil
        case .line(let count): return TextRule(characters: count).breach(in: text)
        case .lines(let count):
            return TextRule(characters: count, hasLines: true).breach(in: text)
        case .shown(let charactersMax): return Self.excess(of: text, over: charactersMax)
        case .hexadecimal(let digits):
            let isHexadecimal = text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20
            }
            return isHexadecimal && digits.contains(text.utf8.count)
                ? nil : "must be \(expectation)"
        case .decimal(let digits):
            let isDecimal = text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            return isDecimal && digits.contains(text.utf8.count) ? nil : "must be \(expectation)"
        case .choice(let words):
            return words.contains(text) ? nil : "must be \(expectation), not '\(text.prefix(40))'"
        case .path:
            guard text.utf8.first == UInt8(ascii: "/") else { return "must be \(expectation)" }
            // The system ends a path at a zero byte, so it would name another file.
            guard !text.utf8.contains(0) else { return "must not contain a zero byte" }
            return text.utf8.count <= Self.pathBytesMax
                ? nil : "must have at most \(Self.pathBytesMax) bytes"
        }
    }

    private static func excess(of text: String, over charactersMax: Int) -> Sentence? {
        // A text has at least one byte for each scalar, and one scalar for each character.
        guard text.utf8.count > charactersMax else { return nil }
        let scalarsMax = charactersMax * TextRule.scalarsPerCharacterMax
        let (characters, scalars) = (text.count, text.unicodeScalars.count)
        guard characters <= charactersMax else {
            return "must have at most \(charactersMax) characters; it has \(characters)"
        }
        guard scalars <= scalarsMax else {
            return "must have at most \(scalarsMax) code points; it has \(scalars)"
        }
        return nil
    }

    /// The description of the expected text.
    var expectation: Sentence {
        switch self {
        case .any: "text"
        case .line(let count): "one line of \(count.lowerBound) to \(count.upperBound) characters"
        case .lines(let count): "a text of \(count.lowerBound) to \(count.upperBound) characters"
        case .shown(let charactersMax): "a text of at most \(charactersMax) characters"
        case .hexadecimal(let digits) where digits.count == 1:
            "\(digits.lowerBound) hexadecimal digits"
        case .hexadecimal(let digits):
            "\(digits.lowerBound) to \(digits.upperBound) hexadecimal digits"
        case .decimal(let digits) where digits.count == 1: "\(digits.lowerBound) decimal digits"
        case .decimal(let digits): "\(digits.lowerBound) to \(digits.upperBound) decimal digits"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .path: "the absolute path of a file, from /"
        }
    }
}

extension Double {
    /// The number as text, without a fraction of zero.
    fileprivate var short: String { Int64(exactly: self).map(String.init) ?? "\(self)" }
}
