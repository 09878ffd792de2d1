import { readFileSync } from 'node:fs'

/** The script of the pages that have one. */
export const pageScript = readFileSync(new URL('../../../views/page.js', import.meta.url), 'utf8')
