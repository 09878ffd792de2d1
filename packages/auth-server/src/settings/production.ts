import { isRemoteHttp } from '@frontdesk/service-kit/address'
import type { Relation, SettingsRules } from '@frontdesk/service-kit/settings'

/** Default SECRET_KEY in development; refused in production. */
export const DEVELOPMENT_SECRET = 'for-development-only-not-a-secret'

const RANDOM = 'Set it to at least 32 random characters, such as the output of `openssl rand -base64 32`.'

/** The settings that the rules are about. */
interface Settings {
  readonly ENVIRONMENT: string
  readonly ISSUER?: string
  readonly DEFAULT_AUDIENCE?: string
  readonly SECRET_KEY?: string
  readonly SECRET_KEY_PREVIOUS?: string
  readonly DEMO_CALLBACK?: string
  readonly DEMO_DOCS_CALLBACK?: string
}

/** A rule for a setting in production. @param isRefused whether the value is refused, with this sentence */
const inProduction = (name: keyof Settings, isRefused: (value: string | undefined) => boolean, sentence: string): Relation<Settings> => ({
  names: ['ENVIRONMENT', name],
  whyNot: ({ ENVIRONMENT, [name]: value }) => ENVIRONMENT === 'production' && isRefused(value) ? sentence : null
})

const required = (name: keyof Settings, remedy: string) => inProduction(name, value => value === undefined, `${name} is missing. ${remedy}`)

/** Rules for production, and for secrets. */
export const productionRules = {
  relations: [
    required('ISSUER', 'Set it to the public https address of this server.'),
    required('DEFAULT_AUDIENCE', 'Set it to the address of customer-service, as its AUDIENCE.'),
    required('SECRET_KEY', RANDOM),
    inProduction('ISSUER', (value = '') => isRemoteHttp(value),
      'ISSUER must be https in production, except on loopback.'),
    {
      names: ['SECRET_KEY'],
      whyNot: ({ SECRET_KEY: key }) => key !== undefined && (key.length < 32 || new Set(key).size < 10)
        ? `SECRET_KEY is weak. ${RANDOM}`
        : null
    },
    inProduction('SECRET_KEY', value => value === DEVELOPMENT_SECRET,
      'SECRET_KEY is the one for development. Set one of your own, such as the output of `openssl rand -base64 32`.'),
    inProduction('SECRET_KEY_PREVIOUS', value => value === DEVELOPMENT_SECRET,
      'SECRET_KEY_PREVIOUS is the one for development. Remove it.'),
    ...(['DEMO_CALLBACK', 'DEMO_DOCS_CALLBACK'] as const).map(name =>
      inProduction(name, value => value !== undefined, `${name} is for development. Remove it, or set ENVIRONMENT=development.`))
  ]
} satisfies SettingsRules<Settings>
