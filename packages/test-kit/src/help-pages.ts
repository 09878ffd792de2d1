/** The help of a command. `path`: its words, without the program's name. */
interface HelpPage { readonly path: readonly string[], readonly text: string }

/** Yields the help of a program and of all commands that it names. @param read runs the program with a path and `--help` */
export async function * walkHelp (
  read: (path: readonly string[]) => string | Promise<string>,
  path: readonly string[] = []
): AsyncGenerator<HelpPage> {
  const text = await read(path)
  yield { path, text }
  const [, commands = ''] = text.split(/^Commands:\n/m)
  for (const [, name = ''] of commands.split('\n\n', 1)[0]!.matchAll(/^ {2}([a-z][\w-]*)/gm)) {
    if (name !== 'help') yield * walkHelp(read, [...path, name])
  }
}
