import type { FastifyReply } from 'fastify'
import type { FormToken } from '../../consent/form-token.js'
import type { Proof, SetUpRule } from '../../factors/set-up-rule.js'
import { errors } from '../../oauth/errors.js'
import { credentialState } from '../../sign-in/password-link.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { User, Users } from '../../stores/users/users.js'
import type { CodeForm, MailedCodeSteps } from '../sign-in/mailed-code-steps.js'
import { ACCOUNT_FORM } from './account-page.js'

/** The parts of the pages that set up factors. */
export interface SetUpParts {
  readonly users: Pick<Users, 'find'>
  readonly rule: SetUpRule
  readonly codeSteps: MailedCodeSteps
}

interface Options extends SetUpParts {
  /** Address of the page. */
  readonly action: string
  /** Field that the page for the code keeps. */
  readonly kept?: (reply: FastifyReply) => NonNullable<CodeForm['kept']>
  readonly refuse: (reply: FastifyReply, session: Session) => Promise<FastifyReply>
  /** Shows the page that sets up the factor. */
  readonly setUp: (reply: FastifyReply, session: Session, user: User, proof: Proof) => Promise<FastifyReply>
}

/** The first factor of a user needs more than the password: makes the actions for it. */
export function createSetUpSteps ({ action, users, rule, codeSteps, kept, refuse, setUp }: Options) {
  const formOf = (reply: FastifyReply): CodeForm => ({ action, query: ACCOUNT_FORM, ...kept && { kept: kept(reply) } })

  /** What the mailed code is for. @throws OAuthError `endedForm` if the page does not follow the password, or it was changed */
  async function reopen ({ userId, passed, mailed }: FormToken) {
    const user = passed === undefined ? null : await users.find({ id: passed.userId })
    if (user?.disabledAt !== null || passed?.state !== credentialState(user)) {
      throw errors.endedForm('the password was changed or access revoked')
    }
    return { purpose: 'factor', user, state: { userId, passed, mailed } } as const
  }

  return {
    /** Begins after the password was right. */
    async begin (reply: FastifyReply, session: Session, user: User): Promise<FastifyReply> {
      const begun = await rule.begin(user.id, session.amr)
      if (typeof begun === 'object') return await setUp(reply, session, user, begun)
      if (begun !== 'code') return await refuse(reply, session)
      const state = { userId: user.id, passed: { userId: user.id, state: credentialState(user) } }
      return await codeSteps.mail(reply, formOf(reply), { purpose: 'factor', user, state })
    },
    async mailAgain (reply: FastifyReply, _: Session, page: FormToken): Promise<FastifyReply> {
      return await codeSteps.mail(reply, formOf(reply), await reopen(page))
    },
    async enter (reply: FastifyReply, session: Session, page: FormToken): Promise<FastifyReply> {
      const asked = await reopen(page)
      const address = await codeSteps.enter(reply, formOf(reply), asked)
      return address === null ? reply : await setUp(reply, session, asked.user, { by: 'email', address })
    }
  }
}
