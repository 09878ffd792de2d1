import { parseAllDocuments } from 'yaml'
import { filesBelow, read } from '../sources.js'

/** Where the manifests are. */
export const folder = 'deploy/kubernetes'

/** A Kubernetes object: what every one has, and what the tests look at in some. Its API's own types check the rest. */
export interface Manifest {
  file: string
  apiVersion: string
  kind: string
  metadata: { name: string, namespace?: string, annotations?: Record<string, string> }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: unknown
}

/** Every object of the manifests, with the file that it is in; kustomization.yaml, which is no object, left out. */
export function manifests (): Manifest[] {
  return filesBelow(folder).filter(file => file.endsWith('.yaml') && file !== 'kustomization.yaml').flatMap(file => {
    return parse(read(folder, file)).map(document => ({ file, ...document }))
  })
}

/** The objects of a YAML text. @throws if it is not YAML, or has a key twice */
export function parse (text: string): Array<Omit<Manifest, 'file'>> {
  const documents = parseAllDocuments(text)
  if (!Array.isArray(documents)) throw new Error('The file is empty.')
  return documents.map(document => {
    if (document.errors[0] !== undefined) throw document.errors[0]
    // as: what it really is, schema.ts finds out.
    return document.toJS() as Manifest
  })
}
