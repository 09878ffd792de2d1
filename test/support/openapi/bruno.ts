import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { read } from '../sources.js'
import { root } from '../stack.js'

const FOLDER = 'examples/bruno'

/** The blocks of a Bruno file, such as `meta` and `body:json`, by their names. */
type Blocks = Readonly<Record<string, string>>

/** The types of bodies that Bruno sets itself. */
const TYPES: Record<string, string> = { 'form-urlencoded': 'application/x-www-form-urlencoded', json: 'application/json', text: 'text/plain' }

/**
 * Sends the requests of the Bruno collection in their order, as its program does. Gives a line for each: its name, the status that
 * came and, if it is another one than the file asserts, that.
 */
export async function runBruno (url: string, token: string): Promise<string[]> {
  const files = readdirSync(join(root, FOLDER)).filter(file => file.endsWith('.bru') && file !== 'collection.bru')
  const requests = files.map(file => blocksOf(read(FOLDER, file)))
  const values: Record<string, string> = { ...pairsOf(blocksOf(read(FOLDER, 'environments/local.bru')).vars), url }
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
  const seqOf = (blocks: Blocks) => Number(pairsOf(blocks.meta).seq)
  const lines: string[] = []
  for (const blocks of requests.sort((one, other) => seqOf(one) - seqOf(other))) {
    const method = ['get', 'post', 'put', 'patch', 'delete'].find(name => name in blocks)!
    const [kind, body] = Object.entries(blocks).find(([name]) => name.startsWith('body:'))?.map(it => it.replace('body:', '')) ?? []
    const response = await fetch(fill(pairsOf(blocks[method]).url!), {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${token}`, ...(kind !== undefined && { 'content-type': TYPES[kind]! }), ...pairsOf(blocks.headers, true) },
      ...(kind === undefined ? {} : { body: kind === 'form-urlencoded' ? new URLSearchParams(pairsOf(fill(body!))) : fill(body!.replace(/^ {2}/gm, '')) })
    })
    const answer = await response.text()
    // What the collection keeps is a member of the first item.
    for (const [name, path] of Object.entries(pairsOf(blocks['vars:post-response']))) {
      const { items: [first] } = JSON.parse(answer) as { items: Array<Record<string, unknown>> }
      values[name] = String(first?.[path.replace('res.body.items[0].', '')])
    }
    const wanted = /res\.status: eq (\d+)/.exec(blocks.assert ?? '')?.[1] ?? '200'
    lines.push(`${pairsOf(blocks.meta).name} ${response.status}${wanted === `${response.status}` ? '' : ` instead of ${wanted}`}`)
  }
  return lines
}

function blocksOf (text: string): Blocks {
  return Object.fromEntries([...text.matchAll(/^([\w:-]+) \{\n(.*?)^\}$/gms)].map(([, name, content]) => [name!, content!]))
}

/** @param lower whether names become lower case */
function pairsOf (block = '', lower = false): Record<string, string> {
  return Object.fromEntries([...block.matchAll(/^ {2}([\w-]+): (.*)$/gm)].map(([, name, value]) => [lower ? name!.toLowerCase() : name!, value!]))
}
