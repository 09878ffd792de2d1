// Parts of the desk that few visits need are loaded at their first use.
import { t } from '../language.js'
import { state } from '../state.js'
import { warn } from './messages.js'

/**
 * Loads a module and runs something of it.
 * @template M
 * @param {() => Promise<M>} load an `import()` with a literal path, so that the server finds the module
 * @param {(module: M) => unknown} run
 */
export const onDemand = (load, run) => () => load().then(
  module => { if (state.session) return run(module) },
  () => warn(t('failure', { what: t('desk.notLoaded'), why: t('service.checkConnection') }))
)
