/** What a call throws; `undefined` if it throws nothing. */
export function thrownBy (call: () => unknown): unknown {
  try {
    call()
    return undefined
  } catch (error) {
    return error
  }
}
