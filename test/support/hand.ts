import type { Locator, Page } from 'playwright-core'

/** A clerk's hand and clock: counts what a clerk does. A click, a key and a field that is filled in count as one each. */
export class Hand {
  readonly page: Page
  /** What was done since the last {@link reset}. */
  count = 0

  constructor (page: Page) {
    this.page = page
  }

  async click (target: Locator, options: Parameters<Locator['click']>[0] = {}): Promise<void> {
    this.count++
    await target.click(options)
  }

  async fill (target: Locator, text: string): Promise<void> {
    this.count++
    await target.fill(text)
  }

  async press (key: string): Promise<void> {
    this.count++
    await this.page.keyboard.press(key)
  }

  /** Something that a clerk does to the browser, such as a reload. */
  async browser (work: () => Promise<unknown>): Promise<void> {
    this.count++
    await work()
  }
}
