import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadTargets } from '../target.js'
import { buildCommit, describeCommit } from './build.js'

/** The name of a commit's service. */
export const before = name => `${name}-before`

/**
 * Loads the services of this clone and of a commit. Each build is prepared and started by its own scripts; both get the same
 * requests.
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
