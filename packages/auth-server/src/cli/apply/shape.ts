import { ValueErrorType, type ValueError } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { didYouMean } from '@frontdesk/service-kit/nearest'
import { showable } from '@frontdesk/service-kit/showable'
import { ClientEntry } from '../../admin/client-entry.js'
import { ClientsFile, RoleEntry } from '../../admin/clients-file.js'
import type { FileFault } from '../../admin/file-faults.js'

/** Finds violations of the schema, at most one for each path. */
export function findShapeFaults (value: unknown): FileFault[] {
  const faults = new Map<string, FileFault>()
  for (const error of Value.Errors(ClientsFile, value)) {
    if (!faults.has(error.path)) faults.set(error.path, { path: pathOf(error), sentence: sentenceOf(error) })
  }
  return [...faults.values()]
}

/** The names of a JSON pointer (RFC 6901 §4). */
function pathOf ({ path }: ValueError): string[] {
  return path.split('/').slice(1).map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function sentenceOf (error: ValueError): string {
  const path = pathOf(error)
  const field = path.slice(path.length > 2 ? 2 : 0).join('.') || path.join('.')
  const place = showable(field)
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    const properties = path[0] === 'roles' ? RoleEntry.properties : ClientEntry.properties
    const known = Object.keys(path.length === 1 ? ClientsFile.properties : properties)
    return `There is no field ${showable(JSON.stringify(path.at(-1)))}.${didYouMean(path.at(-1) ?? '', known)}`
  }
  if (error.type === ValueErrorType.ObjectRequiredProperty) return `${place} is missing.`
  return `${place === '' ? 'The file' : place}: ${error.message}.`
}
