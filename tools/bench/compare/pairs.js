import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadTargets } from '../target.js'
import { buildCommit, describeCommit } from './build.js'

/** The name of a service as a commit has it. */
export const before = name => `${name}-before`

/**
 * The services as they are here, and as a commit has them. Each build is prepared and started as its own commit does
 * that; both get the requests of today.
 * @param {{ compare: string, targets?: string[] }} options
 * @param {string} dir where the commit is built
 * @returns {Promise<{ targets: Map<string, import('../target.js').Target>, names: string[], commit: string }>}
 */
export async function loadPairs ({ compare, targets: names }, dir) {
  const commit = describeCommit(compare)
  const now = await loadTargets({ names, folders: ['frontdesk'] })
  console.error(`Building ${commit}…`)
  const root = join(dir, 'commit')
  buildCommit(compare, root)
  const then = await loadTargets({ names: [...now.keys()], folders: ['frontdesk'], from: pathToFileURL(join(root, 'tools/bench/')) })
  return {
    commit,
    names: [...now.keys()],
    targets: new Map([...now].flatMap(([name, target]) => [
      [before(name), { ...then.get(name), workloads: target.workloads }],
      [name, target]
    ]))
  }
}
