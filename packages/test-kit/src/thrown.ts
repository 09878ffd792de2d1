/** Returns what a call throws, if anything. */
export function thrownBy (call: () => unknown): unknown {
  try {
    call()
    return undefined
  } catch (error) {
    return error
  }
}
