/** A file that cannot be read any further: `message` says where and why, in a sentence. */
export class UnreadableFile extends Error {
  /** @param line as an editor counts it, from 1 @param what the rest of a sentence that begins with the line */
  constructor (line: number, what: string, options?: ErrorOptions) {
    super(`Line ${line} ${what}`, options)
  }
}
