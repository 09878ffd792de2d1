import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../stack.js'
import type { Manifest } from './manifests.js'

/** A class of kubernetes-models, which is made from Kubernetes' OpenAPI documents. */
type Model = new (data: object) => { validate: () => void }

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext
}

/**
 * What Kubernetes would refuse in objects of its API, a sentence each: kinds, fields and values that it does not know,
 * and fields that lack. The schemas allow fields that they do not name, so a misspelt one is found by the types that
 * are made from them: TypeScript takes no literal with more fields than its type.
 */
export async function mistakes (objects: ReadonlyArray<Omit<Manifest, 'file'>>): Promise<string[]> {
  const wrong = await Promise.all(objects.map(validate))
  return [...wrong.flat(), ...checkTypes(objects)]
}

async function validate (object: Omit<Manifest, 'file'>): Promise<string[]> {
  const { apiVersion, kind, metadata } = object
  const load = async () => await import(`kubernetes-models/${apiVersion}`) as Record<string, Model>
  const Model = (await load().catch((): Record<string, Model> => ({})))[kind]
  if (Model === undefined) return [`${kind}: not a kind of ${apiVersion}.`]
  try {
    new Model(object).validate()
    return []
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return [`${kind} ${metadata.name}: ${error.message}`]
  }
}

function checkTypes (objects: ReadonlyArray<Omit<Manifest, 'file'>>): string[] {
  const files = new Map(
    objects.map(({ apiVersion, kind, ...rest }, n) => [
      join(root, `test/manifest-${n}.ts`),
      {
        name: `${kind} ${rest.metadata.name}`,
        text: `import type { I${kind} } from 'kubernetes-models/${apiVersion}'\nexport const it: I${kind} = ${JSON.stringify({ apiVersion, kind, ...rest })}\n`
      }
    ])
  )
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile, fileExists } = host
  host.fileExists = name => files.has(name) || fileExists(name)
  host.getSourceFile = (name, ...rest) => {
    const file = files.get(name)
    return file === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, file.text, ts.ScriptTarget.ES2022)
  }
  const program = ts.createProgram([...files.keys()], OPTIONS, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) =>
    `${files.get(file?.fileName ?? '')?.name ?? 'TypeScript'}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}
