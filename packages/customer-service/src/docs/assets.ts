import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** A static file. */
export interface Asset {
  content: Buffer
  /** The same on every replica (RFC 9110 §8.8.3). */
  etag: string
}

/** Reads a file. @throws as `node:fs` does */
export async function readAsset (file: URL): Promise<Asset> {
  const content = await readFile(file)
  return { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` }
}
