import { readFile } from 'node:fs/promises'
import { brandStyle } from './brand-style.js'

/** The stylesheet of every page, in one file: the common design, the styles of this service, and the brand color. */
export async function readStylesheet (color: string | undefined): Promise<Buffer> {
  const design = ['tokens', 'base', 'page'].map(name => new URL(import.meta.resolve(`@frontdesk/design/${name}.css`)))
  const own = new URL('../../../../public/style.css', import.meta.url)
  const texts = await Promise.all([...design, own].map(async file => await readFile(file, 'utf8')))
  return Buffer.from([...texts, ...(color === undefined ? [] : [brandStyle(color)])].join('\n'))
}
