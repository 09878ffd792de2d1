import { Type, type TSchema } from '@sinclair/typebox'

/** A claim about a person (OpenID Connect Core §5.1). */
interface Claim {
  /** What it allows an app that requests only this claim, with the parameter `claims`. */
  readonly words: string
  /** Its form at `/userinfo`. */
  readonly schema: TSchema
}

/** A scope that requests claims (OpenID Connect Core §5.4). */
interface ScopeWithClaims {
  /** What it allows an app to do. */
  readonly words: string
  readonly claims: Readonly<Record<string, Claim>>
}

const text = (words: string) => ({ words, schema: Type.String() })

/** The scopes that request claims. To add one, add it here; the compiler then requires its values in `tokens/claims.ts`. */
export const scopesWithClaims = {
  profile: {
    words: 'See your name, user name, language and picture',
    claims: {
      name: text('See your name'),
      given_name: text('See your given name'),
      family_name: text('See your family name'),
      preferred_username: { words: 'See your user name', schema: Type.String({ description: 'User name; it may change.' }) },
      picture: text('See your picture'),
      locale: text('See your language'),
      updated_at: {
        words: 'See when your details were last changed',
        schema: Type.Integer({ description: 'Time of the last change to the user, in seconds since 1970.' })
      }
    }
  },
  email: {
    words: 'See your email address',
    claims: {
      email: text('See your email address'),
      email_verified: { words: 'See whether your email address is verified', schema: Type.Boolean() }
    }
  }
} as const satisfies Record<string, ScopeWithClaims>

type Names = { [Scope in keyof typeof scopesWithClaims]: keyof typeof scopesWithClaims[Scope]['claims'] }
/** Name of a claim. */
export type ClaimName = Names[keyof Names]

/** Every claim by its name, with the scope that has it. */
export const claimList: Readonly<Record<string, Claim & { readonly scope: string }>> = Object.fromEntries(
  Object.entries<ScopeWithClaims>(scopesWithClaims).flatMap(([scope, { claims }]) =>
    Object.entries(claims).map(([name, claim]) => [name, { ...claim, scope }]))
)

/** The names of a scope's claims; none if it does not request claims. */
export function claimsOfScope (scope: string): string[] {
  return Object.keys(claimList).filter(name => claimList[name]!.scope === scope)
}
