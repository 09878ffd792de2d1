import { each, form, FORM } from '../../loads.js'
import { program } from '../../services/limits.js'
import { PASSWORD, USERNAME } from '../../services/registrations.js'

/** Password checks alone. */
export default {
  group: 'limit',
  database: 'none',
  start: context => program('bare-argon2id', context),
  workloads: {
    'sign-in': async () => ({
      requests: each(() => ({ method: 'POST', path: '/consent', headers: FORM, body: form({ username: USERNAME, password: PASSWORD }) })),
      expect: 303
    })
  }
}
