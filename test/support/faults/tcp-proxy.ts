import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** A way to a server that can be slow, swallow everything, or lead elsewhere: what networks do. */
export class TcpProxy {
  /** How long each piece takes, in milliseconds. */
  delay = 0
  /** Port that connections made from now on lead to. */
  target: number
  #swallows = false
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer(client => { this.#join(client) })

  constructor (target: number) {
    this.target = target
  }

  /** Gives the port that it listens on. */
  async start (): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    // as: a server that listens on a port has such an address.
    return (this.#server.address() as AddressInfo).port
  }

  /** From now on no packet gets through, and neither side notices: the cable is cut. */
  cut (): void {
    this.#swallows = true
  }

  /** Everything gets through again, but not on the connections of before. */
  repair (): void {
    this.#swallows = false
    this.#destroy()
  }

  stop (): void {
    this.#server.close()
    this.#destroy()
  }

  #destroy (): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #join (client: Socket): void {
    const server = connect(this.target, '127.0.0.1')
    for (const [from, to] of [[client, server], [server, client]] as const) {
      this.#sockets.add(from)
      // What the one end feels, the other one does.
      from.on('error', () => {})
      from.on('close', () => {
        this.#sockets.delete(from)
        if (!this.#swallows) to.destroy()
      })
      this.#pass(from, to)
    }
  }

  #pass (from: Socket, to: Socket): void {
    // One piece after the other, however long each takes.
    let passed: Promise<unknown> = Promise.resolve()
    from.on('data', piece => {
      passed = passed.then(async () => {
        if (this.delay > 0) await setTimeout(this.delay)
        if (!this.#swallows) to.write(piece)
      })
    })
  }
}
