import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.js'

/** Removes compiled files whose source is gone, which `tsc --build` leaves: a deleted test would run for ever. */
export function removeStale () {
  const projects = ['test', ...readdirSync(join(root, 'packages')).map(name => join('packages', name))]
  for (const project of projects) {
    const dist = join(root, project, 'dist')
    if (!existsSync(dist)) continue
    for (const file of readdirSync(dist, { recursive: true })) {
      const source = join(root, project, file.replace(/\.(d\.ts|js)(\.map)?$/, '.ts'))
      if (/\.(js|d\.ts)(\.map)?$/.test(file) && !existsSync(source)) rmSync(join(dist, file))
    }
  }
}
