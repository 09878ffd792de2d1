import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brandStyle } from '../brand/style.js'

/** A static file. */
export interface Asset {
  readonly content: Buffer
  readonly type: string
  /** The same on every replica (RFC 9110 §8.8.3). */
  readonly etag: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8'
}

/** Reads a file. @throws as `node:fs` does */
export async function readAsset (file: URL): Promise<Asset> {
  return createAsset(await readFile(file), fileURLToPath(file))
}

/** @param name its ending tells the media type @throws Error if it does not */
export function createAsset (text: string | Buffer, name: string): Asset {
  const type = TYPES[extname(name)]
  if (type === undefined) throw new Error(`${name} has no known media type.`)
  const content = Buffer.from(text)
  return { content, type, etag: `"${createHash('sha256').update(content).digest('base64url')}"` }
}

/** The stylesheet of a service's pages: the common design, the service's own styles, and the brand's color. */
export async function readStylesheet (own: readonly URL[], color?: string): Promise<string> {
  const design = ['tokens', 'base', 'page'].map(name => new URL(import.meta.resolve(`@frontdesk/design/${name}.css`)))
  const texts = await Promise.all([...design, ...own].map(async file => await readFile(file, 'utf8')))
  return [...texts, ...(color === undefined ? [] : [brandStyle(color)])].join('\n')
}
