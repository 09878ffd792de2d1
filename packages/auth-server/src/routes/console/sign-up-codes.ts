import { addSignUpCode, listSignUpCodes, MAX_DAYS, MAX_USES, removeSignUpCode } from '../../admin/sign-up-codes.js'
import { invalid } from '../../admin/refusal.js'
import { reason } from '../../languages/reason.js'
import { message } from '../../languages/translator.js'
import { action, page, textOf, type Visit } from './define.js'

/** The invitation codes with which people sign up. */
export const signUpCodes = page('/people/invitation-codes', { section: 'people' }, async ({ stores, config }) => ({
  view: 'sign-up-codes',
  title: message('console.codes.title'),
  data: {
    isOn: config.signUp === 'code',
    roles: ['', ...(await stores.roles.list()).map(({ name }) => name)],
    codes: await listSignUpCodes(stores)
  }
}))

const spec = { page: signUpCodes, right: 'manage' } as const

/** What administrators do with invitation codes. */
export const signUpCodeActions = [
  action('add-code', '/people/invitation-codes', { ...spec, isSensitive: true }, async visit => {
    const [uses, days, role] = [numberOf(visit, 'uses', MAX_USES), numberOf(visit, 'days', MAX_DAYS), textOf(visit, 'role')]
    const { code, label } = await addSignUpCode(visit.stores, { label: textOf(visit, 'label'), uses, days, role: role || undefined }, visit.by)
    const link = `${visit.config.issuer}/sign-up?code=${code}`
    return { view: 'sign-up-code', title: message('console.codes.new'), data: { code, label, link } }
  }),

  action('remove-code', '/people/invitation-codes/remove', { ...spec, done: 'console.codes.removed' }, async visit => {
    await removeSignUpCode(visit.stores, textOf(visit, 'id'), visit.by)
    return '/people/invitation-codes'
  })
]

/** @throws Refusal */
function numberOf (visit: Pick<Visit, 'form'>, name: string, maximum: number): number {
  const text = textOf(visit, name)
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > maximum) throw invalid(name, reason('reason.whole-number', { maximum }))
  return number
}
