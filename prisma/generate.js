/** Renders the schemas and generates the Prisma clients whose schema has changed since the last run. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { dialects, render, services } from './render.js'

const require = createRequire(import.meta.url)
const prisma = fileURLToPath(new URL('build/index.js', new URL('file://' + require.resolve('prisma/package.json'))))
const config = fileURLToPath(new URL('prisma.config.js', import.meta.url))
const withoutStudio = fileURLToPath(new URL('without-studio.cjs', import.meta.url))
const { version } = require('prisma/package.json')

render()
for (const [service, generated] of Object.entries(services)) {
  await Promise.all(dialects.map(async dialect => {
    const schema = new URL(`${service}/${dialect}/schema.prisma`, import.meta.url)
    const stamp = new URL(`${dialect}.stamp`, generated)
    const wanted = createHash('sha256').update(version).update(readFileSync(schema)).digest('hex')
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
    await promisify(execFile)(execPath, [
      '--require',
      withoutStudio,
      prisma,
      'generate',
      '--config',
      config,
      '--schema',
      fileURLToPath(schema),
      '--no-hints'
    ])
    writeFileSync(stamp, wanted)
  }))
}
