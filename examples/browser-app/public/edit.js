// Changing a customer: changes that another person made meanwhile are not overwritten unseen (RFC 9110 §13.1.1).
import { Refusal } from './customers.js'
import { clearNotes, element, say } from './result.js'

const dialog = document.getElementById('edit')
const form = dialog.querySelector('form')
const conflict = document.getElementById('conflict')
const labels = { customername: 'Name', customerage: 'Age', customeraddress: 'Address' }

/**
 * Lets the dialog be used.
 * @param {() => import('./customers.js').Customers | null} current whom to ask
 * @param {() => void} changed called after a change
 * @param {(refusal: Refusal, form: HTMLFormElement) => void} refused called when the service says no
 * @returns {(customer: object) => void} opens the dialog for a customer of the list
 */
export function wireEdit (current, changed, refused) {
  let before = null

  form.addEventListener('submit', event => {
    event.preventDefault()
    if (event.submitter?.value === 'cancel') dialog.close()
    else save()
  })

  function open (customer) {
    before = customer
    fill(customer)
    dialog.querySelector('h2').textContent = `Customer ${customer.customerid}`
    dialog.showModal()
  }

  function fill (customer) {
    conflict.replaceChildren()
    clearNotes(form)
    for (const name of Object.keys(labels)) form.elements[name].value = customer[name]
  }

  async function save () {
    const wanted = read()
    const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== before[name]))
    if (Object.keys(changes).length === 0) return dialog.close()
    clearNotes(form)
    form.ariaBusy = 'true'
    try {
      const line = await current().change(before, changes)
      dialog.close()
      say(`Customer ${before.customerid} is changed.`, { line })
      changed()
    } catch (error) {
      if (error.status === 412) await compare(wanted).catch(fail)
      else fail(error)
    } finally {
      form.ariaBusy = 'false'
    }
  }

  function fail (error) {
    if (!(error instanceof Refusal)) throw error
    if (!error.problem.errors) dialog.close()
    refused(error, form)
  }

  /** Shows the changes of the other person, and lets this one choose. */
  async function compare (wanted) {
    const { record, etag } = await current().record(before.customerid)
    const theirs = { ...record, etag }
    const differences = Object.keys(labels).filter(name => theirs[name] !== before[name])
    // What only they have changed becomes theirs; what this person has typed stays.
    for (const name of differences) if (wanted[name] === before[name]) form.elements[name].value = theirs[name]
    const list = element('dl', {}, ...differences.map(name => element('div', {},
      element('dt', {}, labels[name]),
      element('dd', {}, `was ${before[name]}, is now ${theirs[name]}`))))
    const take = element('button', { type: 'button' }, 'Use the other changes')
    take.addEventListener('click', () => fill(theirs))
    before = theirs
    conflict.replaceChildren(
      element('p', { className: 'title' }, 'This customer was changed by someone else. Save again to keep your changes.'),
      list,
      take
    )
    conflict.querySelector('button').focus()
  }

  return open
}

function read () {
  const { customername, customerage, customeraddress } = Object.fromEntries(new FormData(form))
  // An age that is no number goes as it is: the service says what is wrong with it.
  return { customername, customerage: /^\d+$/.test(customerage) ? Number(customerage) : customerage, customeraddress }
}
