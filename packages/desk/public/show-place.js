// Shows the place in the address: at the start, and after Back and Forward.
import { go, place } from './address.js'
import { bringBack } from './list/remove.js'
import { lastChangeOf, removedIn, showList } from './list/list.js'
import { warn } from './parts/messages.js'
import { draftOf, isNew, newId } from './panel/drafts.js'
import { close, openCustomer, openDraft } from './panel/panel.js'
import { customers, nameOf, refusalOf } from './register.js'
import { may, state } from './state.js'
import { t } from './language.js'

/** Shows the search, the order and the customer in the address. */
export function showPlace () {
  if (!state.session) return
  showList(place())
  showCustomer()
}

/** Opens the customer in the address, or closes the panel. */
export function showCustomer () {
  const { customer } = place()
  if (customer === state.panel?.id) return
  if (customer === undefined) return close()
  if (!isNew(customer)) return openNumber(customer)
  // An address can name any id, also one that no other could follow.
  return openDraft(draftOf(customer) ? customer : newId())
}

/** Opens a customer, or the one that it was merged into. `mergedFrom`: the number that led to this one. */
export async function openNumber (customerid, mergedFrom = undefined) {
  go({ customer: customerid })
  // A draft has the customer as it was read.
  const customer = state.list.items.find(item => item.customerid === customerid) ?? draftOf(customerid)?.before
  if (customer) return openCustomer(customer, { mergedFrom })
  const found = await customers.read(customerid).catch(error => ({ refusal: refusalOf(error) }))
  // The user has gone elsewhere in the meantime.
  if (place().customer !== customerid) return
  if (!found.refusal) return openCustomer(found, { mergedFrom })
  const { status, sentence } = found.refusal
  const { successor } = status === 410 ? await lastChangeOf(customerid) ?? {} : {}
  if (successor !== undefined) return openNumber(successor, mergedFrom ?? customerid)
  if (status !== 404) return warn(sentence, { action: { label: t('tryAgain'), run: showPlace } })
  go({ customer: undefined })
  const removed = removedIn(await lastChangeOf(customerid), customerid)
  if (!removed) return warn(t('list.noCustomer', { number: customerid }))
  warn(t('list.removed', { name: nameOf(removed) }), may('write') ? { action: { label: t('restore'), run: () => bringBack(removed) } } : {})
}
