import { build } from 'esbuild'
import { createServer } from 'node:http'
import type { Test } from 'tap'
import { blockOf, registerAppOf, settingsMissingIn, withAddresses } from './how-to-page.js'
import { root, type Stack } from './stack.js'

/** A page of docs/how-to about an app without a server. */
export interface SinglePageApp {
  page: string
  /** By its name for `client show --for`. */
  library: string
  /** The language of the block with its code. */
  language: 'jsx' | 'ts'
  /** The port that the page names, of the development server. */
  named: number
  /** Its port in the test. */
  port: number
  /** A module that the development server loads before it. */
  before?: string
  /** The element of `index.html` that it fills. */
  element: string
}

/** Registers the app of a page with the command there, bundles its code as its development server does, and serves it. Gives its origin. */
export async function serveSinglePageApp (
  t: Test,
  stack: Stack,
  { page, library, language, named, port, before, element }: SinglePageApp
): Promise<string> {
  const here = withAddresses(stack, [named, port])
  await registerAppOf(stack, page, here)
  t.same(await settingsMissingIn(page, stack, here, library), [])
  const { outputFiles } = await build({
    stdin: { contents: `${before === undefined ? '' : `import '${before}'\n`}${here(blockOf(page, language))}`, loader: language, resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, target: 'ES2022' } }
  })
  const replies: Record<string, [type: string, body: string]> = {
    '/': ['text/html', `<!doctype html><html lang="en"><title>My page</title>${element}<script type="module" src="main.js"></script></html>`],
    '/main.js': ['text/javascript', outputFiles[0]!.text]
  }
  const server = createServer((request, response) => {
    const [type, body] = replies[request.url!.split('?')[0]!] ?? ['text/plain', '']
    response.writeHead(body === '' ? 404 : 200, { 'content-type': type }).end(body)
  }).listen(port, 'localhost')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return `http://localhost:${port}`
}
