import { Session, type Debugger, type InspectorNotification } from 'node:inspector'

/** Lists the URLs of all scripts that this process has loaded: modules, and WebAssembly as `wasm://…`. */
export function loadedScripts (): string[] {
  const session = new Session()
  const urls: string[] = []
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }: InspectorNotification<Debugger.ScriptParsedEventDataType>) => { urls.push(params.url) })
  // Reports every script before it returns.
  session.post('Debugger.enable')
  session.disconnect()
  return urls
}
