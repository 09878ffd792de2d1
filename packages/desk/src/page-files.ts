import { brandStyle } from '@frontdesk/service-kit/brand/style'
import { createAsset, readAsset, type Asset } from '@frontdesk/service-kit/pages/asset'
import { init, parse } from 'es-module-lexer'
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { languages } from './languages/languages.js'

/** The files that the page loads. */
interface PageFiles {
  readonly files: ReadonlyMap<string, Asset>
  /** Paths of the modules that the page needs at its start, in the order of their discovery. */
  readonly modules: readonly string[]
  /** Changes with the content of any file, and with any text. */
  readonly version: string
}

/** The stylesheet whose colors the brand's replace. */
const TOKENS = 'design/tokens.css'

/** The module of the language's texts, which language.js imports. It is not a file. */
export const TEXTS = 'texts.js'

const OWN = new URL('../../public/', import.meta.url)

/** Where other packages' files are, by the beginning of their path. They are served unchanged. */
function sources (): ReadonlyArray<readonly [prefix: string, place: URL]> {
  const resolve = (specifier: string) => new URL(import.meta.resolve(specifier))
  return [
    ['design/', new URL('./', resolve('@frontdesk/design/tokens.css'))],
    // Node.js resolves to the folder of its own build.
    ['lit/', new URL('../', resolve('lit-html/is-server.js'))],
    ['sign-in/', new URL('./', resolve('@frontdesk/browser-app/oauth.js'))],
    ['customer-client.js', resolve('@frontdesk/customer-client')]
  ]
}

/** Reads files and all modules that they import. @param paths in `public/`, or below a package's prefix @param color of the brand */
export async function readPageFiles (paths: readonly string[], color?: string): Promise<PageFiles> {
  await init
  const places = sources()
  const files = new Map<string, Asset>()
  const onDemand: string[] = []
  const add = async (path: string) => {
    if (files.has(path) || path === TEXTS) return
    const [prefix, place] = places.find(([prefix]) => path.startsWith(prefix)) ?? ['', OWN]
    const read = await readAsset(new URL(path.slice(prefix.length), place))
    const asset = color !== undefined && path === TOKENS ? createAsset(`${read.content}\n${brandStyle(color)}`, path) : read
    files.set(path, asset)
    if (!path.endsWith('.js')) return
    for (const { specifier, type } of parse(asset.content.toString())[0]) {
      if (specifier == null) continue
      const imported = posix.join(posix.dirname(path), specifier)
      if (type === 'dynamic') onDemand.push(imported)
      else await add(imported)
    }
  }
  for (const path of paths) await add(path)
  const modules = [TEXTS, ...[...files.keys()].filter(path => path.endsWith('.js'))]
  // It grows while they are read.
  for (const path of onDemand) await add(path)
  const tags = [...files].map(([path, { etag }]) => path + etag).sort()
  return {
    files,
    modules,
    version: createHash('sha256').update(tags.join('\n') + JSON.stringify(languages)).digest('hex').slice(0, 12)
  }
}
