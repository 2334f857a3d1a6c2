internal import Foundation
internal import Simulation

// waggle-sim: runs seeds of the simulator one after the other and prints the results.
//
//   waggle-sim run FIRST STEP COUNT HOURS [--trace]
//   waggle-sim laws FIRST STEP COUNT
//   waggle-sim open SEED NODES LIARS KEYS
//
// The seeds are FIRST, FIRST + STEP, … (COUNT of them). Each failed seed and the counts of a run
// are printed on one line; `script/sim` adds up the counts of several processes.

let words = Array(CommandLine.arguments.dropFirst())
guard let order = Order(words) else {
    FileHandle.standardError.write(Data("usage: \(Order.usage)\n".utf8))
    exit(2)
}
exit(try await order.carryOut() ? 0 : 1)
