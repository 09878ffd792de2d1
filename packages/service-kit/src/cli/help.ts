import { Help, type Command, type HelpConfiguration } from 'commander'

/** Maximum width of a term beside its description, in columns; a wider term has it on the lines below. */
const MAX_TERM_COLUMNS = 28

/** Width if the output is not a terminal, or the terminal does not report its width. */
const DEFAULT_COLUMNS = 80

/** Minimum width: a narrower terminal breaks the lines. */
const MIN_COLUMNS = 60

/** Between the edge and a term, and between a term and its description, in columns. */
const GAP = 2

/**
 * Help whose lines fit the terminal, or 80 columns if the output is not a terminal. Commander's own stops wrapping if a term
 * is wide. Pass it to `configureHelp` of the program: its commands inherit it.
 */
export const helpStyle: HelpConfiguration = {
  prepareContext ({ helpWidth }) {
    this.helpWidth = Math.max(helpWidth || DEFAULT_COLUMNS, MIN_COLUMNS)
  },
  // Without [options], which every command has, to leave room for the descriptions.
  subcommandTerm: it => [
    it.name(), ...it.registeredArguments.map(arg => arg.required ? `<${arg.name()}>` : `[${arg.name()}]`)
  ].join(' '),
  padWidth: (command: Command, help: Help) => Math.min(MAX_TERM_COLUMNS, Help.prototype.padWidth.call(help, command, help)),
  formatItem (term, termWidth, description, help) {
    if (help.displayWidth(term) <= termWidth || description === '') {
      return Help.prototype.formatItem.call(this, term, termWidth, description, help)
    }
    const indent = ' '.repeat(termWidth + 2 * GAP)
    const lines = help.boxWrap(description, (this.helpWidth ?? DEFAULT_COLUMNS) - indent.length).split('\n')
    return [' '.repeat(GAP) + term, ...lines.map(line => indent + line)].join('\n')
  }
}
