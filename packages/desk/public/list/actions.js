// Adding and changing customers, and undoing each on the server, without undoing others' changes.
import { refresh } from './list.js'
import { say, warn } from '../parts/messages.js'
import { customers, differences, nameOf, reasonOf } from '../register.js'
import { refreshAndFocus } from './remove.js'
import { t } from '../language.js'

/** Adds a customer. `key` identifies the attempt, so that a retry does not add it twice. */
export async function add (customer, key) {
  const { customerid } = customer
  const name = nameOf(customer)
  const { etag } = await customers.register(customer, { idempotencyKey: key })
  await refresh()
  say(t('saved.added', { name }), { action: undo(() => customers.remove(customerid, { ifMatch: etag }), t('remove.done', { name })) })
}

/** Changes a customer's fields, or restores those of a version. Fails with 412 if it has changed since it was read. */
export async function change (before, changes, version) {
  const { customerid, etag: ifMatch } = before
  const name = nameOf({ ...before, ...changes })
  if (version === undefined) await customers.change(customerid, changes, { ifMatch })
  else await customers.restore(customerid, version, { ifMatch })
  await refresh()
  const old = Object.fromEntries(Object.keys(changes).map(name => [name, before[name]]))
  const changeBack = async () => {
    const { etag, ...now } = await customers.read(customerid)
    const isAsLeft = differences(now, { ...before, ...changes }).length === 0
    // With the old ETag, the service refuses: someone else has changed the customer.
    await customers.change(customerid, old, { ifMatch: isAsLeft ? etag : ifMatch })
  }
  say(t('saved.changed', { name }), { action: undo(changeBack, t('saved.undone', { name: nameOf(before) })) })
}

/** A message's Undo action, which then shows the result. */
const undo = (work, title) => ({
  label: t('undo'),
  run: async () => {
    const failure = await work().then(() => null, reasonOf)
    // The message's button no longer exists.
    await refreshAndFocus()
    if (failure === null) say(title)
    else warn(t('failure', { what: t('saved.notUndone'), why: t('reason.sentence', { reason: failure }) }))
  }
})
