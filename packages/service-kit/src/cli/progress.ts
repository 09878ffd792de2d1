import type { SingleBar } from 'cli-progress'

/** Shows progress on a terminal, nothing elsewhere. */
export class Progress {
  readonly #Bar: typeof SingleBar | undefined
  #bar: SingleBar | undefined

  private constructor (Bar: typeof SingleBar | undefined) {
    this.#Bar = Bar
  }

  static async open (isShown = process.stderr.isTTY): Promise<Progress> {
    return new Progress(isShown ? (await import('cli-progress')).default.SingleBar : undefined)
  }

  /** Starts at zero. @param of the unit, and the total, if known; bytes for MB */
  start (doing: string, of?: { readonly unit: string, readonly total?: number | undefined }): void {
    this.stop()
    if (this.#Bar === undefined) return
    this.#bar = new this.#Bar({
      format: `${doing}${of === undefined ? ' …' : barFormat(of)}`,
      formatValue: (value, _options, type) =>
        of?.unit === 'MB' && type !== 'percentage' ? (value / 1e6).toFixed(1) : String(value),
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true
    })
    this.#bar.start(of?.total ?? 0, 0)
  }

  /** Adds to the count. */
  add (count: number): void {
    this.#bar?.increment(count)
  }

  /** Sets the count. */
  set (count: number): void {
    this.#bar?.update(count)
  }

  stop (): void {
    this.#bar?.stop()
    this.#bar = undefined
  }
}

function barFormat ({ unit, total }: { unit: string, total?: number | undefined }): string {
  return total === undefined ? ` {value} ${unit}` : ` {bar} {percentage} % | {value} of {total} ${unit}`
}
