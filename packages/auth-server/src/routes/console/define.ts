import type { Actor } from '../../admin/actor.js'
import type { Refusal } from '../../admin/refusal.js'
import type { Right } from '../../admin/rights.js'
import type { Config } from '../../config.js'
import type { MessageKey } from '../../languages/languages.js'
import type { Text } from '../../languages/translator.js'
import { single, type Parameters } from '../../oauth/parameters.js'
import type { Stores } from '../../stores/stores.js'
import type { ParamsOf } from '../admin/endpoint.js'

/** The parts of the console, in the order of its navigation. */
export type Section = 'start' | 'people' | 'apps' | 'roles' | 'audit' | 'keys' | 'health'

/** A submitted form: rejected, with its faults, or to be submitted again after a sign-in. */
export interface SentForm {
  /** Name of its action. */
  readonly action: string
  readonly fields: Parameters
  readonly faults: Refusal['faults']
}

/** A request of a signed-in user. */
export interface Visit<Path extends string = string> {
  readonly stores: Stores
  readonly config: Config
  readonly params: ParamsOf<Path>
  readonly query: Parameters
  readonly rights: ReadonlySet<Right>
  readonly by: Actor
  readonly now: Date
  readonly form: SentForm | undefined
}

/** What a page shows: a view of `views/console`, and its data. */
export interface View {
  readonly view: string
  readonly title: Text
  readonly data?: object
  /** The submitted form whose values and faults it shows, after an action. */
  readonly form?: SentForm
}

/** A page of the console. */
export interface ConsolePage {
  readonly path: string
  readonly section: Section
  readonly right: Right
  readonly show: (visit: Visit) => Promise<View>
}

/** What a form of the console does. */
export interface ConsoleAction {
  readonly name: string
  /** Path of the form. */
  readonly path: string
  readonly right: Right
  /** Whether it is sensitive, see `allowsSensitive`; a right: only for users who have it. */
  readonly isSensitive: boolean | Right
  /** Maximum size of the form, in bytes; `undefined`: the default for forms. */
  readonly bodyLimit?: number
  /** The page with the form, at the same parameters: shown again if the action is refused. */
  readonly page: ConsolePage
  /** What the next page says. */
  readonly done: MessageKey
  /** Runs the action. Returns the path of the next page, or a view that is shown once. */
  readonly run: (visit: Visit & { readonly form: SentForm }) => Promise<string | View>
}

/** A downloadable file with the data of a page. */
interface ConsoleFile {
  readonly name: string
  readonly mediaType: string
  readonly content: string | AsyncIterable<string>
}

/** A route that serves a file. */
export interface ConsoleDownload {
  readonly path: string
  readonly right: Right
  readonly isSensitive: boolean
  readonly page: ConsolePage
  /** Reads the file; `null` if there is none. */
  readonly read: (visit: Visit) => Promise<ConsoleFile | null>
}

/** Defines a page, at a path below `/admin`. */
export function page<const Path extends string> (
  path: Path, { section, right = 'read' }: { section: Section, right?: Right }, show: (visit: Visit<Path>) => Promise<View>
): ConsolePage {
  // as: the route has these parameters.
  return { path, section, right, show: visit => show(visit as Visit<Path>) }
}

/** Defines a file. Users who can see the page can download it. */
export function download<const Path extends string> (
  path: Path,
  { page, isSensitive = false }: { page: ConsolePage, isSensitive?: boolean },
  read: (visit: Visit<Path>) => Promise<ConsoleFile | null>
): ConsoleDownload {
  // as: the route has these parameters.
  return { path, right: page.right, isSensitive, page, read: visit => read(visit as Visit<Path>) }
}

interface ActionSpec {
  readonly page: ConsolePage
  readonly right: Exclude<Right, 'read'>
  readonly isSensitive?: boolean | Right
  readonly bodyLimit?: number
  readonly done?: MessageKey
}

/** Defines an action. */
export function action<const Path extends string> (
  name: string,
  path: Path,
  { isSensitive = false, done = 'console.saved', ...spec }: ActionSpec,
  run: (visit: Visit<Path> & { readonly form: SentForm }) => Promise<string | View>
): ConsoleAction {
  // as: the route has these parameters.
  return { name, path, isSensitive, done, ...spec, run: visit => run(visit as Visit<Path> & { readonly form: SentForm }) }
}

/** The trimmed text of a field; empty if it is missing. */
export function textOf ({ form }: Pick<Visit, 'form'>, name: string): string {
  return (single(form?.fields ?? {}, name) ?? '').trim()
}

/** The words of a field, such as scopes or addresses. */
export function wordsOf (visit: Pick<Visit, 'form'>, name: string): string[] {
  return textOf(visit, name).split(/\s+/).filter(word => word !== '')
}

/** The checked values of checkboxes. */
export function checkedOf ({ form }: Pick<Visit, 'form'>, name: string): string[] {
  return [form?.fields[name] ?? []].flat()
}
