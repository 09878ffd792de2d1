import { escape } from '@frontdesk/service-kit/pages/html'
import { readFileSync } from 'node:fs'

interface Reference {
  /** Prefix of every path. */
  prefix: string
  /** `client_id` of the Authorize button; `undefined`: the user types one. */
  clientId: string | undefined
  /** Scopes to request by default; empty if no tokens are needed. */
  scopes: readonly string[]
}

/** Path of the redirect URI, after the prefix. */
const CALLBACK = '/docs/static/oauth2-redirect.html'

/** Renders the page at `/docs`: an introduction, and a place where Swagger UI renders the operations. */
export function renderPage (reference: Reference): string {
  const { prefix } = reference
  const files = `${prefix}/docs/static`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Customer register: API reference · Frontdesk</title>
<link rel="icon" href="${files}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${files}/swagger-ui.css">
<link rel="stylesheet" href="${files}/reference.css">
<script src="${files}/swagger-ui-bundle.js" defer></script>
<script src="${files}/reference.js" defer></script>
</head>
<body class="document">
<header><p class="brand"><img src="${files}/icon.svg" alt="" width="24" height="24">Frontdesk</p></header>
<section aria-labelledby="title">
<h1 id="title">Customer register: API reference</h1>
<p>${explain(reference)} What you execute changes the customers of this service.</p>
<p><a href="${prefix}/openapi.json">OpenAPI document</a> · <a href="${prefix}/problems">All errors</a></p>
${showPrograms()}
</section>
<noscript><p>The list of operations needs JavaScript. Without it, read the <a href="${prefix}/openapi.json">OpenAPI document</a>.</p></noscript>
<div id="operations-here" data-document="${prefix}/openapi.json" data-callback="${prefix}${CALLBACK}" data-scopes="${reference.scopes.join(' ')}" data-client="${escape(reference.clientId ?? '')}"></div>
</body>
</html>`
}

function explain ({ prefix, clientId, scopes }: Reference) {
  if (scopes.length === 0) return 'Open an operation and press <b>Execute</b>. You do not have to sign in here.'
  const steps = 'Press <b>Authorize</b> to sign in, then open an operation and press <b>Execute</b>.'
  return clientId === undefined
    ? `${steps} Authorize asks for a client_id: that of an app with the callback <code>${prefix}${CALLBACK}</code> at this address.`
    : steps
}

/** An example program. */
interface Program { name: string, file: string, text: string }

function showPrograms () {
  // as: `npm run generate` writes it.
  const programs = JSON.parse(readFileSync(new URL('programs.json', import.meta.url), 'utf8')) as Program[]
  if (programs.length === 0) return ''
  const shown = programs.map(({ name, file, text }) =>
    `<details><summary>${name}</summary><p><code>${file}</code></p><pre tabindex="0">${escape(text)}</pre></details>`)
  return `<section aria-labelledby="programs"><h2 id="programs">From a program</h2>${shown.join('')}</section>`
}
