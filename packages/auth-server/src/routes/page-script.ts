import { readFileSync } from 'node:fs'

/** The script of interactive pages. */
export const pageScript = readFileSync(new URL('../../../views/page.js', import.meta.url), 'utf8')
