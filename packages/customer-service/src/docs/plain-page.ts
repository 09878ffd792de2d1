import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { escape } from './html.js'

const style = `
:root { color-scheme: light dark; background: #f3f4f8; color: #1b1d28; font: 1rem/1.55 system-ui, sans-serif }
body { margin: 0; padding: clamp(1rem, 4vh, 2.5rem) 1rem 3rem }
header, main { max-width: 44rem; margin: 0 auto; box-sizing: border-box }
header { display: flex; gap: .6rem; align-items: center; padding: 0 0 1rem .1rem; font-weight: 600 }
svg { display: block; width: 28px; height: 28px }
main { padding: 1.5rem clamp(1rem, 5vw, 2.25rem); border: 1px solid #d5d8e3; border-radius: 14px; background: #fff; overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.45rem; line-height: 1.25 }
h2 { margin: 1.5rem 0 .25rem; font-size: 1rem }
p { margin: .25rem 0 1rem }
pre { padding: .75rem 1rem; border-radius: 9px; background: #f3f4f8; white-space: pre-wrap }
a { color: #3b4cca }
.note { color: #5a5f73; font-size: .9rem }
@media (prefers-color-scheme: dark) {
  :root, pre { background: #14151c; color: #eceef6 }
  main { border-color: #343845; background: #1e2029 }
  a { color: #a5b1ff }
  .note { color: #a7adc2 }
}`

/** The `Content-Security-Policy` for {@link renderPlainPage}. */
export const PAGE_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

/** The icon for {@link renderPlainPage}, inlined: the file has a URL only if there is an API reference. */
export async function readIcon (): Promise<string> {
  return await readFile(new URL('../../../public/icon.svg', import.meta.url), 'utf8')
}

/** A page that loads nothing. @param content HTML */
export function renderPlainPage (title: string, icon: string, content: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)} · Frontdesk</title><style>${style}</style>
<header><span aria-hidden="true">${icon}</span>Frontdesk</header>
<main><h1>${escape(title)}</h1>${content}</main>
</html>`
}
