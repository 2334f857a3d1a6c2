public import Contract
public import Foundation
import TimePhrases

/// Words in a field for a moment, and what they mean.
public enum TypedMoment: Equatable, Sendable {
    case empty
    case moment(Timestamp)
    /// Words that mean no moment, and a sentence about them.
    case fault(String)

    /// Reads words.
    /// - Parameter calendar: the calendar whose time zone the words are meant in.
    public init(_ text: String, now: Timestamp, calendar: Calendar = .here) {
        guard !text.trimmed.isEmpty else {
            self = .empty
            return
        }
        do throws(TimePhraseFault) {
            self = .moment(try TimePhrase(text, now: now, calendar: calendar).moment)
        } catch {
            self = .fault(error.sentence)
        }
    }

    /// The moment; nil if there is none.
    public var moment: Timestamp? { if case .moment(let moment) = self { moment } else { nil } }

    /// Whether the words mean no moment.
    public var isFault: Bool { if case .fault = self { true } else { false } }

    /// Returns the moment with its distance, as in "Mon 23 Nov 18:00, in 9 h", or the fault; nil
    /// without words.
    public func echo(now: Timestamp, calendar: Calendar = .here) -> String? {
        switch self {
        case .empty: nil
        case .moment(let moment): moment.phrase(now: now, calendar: calendar)
        case .fault(let sentence): "⚠ \(sentence)."
        }
    }
}
