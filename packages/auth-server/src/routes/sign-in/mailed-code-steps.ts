import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { PageState } from '../../consent/form-token.js'
import { codeOf } from '../../factors/factor.js'
import type { CodePurpose } from '../../mail/code-mail.js'
import { message, type Message } from '../../languages/translator.js'
import { errors } from '../../oauth/errors.js'
import type { LimitCode } from '../../sign-in/code-limit.js'
import type { MailedCodes } from '../../sign-in/mailed-code.js'
import type { User } from '../../stores/users/users.js'
import { recordFailure, tooManyAttempts, tooManyEmails } from './attempt-sign-in.js'
import { createMailNote, createSentNote } from '../mail-note.js'
import { showStep } from './show-step.js'
import type { StepForm } from './step-form.js'

/** The form of the page for a mailed code. */
export interface CodeForm extends Omit<StepForm, 'decision'> {
  /** Values of `decision`: to enter the code, and for another one. Default: those of the pages that set up a factor. */
  readonly buttons?: { readonly enter: string, readonly again: string }
  /** Field that the page keeps. */
  readonly kept?: { readonly name: string, readonly value: string }
}

/** A mailed code that is needed, and the state of the page that requests it. */
interface Asked {
  readonly purpose: CodePurpose
  readonly user: Pick<User, 'id' | 'username' | 'passwordHash' | 'epoch'>
  readonly state: PageState
}

/** A refused email or code, as its page shows it. */
interface Failure { readonly statusCode: number, readonly message: Message }

/** The steps of a mailed code. */
export interface MailedCodeSteps {
  /** Emails a code, and shows the page for it. @throws OAuthError `endedForm` */
  mail (reply: FastifyReply, form: CodeForm, asked: Asked): Promise<FastifyReply>
  /** Uses up the code of the page. Returns the address that it was mailed to; `null`: it is wrong, and the page was shown again. */
  enter (reply: FastifyReply, form: CodeForm, asked: Asked): Promise<string | null>
}

interface Options {
  readonly formKeys: FormKeys
  /** `undefined`: email is off. */
  readonly mailedCodes: MailedCodes | undefined
  readonly limitCode: LimitCode
}

const SET_UP_BUTTONS = { enter: 'enter-code', again: 'mail-code' }

/** Makes {@link MailedCodeSteps}. */
export function createMailedCodeSteps ({ formKeys, mailedCodes, limitCode }: Options): MailedCodeSteps {
  async function show (reply: FastifyReply, { buttons = SET_UP_BUTTONS, ...form }: CodeForm, state: PageState, failure?: Failure) {
    const content = { view: 'mailed-code', title: message('email.check'), buttons, failure }
    const page = { formKeys, form: { ...form, decision: buttons.enter }, state }
    return await showStep(reply.code(failure?.statusCode ?? 200), page, content)
  }

  return {
    async mail (reply, form, { purpose, user, state }) {
      const { request } = reply
      const { language } = await reply.translator()
      const sent = await mailedCodes?.send(user, { purpose, source: request.ip, language }, createSentNote(request, user.id)) ?? null
      if (sent === null) throw errors.endedForm('the user has no verified address any more')
      if ('sealed' in sent) return await show(reply, form, { ...state, mailed: sent.sealed })
      createMailNote(request)({ outcome: 'throttled', userId: user.id })
      const failure = { statusCode: 429, message: tooManyEmails(sent.retryAfter) }
      return await show(reply.header('retry-after', sent.retryAfter), form, state, failure)
    },
    async enter (reply, form, { purpose, user, state }) {
      const { request } = reply
      const { id: userId, username } = user
      const { mailed: sealed } = state
      const result = await limitCode({ user, address: request.ip }, async () =>
        sealed === undefined ? null : await mailedCodes?.use(user, { purpose, sealed, code: codeOf(request.form) }) ?? null)
      if (result.outcome === 'right') {
        await result.counted
        return result.value
      }
      const failure = recordFailure(reply, result.outcome === 'throttled'
        ? tooManyAttempts(result.retryAfter)
        : { outcome: 'wrong code', statusCode: 403, message: message('failure.wrong-mailed-code') },
      { username, clientId: undefined, userId })
      await show(reply, form, state, failure)
      return null
    }
  }
}
