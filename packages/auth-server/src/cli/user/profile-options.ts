import { Option, type Command } from 'commander'
import { readProfile, type Attribute } from '../../people/profile.js'
import type { Profile } from '../../stores/profiles.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** The options that set the attributes of a person. An empty value removes one. */
export type ProfileOptions = { readonly [Name in Attribute]?: string } & { readonly emailVerified?: 'yes' | 'no' }

/** Adds the options that set the attributes of a person. */
export function takeProfileOptions (command: Command): Command {
  return command
    .option('--name <text>', 'full name, as apps show it')
    .option('--given-name <text>', 'given name')
    .option('--family-name <text>', 'family name')
    .option('--email <address>', 'email address; not verified')
    .addOption(new Option('--email-verified <yes|no>', 'whether the person was shown to have the email address').choices(['yes', 'no']))
    .option('--locale <tag>', 'language, such as en or pt-BR')
    .option('--picture <url>', 'https address of a picture')
}

/** Reads the options: the attributes to set, and what is wrong with the others, a sentence each. */
export function readProfileOptions ({ emailVerified, ...typed }: ProfileOptions): { change: Partial<Profile>, faults: string[] } {
  const { change, faults } = readProfile(typed)
  return {
    change: { ...change, ...(emailVerified !== undefined && { emailVerified: emailVerified === 'yes' }) },
    faults: Object.values(faults)
  }
}

/** @throws CommandError if an email address is to be verified that is not named: the person may change it at any time */
export function assertVerifiable ({ email = null, emailVerified }: Partial<Profile>): void {
  if (emailVerified && email === null) throw new CommandError('Which email address is verified? Add --email.')
}
