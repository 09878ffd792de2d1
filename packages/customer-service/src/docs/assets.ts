import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** A static file. */
export interface Asset {
  content: Buffer
  /** The same on every replica (RFC 9110 §8.8.3). */
  etag: string
}

/** Reads and concatenates files. @throws as `node:fs` does */
export async function readAsset (...files: URL[]): Promise<Asset> {
  const content = Buffer.concat(await Promise.all(files.map(async file => await readFile(file))))
  return { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` }
}

/** The stylesheets of both services' pages. */
export function designFiles (): URL[] {
  return ['tokens', 'base', 'page'].map(name => new URL(import.meta.resolve(`@frontdesk/design/${name}.css`)))
}
