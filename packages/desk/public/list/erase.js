// Erasing all data about a customer, which can need a recent, stronger sign-in.
import { rich, t } from '../language.js'
import { html } from '../lit/lit-html.js'
import * as drafts from '../panel/drafts.js'
import { isSure } from '../parts/dialog.js'
import { say } from '../parts/messages.js'
import { customers, nameOf } from '../register.js'
import { protectedOperation } from '../step-up.js'
import { refreshAndFocus } from './remove.js'

const send = protectedOperation('erase', {
  failed: t('erase.failed'),
  question: questionAbout,
  run: async customer => {
    const { customerid, etag } = customer
    await customers.erase(customerid, { ifMatch: etag }).catch(error => {
      // There is no data about this customer: the response to an earlier attempt was lost, or someone else was faster.
      if (error.kind !== 'customer-unknown') throw error
    })
    drafts.drop(customerid)
    await refreshAndFocus()
    say(t('erase.done', { name: nameOf(customer) }))
  }
})

/** Erases a customer, if the user confirms. */
export async function erase (customer) {
  if (await isSure(questionAbout(customer))) await send(customer)
}

function questionAbout (customer) {
  const { customerid, customeraddress } = customer
  return {
    title: t('erase.question', { name: nameOf(customer) }),
    body: html`<ul class="lines"><li><span>${rich('customer.numberAndAddress', { number: customerid, address: customeraddress })}</span></li></ul>
      <p>${rich('erase.text')}</p>`,
    yes: t('erase.yes')
  }
}
