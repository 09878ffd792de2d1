import { connect } from 'node:net'

const HEADER_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: *(\d+)/i
const CHUNKED = /\r\ntransfer-encoding: *chunked/i

/**
 * A keep-alive connection to 127.0.0.1 without pipelining (HTTP/1.1). Reads only what a load generator needs, so that it takes less
 * CPU time than the fastest server.
 * @typedef {{ status: number, head: string, body: string }} Answer bytes of head and body as Latin-1
 */
export class Connection {
  #port
  #socket
  #text = ''
  #bodyAt = -1
  #status = 0
  /** Length of the whole answer; `Infinity`: until the last chunk. */
  #end = 0
  #onAnswer

  /** @param {number} port */
  constructor (port) {
    this.#port = port
  }

  /**
   * Asks; connects first where that is needed.
   * @param {string} text the whole request, as Latin-1
   * @param {(error: Error | null, answer?: Answer) => void} onAnswer
   */
  send (text, onAnswer) {
    this.#onAnswer = onAnswer
    this.#socket ??= this.#open()
    this.#socket.write(text, 'latin1')
  }

  /** Gives up: what is waited for becomes an error. */
  fail () {
    this.#socket?.destroy()
  }

  /** Ends it; an answer on its way is lost. */
  close () {
    this.#onAnswer = undefined
    this.#socket?.destroy()
  }

  #open () {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    socket.setEncoding('latin1')
    socket.on('data', text => this.#read(text))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      if (this.#onAnswer !== undefined) this.#answer(new Error('The connection ended before the answer.'))
    })
    return socket
  }

  #read (text) {
    this.#text += text
    if (this.#bodyAt < 0 && !this.#readHead()) return
    const whole = this.#end === Infinity ? this.#text.endsWith('0\r\n\r\n') : this.#text.length >= this.#end
    if (!whole) return
    const head = this.#text.slice(0, this.#bodyAt)
    this.#answer(null, { status: this.#status, head, body: this.#text.slice(this.#bodyAt) })
  }

  #readHead () {
    const end = this.#text.indexOf(HEADER_END)
    if (end < 0) return false
    this.#bodyAt = end + HEADER_END.length
    this.#status = Number(this.#text.slice(9, 12))
    const head = this.#text.slice(0, this.#bodyAt)
    this.#end = CHUNKED.test(head) ? Infinity : this.#bodyAt + Number(LENGTH.exec(head)?.[1] ?? 0)
    return true
  }

  #answer (error, answer) {
    const onAnswer = this.#onAnswer
    this.#text = ''
    this.#bodyAt = -1
    this.#onAnswer = undefined
    // A server that closes says so; the next request then takes a new connection.
    if (answer !== undefined && /\r\nconnection: close/i.test(answer.head)) {
      this.#socket?.destroy()
      this.#socket = undefined
    }
    onAnswer?.(error, answer)
  }
}
