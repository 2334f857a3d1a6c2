internal import Contract

/// Guesses the word that a misspelt one means.
enum Spelling {
    /// Returns the link between a mistake and its advice: `; did you mean 'status'? `, or `; ` if
    /// no word is near.
    static func hint(for word: String, among candidates: [String]) -> Sentence {
        nearest(to: word, among: candidates).map { "; did you mean '\($0)'? " } ?? "; "
    }

    /// Returns the word with the fewest typing mistakes to this one: at most two, and fewer than
    /// half of its letters.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let ranked = candidates.filter { !$0.isEmpty }
            .map { (word: $0, mistakes: distance(Array(word), Array($0))) }
            .filter { $0.mistakes <= 2 && $0.mistakes * 2 < max($0.word.count, 2) }
        return ranked.min { $0.mistakes < $1.mistakes }?.word
    }

    /// Returns the number of letters to add, drop, replace or swap with their neighbour.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let same = left[row] == right[column] ? 0 : 1
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + same)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
