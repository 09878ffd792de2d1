/** Gives stores back as they are, and knows afterwards what of them was used. */
export type Watch = <T extends object>(stores: T) => T

/** Watches which methods are called; `unused` names the others. */
export function watchCalls (): { watch: Watch, unused: () => string[] } {
  const calls = new Map<string, boolean>()

  const watch = <T extends object>(stores: T, path = ''): T => {
    for (const name of namesOf(stores)) calls.set(path + name, calls.get(path + name) ?? false)
    return new Proxy(stores, {
      get (target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof name === 'symbol' || !calls.has(path + name)) return value
        if (typeof value !== 'function') return value instanceof Object ? watch(value, `${path}${name}.`) : value
        return (...args: unknown[]) => {
          calls.set(path + name, true)
          const result: unknown = value.apply(target, args)
          return result instanceof Object && !('then' in result) ? watch(result, `${path}${name}().`) : result
        }
      }
    })
  }
  return {
    watch,
    // What has methods of its own is no method: `clients`, of which `clients.find` is one.
    unused: () => [...calls].filter(([name, called]) => !called && ![...calls.keys()].some(other => other.startsWith(`${name}.`)))
      .map(([name]) => name)
  }
}

function namesOf (stores: object): string[] {
  return Object.keys(stores).filter(name => Reflect.get(stores, name) instanceof Object)
}
