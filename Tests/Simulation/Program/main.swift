internal import Foundation
internal import Simulation

// waggle-sim: runs seeds of the simulator, one after the other, and says what it saw.
//
//   waggle-sim run FIRST STEP COUNT HOURS [--trace]
//   waggle-sim laws FIRST STEP COUNT
//
// The seeds are FIRST, FIRST + STEP, … of which there are COUNT. One line per failed seed and one
// of counts per run; `script/sim` adds up what several processes say.

let words = Array(CommandLine.arguments.dropFirst())
guard let order = Order(words) else {
    FileHandle.standardError.write(Data("usage: \(Order.usage)\n".utf8))
    exit(2)
}
exit(try await order.carryOut() ? 0 : 1)
