import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** An image that pages show. */
export interface Image {
  /** Media type. */
  readonly type: string
  /** Name that changes with the content: `<SHA-256, base64url>.png`. */
  readonly name: string
  readonly content: Buffer
}

const FORMATS = {
  SVG: { type: 'image/svg+xml', extension: 'svg', isBegun: text => SVG.test(text) },
  PNG: { type: 'image/png', extension: 'png', isBegun: text => text.startsWith('\x89PNG\r\n\x1A\n') },
  WebP: { type: 'image/webp', extension: 'webp', isBegun: text => text.startsWith('RIFF') && text.startsWith('WEBP', 8) }
} satisfies Record<string, { type: string, extension: string, isBegun: (text: string) => boolean }>
export type ImageFormat = keyof typeof FORMATS

/** The root element, after a byte order mark, the XML declaration, comments and a document type. */
const SVG = /^(\xEF\xBB\xBF)?\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[^])*-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/

/** Detects the format of an image by its first bytes; `undefined` if it is none of these. */
export function parseImage (content: Buffer, formats: readonly ImageFormat[]): Image | undefined {
  const text = content.toString('latin1')
  const format = formats.find(name => FORMATS[name].isBegun(text))
  if (format === undefined) return undefined
  const { type, extension } = FORMATS[format]
  return { type, name: `${createHash('sha256').update(content).digest('base64url')}.${extension}`, content }
}

/** Reads an image from a file. @param limit maximum size, in KB @throws Error with a sentence */
export function readImage (path: string, formats: readonly ImageFormat[], limit: number): Image {
  const image = parseImage(readShort(path, limit), formats)
  if (image === undefined) throw new Error(`${path} is not an image in the format ${formats.join(' or ')}.`)
  return image
}

function readShort (path: string, limit: number): Buffer {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) throw new Error('there is no such file')
    if (!found.isFile()) throw new Error('it is not a file')
    if (found.size <= limit * 1_024) return readFileSync(path)
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  }
  throw new Error(`${path} is larger than ${limit} KB.`)
}
