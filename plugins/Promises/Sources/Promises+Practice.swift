internal import PromisesAPI
public import PluginKit

extension Promises {
    /// The practice mate accepts promises. At the end, those of the user with it alone are called
    /// off.
    public static var practice: PracticePart? {
        PracticePart { mate in
            let promises = try await mate.node.call(PromiseCommands.list, ListPromises()).promises
            for promise in promises where promise.state == .invited {
                guard await mate.hasThought(about: promise.id.string) else { continue }
                try await mate.node.call(
                    PromiseCommands.accept,
                    AgreeToPromise(promise: NameOrKey(promise.id), atMs: promise.atMs))
            }
        } erase: { yours, mate in
            for promise in try await yours.call(PromiseCommands.list, ListPromises()).promises
            where promise.mine {
                let reference = PromiseReference(promise: NameOrKey(promise.id))
                let people = try await yours.call(PromiseCommands.show, reference).people
                guard people.allSatisfy({ $0.me || $0.person == mate }), people.count > 1 else {
                    continue
                }
                try await yours.call(PromiseCommands.delete, reference)
            }
        }
    }
}
