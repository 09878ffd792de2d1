const [LF, QUOTE, BACKSLASH, COLON, OPEN, OPEN_ARRAY] = [...'\n"\\:{['].map(it => it.charCodeAt(0))
const CLOSINGS = new Set([...'}]'].map(it => it.charCodeAt(0)))
const BLANKS = new Set([...' \t\r\n'].map(it => it.charCodeAt(0)))

/** Names of members are compared up to this length. */
const MAX_NAME = 64

/**
 * Passes on an array that is a member of a JSON object, such as `users` in `{"realm": "x", "users": [{…}]}`, for `readElements`. Keeps
 * the line breaks before and after it, so that lines are counted as in the file. Passes on everything if the file has no object.
 */
export async function * readMember (body: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const filter = new MemberFilter(name)
  for await (const bytes of body) yield filter.pass(bytes)
}

class MemberFilter {
  readonly #wanted: string
  /** Whether the file is an object; `undefined`: it has not begun. */
  #isObject: boolean | undefined
  #depth = 0
  #inString = false
  #isEscaped = false
  /** The last string of the object itself, and whether a value follows it. */
  #name: number[] = []
  #isValue = false
  /** Depth of the wanted array while it is passed on. */
  #passedDepth: number | undefined

  constructor (name: string) {
    this.#wanted = name
  }

  pass (bytes: Buffer): Buffer {
    const passed = Buffer.allocUnsafe(bytes.length)
    let length = 0
    for (const byte of bytes) {
      const isPassed = this.#read(byte)
      if (isPassed || byte === LF) passed[length++] = byte
    }
    return passed.subarray(0, length)
  }

  /** Returns whether a byte is part of the array. */
  #read (byte: number): boolean {
    if (this.#isObject === undefined && !BLANKS.has(byte)) this.#isObject = byte === OPEN
    if (this.#isObject !== true) return true
    if (this.#inString) this.#readString(byte)
    else if (byte === QUOTE) {
      this.#inString = true
      if (this.#depth === 1 && !this.#isValue) this.#name = []
    } else if (byte === OPEN || byte === OPEN_ARRAY) {
      const isWanted = byte === OPEN_ARRAY && this.#depth === 1 && this.#isValue && Buffer.from(this.#name).toString() === this.#wanted
      this.#depth++
      if (isWanted) this.#passedDepth = this.#depth
    } else if (CLOSINGS.has(byte)) {
      this.#depth--
      if (this.#passedDepth !== undefined && this.#depth < this.#passedDepth) {
        this.#passedDepth = undefined
        return true
      }
    } else if (this.#depth === 1) this.#isValue = byte === COLON || (this.#isValue && BLANKS.has(byte))
    return this.#passedDepth !== undefined
  }

  #readString (byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) {
      this.#inString = false
      return
    }
    if (this.#depth === 1 && !this.#isValue && this.#name.length < MAX_NAME) this.#name.push(byte)
  }
}
