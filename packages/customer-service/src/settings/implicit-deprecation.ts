import { text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** A date, or a time of RFC 3339. */
const DATE = { pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d))?$' }

const DATE_RULE = 'be a date such as 2027-01-31, or with a time such as 2027-01-31T00:00:00Z'

/** Whether a text of this form is a valid date: Date.parse accepts February 30, as March 2. */
function isDate (value: string): boolean {
  const day = value.slice(0, 10)
  return !Number.isNaN(Date.parse(value)) && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
}

/** The deprecation to announce to callers with tokens of the implicit grant. */
export interface ImplicitDeprecation {
  deprecatedAt: Date
  endsAt: Date | undefined
  /** A page about the alternative. */
  link: string | undefined
}

export const deprecationSettings = {
  IMPLICIT_DEPRECATION: Type.Optional(text('When implicit-grant tokens become deprecated. Responses announce it.', DATE_RULE, DATE)),
  IMPLICIT_SUNSET: Type.Optional(text('When the implicit grant is expected to end. Responses announce it.', DATE_RULE, DATE)),
  IMPLICIT_LINK: Type.Optional(text('A page that explains how to migrate from the implicit grant.', 'be an http or https address', { pattern: '^https?://[^\\s<>"]+$' }))
}

type Settings = Static<TObject<typeof deprecationSettings>>

export const deprecationRules = {
  forms: {
    IMPLICIT_DEPRECATION: isDate,
    IMPLICIT_SUNSET: isDate,
    IMPLICIT_LINK: value => URL.canParse(value)
  },
  relations: [
    {
      names: ['IMPLICIT_DEPRECATION', 'IMPLICIT_SUNSET', 'IMPLICIT_LINK'],
      whyNot: ({ IMPLICIT_DEPRECATION: since, IMPLICIT_SUNSET: until, IMPLICIT_LINK: link }) =>
        since === undefined && (until ?? link) !== undefined
          ? 'IMPLICIT_DEPRECATION must be set where IMPLICIT_SUNSET or IMPLICIT_LINK is: since when tokens of the implicit grant are deprecated.'
          : null
    }, {
      names: ['IMPLICIT_DEPRECATION', 'IMPLICIT_SUNSET'],
      whyNot: ({ IMPLICIT_DEPRECATION: since, IMPLICIT_SUNSET: until }) =>
        since !== undefined && until !== undefined && Date.parse(until) < Date.parse(since)
          ? 'IMPLICIT_SUNSET must not be before IMPLICIT_DEPRECATION.'
          : null
    }]
} satisfies SettingsRules<Settings>

/** Reads the settings; `null`: not deprecated. */
export function readDeprecation (settings: Settings): ImplicitDeprecation | null {
  const { IMPLICIT_DEPRECATION: since, IMPLICIT_SUNSET: until, IMPLICIT_LINK: link } = settings
  if (since === undefined) return null
  return { deprecatedAt: new Date(since), endsAt: until === undefined ? undefined : new Date(until), link }
}
