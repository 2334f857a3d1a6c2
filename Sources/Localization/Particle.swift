/// A Korean particle whose form depends on the sound that ends the word before it.
///
/// In a translation it follows its placeholder in braces, its two forms in either order:
/// `%1{이/가}`, `%1{을/를}`, `“%1”{으로/로}`. The sound is read from the inserted text:
/// - a Hangul syllable ends with a final consonant or without one;
/// - a number ends as it is read aloud: 0 영, 1 일, 3 삼, 6 육, 7 칠, 8 팔 and the tens, hundreds
///   up to 억 end with a consonant; 2, 4, 5, 9 and 조 do not;
/// - a Latin word ends with a consonant if it ends in l, m, n or ng, or in c, k, p or t after a
///   vowel or the same letter or "c" (Haru, Robert and Mike do not; Ben, Carl and Jack do). A word
///   in capitals is spelled out: L, M, N and R end with a consonant.
///
/// Marks and emoji at the end do not count. If nothing tells the sound, both forms are shown, as in
/// 이(가) and (으)로.
struct Particle: Hashable, Sendable {
    /// The form after a final consonant.
    let afterConsonant: String
    /// The form after a vowel.
    let afterVowel: String

    /// Every known particle: its form after a consonant, and after a vowel.
    private static let all = [
        ("이", "가"), ("을", "를"), ("은", "는"), ("과", "와"), ("으로", "로"), ("이나", "나"),
        ("이랑", "랑"), ("아", "야"), ("이라", "라"), ("이라고", "라고"), ("이라는", "라는"),
        ("이며", "며"), ("이고", "고"), ("이면", "면"), ("이든", "든"), ("이에요", "예요"),
        ("이었어요", "였어요"),
    ]

    /// Reads the two forms between the braces; nil if they are no known particle.
    init?(marker: Substring) {
        let forms = marker.split(separator: "/", omittingEmptySubsequences: false)
        guard forms.count == 2,
            let known = Self.all.first(where: { consonant, vowel in
                (forms[0] == consonant && forms[1] == vowel)
                    || (forms[1] == consonant && forms[0] == vowel)
            })
        else { return nil }
        (afterConsonant, afterVowel) = known
    }

    /// Returns the form after a text.
    func form(after text: String) -> String {
        switch FinalSound(of: text) {
        case .vowel: afterVowel
        // 으로 is the one particle that treats ㄹ as a vowel.
        case .rieul: afterConsonant == "으로" ? afterVowel : afterConsonant
        case .consonant: afterConsonant
        case nil: bothForms
        }
    }

    /// Both forms, as Korean texts write them if the word is not known: 이(가), (으)로.
    private var bothForms: String {
        guard afterConsonant.hasSuffix(afterVowel) else {
            return "\(afterConsonant)(\(afterVowel))"
        }
        return "(\(afterConsonant.dropLast(afterVowel.count)))\(afterVowel)"
    }
}

/// The sound that ends a text when it is read in Korean.
enum FinalSound: Hashable {
    case vowel
    case consonant
    /// The consonant ㄹ, which some particles treat as a vowel.
    case rieul

    /// Reads the sound from the last letter or digit; nil if it does not tell.
    init?(of text: String) {
        let read = text.reversed().drop { !$0.isLetter && !$0.isNumber }
        guard let last = read.first else { return nil }
        let sound =
            if let digit = last.asciiDigit {
                Self(digit: digit, zeros: read.prefix { $0.asciiDigit == 0 }.count)
            } else if last.isLatin {
                Self(latinFromEnd: read.prefix(while: \.isLatin))
            } else {
                Self(hangul: last)
            }
        guard let sound else { return nil }
        self = sound
    }

    /// Reads a Hangul syllable, also one of separate letters.
    private init?(hangul character: Character) {
        guard let scalar = character.unicodeScalars.last?.value else { return nil }
        switch scalar {
        // A syllable has 28 endings: none, then ㄱ, ㄲ … ㅎ, of which the eighth is ㄹ.
        case 0xAC00...0xD7A3: self.init(ending: (scalar - 0xAC00) % 28)
        case 0x1161...0x1175: self = .vowel
        case 0x11A8...0x11C2: self.init(ending: scalar - 0x11A7)
        default: return nil
        }
    }

    private init(ending: UInt32) {
        self =
            switch ending {
            case 0: .vowel
            case 8: .rieul
            default: .consonant
            }
    }

    /// Reads the last digit of a number, and the zeros that end it: 10 is read 십, 10¹² 조.
    private init(digit: Int, zeros: Int) {
        self =
            switch digit {
            case 0: (12...15).contains(zeros) ? .vowel : .consonant
            case 1, 7, 8: .rieul
            case 3, 6: .consonant
            default: .vowel
            }
    }

    /// Reads a word of Latin letters, the last one first.
    private init(latinFromEnd word: some Collection<Character>) {
        let letters = word.prefix(2).map { $0.lowercased() }
        let (last, before) = (letters[0], letters.count > 1 ? letters[1] : "")
        let isSpelled = word.allSatisfy(\.isUppercase)
        self =
            switch last {
            case "l": .rieul
            case "m", "n": .consonant
            case "r" where isSpelled: .rieul
            case _ where isSpelled: .vowel
            case "g" where before == "n": .consonant
            case "c", "k", "p", "t":
                ["a", "e", "i", "o", "u", "y", "c", last].contains(before) ? .consonant : .vowel
            default: .vowel
            }
    }
}

extension Character {
    fileprivate var asciiDigit: Int? { isASCII ? wholeNumberValue : nil }
    /// Whether this is a Latin letter, also one with an accent.
    fileprivate var isLatin: Bool {
        isLetter && (unicodeScalars.first?.value ?? .max) < 0x250
    }
}
