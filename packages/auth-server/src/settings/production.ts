import { isLoopback } from '@frontdesk/service-kit/address'
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

const isProduction = ({ ENVIRONMENT }: Settings) => ENVIRONMENT === 'production'

const requiredInProduction = (name: keyof Settings, remedy: string): Relation<Settings> => ({
  names: ['ENVIRONMENT', name],
  whyNot: settings => isProduction(settings) && settings[name] === undefined ? `${name} is missing. ${remedy}` : null
})

/** Rules for production, and for secrets. */
export const productionRules = {
  relations: [
    requiredInProduction('ISSUER', 'Set it to the public https address of this server.'),
    requiredInProduction('DEFAULT_AUDIENCE', 'Set it to the address of customer-service, as its AUDIENCE.'),
    requiredInProduction('SECRET_KEY', RANDOM),
    {
      names: ['ENVIRONMENT', 'ISSUER'],
      whyNot: settings => isProduction(settings) && settings.ISSUER?.startsWith('http:') === true &&
        !isLoopback(new URL(settings.ISSUER).hostname)
        ? 'ISSUER must be https in production, except on loopback.'
        : null
    },
    {
      names: ['SECRET_KEY'],
      whyNot: ({ SECRET_KEY: key }) => key !== undefined && (key.length < 32 || new Set(key).size < 10)
        ? `SECRET_KEY is weak. ${RANDOM}`
        : null
    },
    {
      names: ['ENVIRONMENT', 'SECRET_KEY'],
      whyNot: settings => isProduction(settings) && settings.SECRET_KEY === DEVELOPMENT_SECRET
        ? 'SECRET_KEY is the one for development. Set one of your own, such as the output of `openssl rand -base64 32`.'
        : null
    },
    {
      names: ['ENVIRONMENT', 'SECRET_KEY_PREVIOUS'],
      whyNot: settings => isProduction(settings) && settings.SECRET_KEY_PREVIOUS === DEVELOPMENT_SECRET
        ? 'SECRET_KEY_PREVIOUS is the one for development. Remove it.'
        : null
    },
    ...(['DEMO_CALLBACK', 'DEMO_DOCS_CALLBACK'] as const).map((name): Relation<Settings> => ({
      names: ['ENVIRONMENT', name],
      whyNot: settings => isProduction(settings) && settings[name] !== undefined
        ? `${name} is for development. Remove it, or set ENVIRONMENT=development.`
        : null
    }))
  ]
} satisfies SettingsRules<Settings>
