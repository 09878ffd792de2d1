import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import ts from 'typescript'
import { root } from './stack.js'

/** Folders that hold what others wrote or a program made. */
const FOREIGN = new Set(['node_modules', 'dist', 'data', 'generated', '.git', '.tap'])

/** Every file below a folder of the clone, as paths from there with `/`, without installed and generated ones. */
export function filesBelow (folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    if (FOREIGN.has(entry.name)) return []
    return entry.isDirectory() ? filesBelow(join(folder, entry.name)).map(file => `${entry.name}/${file}`) : [entry.name]
  })
}

/** The text of a file of the clone. */
export function read (...path: string[]): string {
  return readFileSync(join(root, ...path), 'utf8')
}

/** A module of a package. */
export interface Module {
  /** Path from the package's `src`, with `/`. */
  file: string
  text: string
  /** The modules of `src` that it imports, types too, as paths like `file`; `..` if outside. */
  internal: string[]
  /** What else it imports: packages, and modules of Node.js. */
  external: string[]
}

/** The modules of a package, generated ones left out. */
export function modulesOf (packageName: string): Module[] {
  const src = join('packages', packageName, 'src')
  return filesBelow(src).filter(file => file.endsWith('.ts')).map(file => {
    const text = read(src, file)
    const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
    const isInternal = (it: string) => it.startsWith('.')
    return {
      file: file.split(sep).join('/'),
      text,
      internal: imported.filter(isInternal).map(it => posix.join(posix.dirname(file), it).replace(/\.js$/, '.ts')),
      external: imported.filter(it => !isInternal(it))
    }
  })
}
