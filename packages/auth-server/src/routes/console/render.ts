import type { FastifyReply } from 'fastify'
import type { Right } from '../../admin/rights.js'
import type { Config } from '../../config.js'
import type { FormKeys } from '../../consent/form-keys.js'
import type { MessageKey } from '../../languages/languages.js'
import type { Message, Text } from '../../languages/translator.js'
import { single } from '../../oauth/parameters.js'
import type { ConsoleSession } from '../../stores/sessions/console-sessions.js'
import { checkedOf, type Section, type SentForm, type View } from './define.js'
import { issueConsoleToken } from './form-token.js'
import { explain } from './refusal.js'

const NAVIGATION: ReadonlyArray<{ section: Section, path: string }> = [
  { section: 'start', path: '' },
  { section: 'people', path: '/people' },
  { section: 'apps', path: '/apps' },
  { section: 'roles', path: '/roles' },
  { section: 'audit', path: '/audit' },
  { section: 'keys', path: '/keys' },
  { section: 'health', path: '/health' }
]

/** What a page has besides its view. */
interface Frame {
  readonly session: ConsoleSession
  readonly rights: ReadonlySet<Right>
  readonly section: Section
  readonly form?: SentForm | undefined
  /** What was done. */
  readonly done?: MessageKey | undefined
}

/** @param home the path of the console */
export function createRender ({ config: { issuer, adminUrl }, formKeys, home }: { config: Config, formKeys: FormKeys, home: string }) {
  // Forms can lead to the sign-in, and from there back.
  const options = { leadsTo: new URL(issuer).origin === new URL(adminUrl).origin ? undefined : new URL(issuer).origin }
  return {
    /** Shows a page of a user with rights. */
    async render (reply: FastifyReply, frame: Frame, { view, title, data }: View): Promise<FastifyReply> {
      const { session, rights, section, form, done } = frame
      const isSent = (action: string) => form?.action === action
      return await reply.page(`console/${view}`, {
        title,
        home,
        issuer,
        transaction: issueConsoleToken(reply, formKeys, session.userId),
        navigation: NAVIGATION.map(it => ({ ...it, isCurrent: it.section === section })),
        username: session.username,
        mayHelp: rights.has('support'),
        mayManage: rights.has('manage'),
        message: messageOf(form, done),
        isSent,
        /** The value of a field: as it was sent, or as it is stored. */
        value: (action: string, name: string, stored: string | null = '') =>
          isSent(action) ? single(form?.fields ?? {}, name) ?? '' : stored ?? '',
        /** Whether a checkbox is checked. */
        isChecked: (action: string, name: string, value: string, stored: boolean) =>
          isSent(action) ? checkedOf({ form }, name).includes(value) : stored,
        faultOf (action: string, name: string) {
          const fault = isSent(action) ? form?.faults.find(({ field }) => field === name) : undefined
          return fault && explain(fault)
        },
        ...data
      }, options)
    },

    /** Shows why the page is not available. */
    async renderProblem (
      reply: FastifyReply, title: Text, sentence: MessageKey | Message, session?: ConsoleSession
    ): Promise<FastifyReply> {
      const transaction = session && issueConsoleToken(reply, formKeys, session.userId)
      return await reply.page('console/problem', { title, sentence, home, issuer, username: session?.username, transaction })
    }
  }
}

function messageOf (form: SentForm | undefined, done: MessageKey | undefined) {
  if (form === undefined || form.faults.length === 0) return done && { text: done, isError: false, sentences: [] }
  return { text: 'console.nothing-changed', isError: true, sentences: form.faults.map(explain) }
}
